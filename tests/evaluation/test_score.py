import pytest

from rag.evaluation.questions import Sample
from rag.evaluation.results import Place, Result, State
from rag.evaluation.score import means, score

TWO = {"a.pdf": frozenset({4, 5}), "b.pdf": frozenset({7}), "c.pdf": frozenset()}
CROSS = Sample("1", "cross-theme", "Who?", expected=TWO)
ROWS = (State("a.pdf", "cited"), State("b.pdf", "offered"), State("c.pdf", "nothing_found"))
GIVEN = (Place("a.pdf", 9, 0.9), Place("a.pdf", 4, 0.8), Place("a.pdf", 4, 0.7), Place("b.pdf", 1, 0.5))


def result(status="answered", **fields):
    return Result("1", "agent", status, **fields)


def test_a_cross_question_counts_documents_pages_and_silence():
    scores = score(CROSS, result(retrieved=GIVEN, citations=(Place("a.pdf", 4),), coverage=ROWS))
    assert scores == {
        "offered_coverage": 2 / 2,
        "page_coverage": 1 / 2,  # page 1 of b is a wrong one
        "cited_coverage": 1 / 2,
        "cited_page_coverage": 1 / 2,
        "ledger_true": 1.0,
        "nobody_missed": 1.0,
        "answered": 1.0,
        "pages_offered_per_document": 3 / 3,
        "pages_cited_per_document": 1 / 3,
        "silence_right": 1.0,
    }


def test_an_unclear_document_is_not_scored():
    unclear = Sample("1", "cross-theme", "Who?", expected=TWO, unclear=frozenset({"b.pdf", "c.pdf"}))
    scores = score(unclear, result(retrieved=GIVEN, coverage=ROWS))
    assert scores["page_coverage"] == 1.0
    assert "silence_right" not in scores


def test_a_single_question_ranks_pages_each_once():
    single = Sample("1", "fact", "What?", expected={"b.pdf": frozenset({1})})
    scores = score(single, result(retrieved=GIVEN))
    assert (scores["hit@1"], scores["rr"], scores["recall@5"]) == (0.0, 1 / 3, 1.0)
    assert (scores["pages_offered"], scores["cited_page_hit"]) == (3.0, 0.0)


@pytest.mark.parametrize(
    ("said", "right"),
    [(("Cedar Holdings",), 1.0), (("cedar's",), 1.0), ((), 0.0), (("Cedar", "Alder"), 0.0)],
)
def test_an_absent_company_is_to_be_named_and_a_present_one_not(said, right):
    absent = Sample("1", "absent", "Alder and Cedar?", absent=("Cedar Inc.",), present=("Alder",))
    assert score(absent, result("partial", not_in_library=said)) == {
        "absent_named": right,
        "not_answered_as_if_complete": 1.0,
    }


@pytest.mark.parametrize(
    ("accepted", "status", "value", "right"),
    [
        ((23_410_000,), "answered", 23.4e6, 1.0),
        (("Alder Inc.",), "answered", "Alder", 1.0),
        (("N/A",), "not_found", None, 1.0),
        (("N/A",), "answered", None, 0.0),
        ((5,), "answered", 7, 0.0),
    ],
)
def test_a_value_is_right_as_a_number_a_name_or_a_no(accepted, status, value, right):
    sample = Sample("1", "erc", "How much?", accepted=accepted)
    assert score(sample, result(status, value=value))["right"] == right


@pytest.mark.parametrize(
    ("status", "value", "scores"),
    [
        ("not_found", None, {"right": 1.0, "no_said": 1.0, "invented": 0.0}),
        ("partial", None, {"right": 0.0, "no_said": 0.0, "invented": 0.0}),
        ("answered", 7, {"right": 0.0, "no_said": 0.0, "invented": 1.0}),
        ("error", None, {"right": 0.0, "no_said": 0.0, "invented": 1.0}),
    ],
)
def test_where_no_is_the_only_right_answer_a_value_is_invented(status, value, scores):
    assert score(Sample("1", "erc", "How much?", accepted=("N/A",)), result(status, value=value)) == scores


def test_a_value_is_scored_alone_where_no_is_not_right():
    assert score(Sample("1", "erc", "?", accepted=(5,)), result(value=5)) == {"right": 1.0, "value_right": 1.0}
    assert score(Sample("1", "erc", "?", accepted=("N/A", 5)), result(value=5)) == {"right": 1.0}


def test_an_error_scores_nothing():
    assert set(score(CROSS, result("error", retrieved=GIVEN)).values()) == {0.0}


def test_means_are_by_kind_over_those_that_have_the_measure():
    groups = means([(CROSS, {"x": 1.0}), (CROSS, {"x": 0.0, "y": 1.0}), (Sample("3", "absent", "?"), {"z": 1.0})])
    assert [tuple(group) for group in groups] == [("cross-theme", 2, {"x": 0.5, "y": 1.0}), ("absent", 1, {"z": 1.0})]
