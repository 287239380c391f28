import json

import pytest

from rag.__main__ import main
from rag.evaluation.questions import Sample
from rag.evaluation.runner import evaluate
from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.workspace import Workspace

ALDER = "Alder plc\nAnnual report 2023\n\nRevenue was $12 million.\n"
BIRCH = "Birch plc\nAnnual report 2023\n\nRevenue was $7 million.\n"
BOTH = {"alder.txt": frozenset({1}), "birch.txt": frozenset({1})}
COMPARE = Sample("1", "cross-metric", "Compare revenue across Alder and Birch.", expected=BOTH)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    with Workspace.open(Settings(data=tmp_path_factory.mktemp("library"), embeddings="off")) as opened:
        list(opened.add([Upload("alder.txt", ALDER.encode()), Upload("birch.txt", BIRCH.encode())]))
        yield opened


def test_a_question_gives_a_result_with_its_trace_and_scores(workspace):
    (outcome,) = evaluate(workspace, [COMPARE])
    assert outcome.result.id == "1"
    assert outcome.scores["offered_coverage"] == outcome.scores["ledger_true"] == 1.0
    assert outcome.trace == workspace.trace(outcome.trace.run_id)


def test_a_question_that_crashes_gives_an_error_and_the_others_go_on(workspace):
    lost = Sample("0", "cross-metric", "Compare?", documents=("cedar.txt",), expected=BOTH)
    broken, fine = evaluate(workspace, [lost, COMPARE])
    assert (broken.result.status, broken.trace, set(broken.scores.values())) == ("error", None, {0.0})
    assert "cedar.txt" in broken.result.answer
    assert fine.result.status != "error"


def test_the_command_writes_a_line_a_question_in_order_and_keeps_the_library(tmp_path, monkeypatch, capsys):
    corpus, questions, out = tmp_path / "corpus", tmp_path / "questions.jsonl", tmp_path / "results.jsonl"
    corpus.mkdir()
    (corpus / "alder.txt").write_text(ALDER)
    (corpus / "birch.txt").write_text(BIRCH)
    row = {"kind": "cross-metric", "question": COMPARE.question, "expected": {"alder.txt": [1], "birch.txt": [1]}}
    questions.write_text("\n".join(json.dumps(row | {"id": str(n), "documents": None}) for n in range(2)))
    command = ["evaluate", "--corpus", corpus, "--questions", questions, "--out", out, "--no-dense"]
    command += ["--mode", "single_shot", "--data", tmp_path / "library"]
    for _ in range(2):
        assert main([str(part) for part in command]) == 0
        results = [json.loads(line) for line in out.read_text().splitlines()]
        assert [(result["id"], result["mode"]) for result in results] == [("0", "single_shot"), ("1", "single_shot")]
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("added") == 2  # in the first round alone
    assert "cross-metric (n=2)" in said.err
