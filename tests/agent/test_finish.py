from dataclasses import replace

import pytest

from rag.agent.finish import Outcome, finish
from rag.types import Decision, Observation, Query
from tests.agent.shelf import search, step


def finished(run, outcome, **options):
    given = {"run_id": "r", "mode": "agent", "reasoner": "rules", "selection": None, "iteration_limit": 5}
    return finish(run, outcome, **given | {"started_at": "2026-01-01T00:00:00Z", "seconds": 1.0} | options)


@pytest.fixture
def run(three):
    """A run that found one passage of Alder, and nothing in Birch and Cedar."""
    run = three.state("bees")
    hit = three.retriever.search(Query("wild bees dying", k=1)).hits[0]
    run.take(step(Observation("", (search("bees", run.scope.documents, [hit]),))))
    return run


def answer(**given):
    return Decision("", "answer_directly", given)


def test_an_outcome_takes_what_the_decision_gives():
    decision = answer(answer=" Bees. ", value=3, counted=["Bees."], cut_short=True, unanswered=True)
    assert Outcome.of(decision, counted_by_code=True) == Outcome(
        "Bees.", 3, "step_limit", unanswered=True, counted=("Bees.",)
    )
    assert Outcome.of(decision, counted_by_code=False).counted == ()


@pytest.mark.parametrize("given", [{}, {"answer": None}, {"counted": "no list"}])
def test_an_outcome_of_odd_input_is_empty(given):
    assert Outcome.of(answer(**given), counted_by_code=True) == Outcome()


def test_a_limit_does_not_hide_what_came_first():
    assert Outcome().limited().status == "step_limit"
    assert Outcome(status="error").limited().status == "error"


@pytest.mark.parametrize(
    "value, kept", [(412.0, 412.0), (True, True), ("Alder", "Alder"), (None, None), ([1], None), ({"a": 1}, None)]
)
def test_a_value_is_a_number_a_text_or_yes_and_no(run, value, kept):
    assert finished(run, Outcome("Bees [1].", value)).answer.value == kept


def test_the_outcomes_status_wins(run):
    for status in ("error", "cancelled", "step_limit"):
        assert finished(run, Outcome(status=status)).status == status


def test_without_one_it_is_read_from_the_ledger(run):
    assert finished(run, Outcome("Bees [1].")).status == "answered"


def test_an_open_document_makes_it_partial(three):
    run = three.state("bees")
    hit = next(iter(three.retriever.search(Query("bees")).hits))
    run.take(step(Observation("", (search("bees", [hit.passage.document_id], [hit]),))))
    assert finished(run, Outcome("Bees [1].")).status == "partial"


def test_no_evidence_is_not_found(three):
    assert finished(three.state("bees"), Outcome("")).status == "not_found"


def test_the_trace_holds_the_state_of_the_run(run):
    trace = finished(run, Outcome("Bees [1]."), selection=("x",), mode="single_shot")
    assert (trace.run_id, trace.mode, trace.selection, trace.seconds) == ("r", "single_shot", ("x",), 1.0)
    assert trace.retrieved == run.evidence
    assert trace.steps == tuple(run.steps)
    assert trace.iterations == 1
    assert [row.state for row in trace.coverage] == ["cited", "nothing_found", "nothing_found"]


def test_what_is_cited_says_how_strong_the_evidence_is(run):
    assert finished(run, Outcome("Bees [1].")).answer.evidence in ("strong", "partial")
    assert finished(run, Outcome("Bees.")).answer.evidence == "none"


def test_an_answer_on_weak_passages_alone_says_so(three):
    run = three.state("bees")
    found = three.retriever.search(Query("wild bees dying", k=1)).hits[0]
    weak = replace(found, score=0.21)
    run.take(step(Observation("", (search("bees", run.scope.documents, [weak]),))))
    answer = finished(run, Outcome("Bees [1].")).answer
    assert answer.evidence == "weak"
    assert answer.not_covered[-1] == "The answer rests on weak passages alone: the best of them scores 0.21."
