"""What the rule-based reasoner decides, step by step."""

import pytest

from rag.agent.rules import RISKS, RuleReasoner
from rag.agent.tools import use_tool
from tests.agent.scripted import result
from tests.agent.shelf import step


def decisions(shelf, question, *, iterations=5):
    """All decisions of a run, the answer last."""
    run, reasoner, taken = shelf.state(question, iterations=iterations), RuleReasoner(), []
    while True:
        decision = result(reasoner.decide(run))
        taken.append(decision)
        if decision.action == "answer_directly":
            return taken
        run.iterations_left -= 1
        run.take(step(use_tool(decision.action, decision.action_input, run), decision=decision))


def actions(shelf, question, **options):
    return [decision.action for decision in decisions(shelf, question, **options)]


@pytest.mark.parametrize(
    "question, plan",
    [
        (
            "Which reports mention pollinator decline as a risk?",
            ["search_documents", "compare_chunks", "answer_directly"],
        ),
        ("Compare the hatchery tonnage of the reports", ["search_documents", "answer_directly"]),
        ("Who sells old books?", ["search_documents", "answer_directly"]),
        (
            "What are the common risk factors?",
            ["search_documents", "search_documents", "compare_chunks", "answer_directly"],
        ),
        ("Summarise the reports", [*["get_document_summary"] * 3, "answer_directly"]),
        ("What was Elm's revenue?", ["answer_directly"]),  # no document bears the name
        ("Which reports mention zeppelins?", ["search_documents", "answer_directly"]),
    ],
)
def test_the_plan_of_each_kind_of_question(three, question, plan):
    assert actions(three, question) == plan


def test_one_search_asks_all_documents_in_scope(three):
    first, *_ = decisions(three, "Which reports mention pollinator decline as a risk?")
    assert first.action_input["query"] == "pollinator decline risk"
    assert first.action_input["documents"] == [d.id for d in three.store.documents()]
    assert first.action_input["exact"] is True  # so that silence means something
    assert first.thought == "Which reports speak of pollinator decline? Each of the 3 documents is searched for it."


def test_a_known_figure_is_asked_for_in_the_words_of_statements(three):
    first, *_ = decisions(three, "What was Alder's capex?")
    assert "which statements call “capital expenditures” and the like" in first.thought


def test_common_themes_are_read_from_passages_on_risk_and_then_searched_for_one_by_one(three):
    first, second, *_ = decisions(three, "What are the common risk factors?")
    assert first.action_input["query"] == RISKS
    assert "climate change risk" in second.action_input["queries"]
    assert "pollinator decline" in second.action_input["queries"]  # from headings; no list knows it


def test_passages_of_two_reports_are_set_against_each_other(three):
    *_, comparison, _ = decisions(three, "Which reports mention pollinator decline as a risk?")
    left, right = comparison.action_input["left"], comparison.action_input["right"]
    assert left.partition(":")[0] != right.partition(":")[0]
    assert comparison.thought.startswith("Do they overlap? The passages of Alder annual report 2023 and Birch")


def test_with_one_iteration_left_it_answers(three):
    assert actions(three, "Which reports mention pollinator decline?", iterations=1) == ["answer_directly"]
    *_, answer = decisions(three, "What are the common risk factors?", iterations=2)
    assert answer.action_input["cut_short"] is True


@pytest.mark.parametrize("iterations, steps", [(5, 3), (4, 3), (3, 2), (2, 1)])
def test_all_reports_are_summarised_whatever_the_limit(three, iterations, steps):
    *summaries, answer = decisions(three, "Summarise the reports", iterations=iterations)
    assert len(summaries) == steps
    assert all(
        f"**{name} annual report 2023**" in answer.action_input["answer"] for name in ("Alder", "Birch", "Cedar")
    )
    assert answer.action_input["cut_short"] is False


def test_a_comparison_that_would_be_the_last_is_no_cut(three):
    *_, answer = decisions(three, "Which reports mention pollinator decline as a risk?", iterations=2)
    assert answer.action_input["cut_short"] is False


def test_the_answers_thought_says_what_it_rests_on(three):
    *_, answer = decisions(three, "Which reports mention pollinator decline as a risk?")
    assert answer.thought == ("Passages of 2 of 3 documents were found; the answer is written from them.")


def test_nothing_found_is_said_and_by_whom_it_was_counted(three):
    *_, answer = decisions(three, "Which reports mention zeppelins?")
    line = "Nothing was found on zeppelins in the three reports in scope."
    assert (answer.action_input["answer"], answer.action_input["counted"]) == (line, [line])


def test_no_key_is_needed_and_the_name_says_so():
    assert RuleReasoner().name == "rules"
