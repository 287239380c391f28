import pytest

from rag.ingest.card import read_card
from rag.types import Card

COVER = """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
Washington, D.C. 20549
____________ FORM {form}
For the {period} ended October 1, 2023
Commission file number 1-9999
QUILLMOOR MARINE, INC.
(Exact name of registrant as specified in its charter)"""


def card(pages, *texts, file="0123abcd.pdf") -> Card:
    return read_card(pages(*texts), file)


def test_a_filing_is_read_from_its_cover(pages):
    found = card(pages, COVER.format(form="10-K", period="fiscal year"), "Quillmoor Marine sells ropes.")
    assert found == Card("Quillmoor Marine", ("Quillmoor Marine, Inc.",), "10-K", 2023, "2023-10-01")


def test_a_cover_behind_a_letter_to_shareholders_is_found(pages):
    letter = "Dear shareholders, this is our annual report."
    assert card(pages, letter, letter, COVER.format(form="10-K", period="fiscal year")).kind == "10-K"


@pytest.mark.parametrize(
    ("form", "kind"),
    [("10-K", "10-K"), ("10-K/A", "10-K"), ("10-Q", "10-Q"), ("8-K", "8-K"), ("20-F", "annual report")],
)
def test_the_form_is_the_kind(pages, form, kind):
    assert card(pages, COVER.format(form=form, period="quarterly period")).kind == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("FOR IMMEDIATE RELEASE\nQuillmoor Inc. had a good year", "earnings release"),
        ("Quillmoor Inc. Reports Third Quarter 2023 Results", "earnings release"),
        ("Quillmoor Inc.\nAnnual Report 2023", "annual report"),
        ("Quillmoor Inc.\nInterim report January to June. See our annual report.", "other"),
        ("Quillmoor Inc.\nMinutes of the meeting", "other"),
    ],
)
def test_other_kinds_are_told_by_their_words(pages, text, kind):
    assert card(pages, text).kind == kind


def test_a_fiscal_year_that_ends_in_february_is_the_companys_own(odd, read):
    found = read(odd("fiscal_year.pdf")).card
    assert (found.company, found.fiscal_year, found.period_end) == ("Birch Optics", 2023, "2024-02-03")


def test_the_file_name_helps_only_where_the_text_says_nothing(pages):
    assert card(pages, "Net sales rose.", file="Vennhall_2022_10K.pdf") == Card("Vennhall", (), "10-K", 2022)
    assert card(pages, "Net sales rose.", file="scan0001.pdf") == Card()
    assert (
        card(pages, COVER.format(form="10-K", period="fiscal year"), file="Vennhall_2019_10Q.pdf").fiscal_year == 2023
    )
