import pytest

from rag.evaluation import metrics

RANKED = ["b", "a", "c"]


def test_hit_at_k_looks_at_the_first_k():
    assert metrics.hit_at(RANKED, {"a"}, 1) == 0.0
    assert metrics.hit_at(RANKED, {"a"}, 2) == 1.0


def test_recall_is_the_share_of_what_counts():
    assert metrics.recall_at(RANKED, {"a", "x"}, 3) == 1 / 2
    assert metrics.recall_at(RANKED, set(), 3) == 0.0


def test_reciprocal_rank_is_of_the_first_that_counts():
    assert metrics.reciprocal_rank(RANKED, {"a", "c"}) == 1 / 2
    assert metrics.reciprocal_rank(RANKED, {"x"}) == 0.0


def test_coverage_counts_documents_and_page_coverage_right_pages():
    found, wanted = {"a": {1, 2}, "b": {9}}, {"a": {2}, "b": {3}, "c": {1}}
    assert metrics.coverage(found, wanted) == 2 / 3
    assert metrics.page_coverage(found, wanted) == 1 / 3


@pytest.mark.parametrize(
    ("states", "offered", "cited", "true"),
    [
        ({"a": "cited", "b": "nothing_found"}, {"a"}, {"a"}, 1.0),
        ({"a": "offered", "b": "not_searched"}, {"a"}, set(), 1.0),
        ({"a": "offered", "b": "not_searched"}, {"a"}, {"a"}, 0.0),  # cited, and the row says less
        ({"a": "cited", "b": "not_searched"}, set(), set(), 0.0),  # not even offered
        ({"a": "cited"}, {"a"}, {"a"}, 0.0),  # no row for b
    ],
)
def test_a_ledger_is_true_when_each_row_says_what_happened(states, offered, cited, true):
    assert metrics.ledger_true(states, ["a", "b"], offered, cited) == true


@pytest.mark.parametrize(
    ("value", "right"), [(100.9, True), (101.1, False), (-100, False), (True, False), ("100", False), (None, False)]
)
def test_a_number_is_right_within_a_hundredth(value, right):
    assert metrics.number_right(value, (100, "N/A", True)) is right
