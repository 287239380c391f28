import json
from dataclasses import replace

from rag.result import to_result
from tests.runs import run

RESULT = to_result(run())


def test_it_is_json_that_says_how_the_run_ended():
    json.dumps(RESULT)
    assert RESULT["answer"] == "**Alder**: revenue was $12 million [1]."
    assert (RESULT["runId"], RESULT["status"], RESULT["iterationsUsed"]) == ("run-1", "partial", 2)
    assert RESULT["maxIterationsReached"] is False
    assert to_result(replace(run(), status="step_limit"))["maxIterationsReached"] is True


def test_steps_are_reasoning_tool_calls_their_results_and_at_last_the_answer():
    assert [(step.get("step"), step["stepType"]) for step in RESULT["trace"]["steps"]] == [
        (1, "reasoning"),
        (2, "reasoning"),
        (2, "tool_call"),
        (2, "tool_result"),
        (3, "reasoning"),
        (3, "tool_call"),  # the code's own search
        (3, "tool_result"),
        (4, "reasoning"),
        (None, "answer"),
    ]


def test_a_tool_call_has_its_input_and_its_result_the_scores():
    call, result = RESULT["trace"]["steps"][2:4]
    assert call["toolName"] == result["toolName"] == "search_documents"
    assert call["toolInput"] == {"query": "revenue 2023", "documents": ["a1", "b2"]}
    assert result["toolOutput"] == "1 passage."
    hit = result["searches"][0]["hits"][0]
    assert (hit["title"], hit["page"], hit["score"]) == ("Alder 10-K 2023", 12, 0.83)
    assert hit["components"][0] == {"name": "bm25", "score": 0.8, "rank": 1}


def test_citations_and_ledger_name_files():
    (citation,) = RESULT["citations"]
    assert (citation["file"], citation["page"], citation["label"]) == ("alder.pdf", 12, "iv")
    assert [(row["file"], row["state"]) for row in RESULT["coverage"]] == [
        ("alder.pdf", "cited"),
        ("birch.pdf", "nothing_found"),
    ]
    assert RESULT["notInLibrary"] == ["Cedar"]
