from dataclasses import replace

import pytest

from rag.types import Card, Page, place_of
from tests.runs import ALDER, run


@pytest.mark.parametrize(
    ("number", "label", "named"), [(5, "5", "p. 5"), (8, "5", "p. 5 (sheet 8)"), (12, "iv", "p. iv (sheet 12)")]
)
def test_a_page_is_named_as_printed_and_by_its_sheet_where_that_differs(number, label, named):
    assert place_of(number, label) == Page(number, label, "").place == named


def test_a_page_whose_text_is_recognised_says_so_in_its_name():
    assert Page(5, "5", "", recognised=True).place == "p. 5 (recognised text)"
    assert Page(8, "5", "", recognised=True).place == "p. 5 (sheet 8, recognised text)"


@pytest.mark.parametrize(
    ("kind", "interim"), [("10-Q", True), ("8-K", True), ("earnings release", True), ("10-K", False), ("other", False)]
)
def test_reports_within_a_year_are_told_from_those_of_a_whole_one(kind, interim):
    assert Card(kind=kind).interim is interim


def test_a_passage_stands_where_its_page_does():
    assert ALDER.place == "p. iv (sheet 12)"


def test_a_report_that_says_nothing_is_silent_and_one_never_searched_is_not():
    gap = "Birch 10-K 2023: not searched before the run ended."
    answer = replace(run().answer, not_covered=("The library holds no 2024.", *run().answer.not_covered, gap))
    assert replace(run(), answer=answer).silent == ("Birch 10-K 2023: nothing found.",)
