import pytest

from rag.agent.grounding import COUNTED, check_sentences, ground
from tests.agent.shelf import hit
from tests.search.cards import report

ALDER = report("Alder", 2023)
DOCUMENTS = {ALDER.id: ALDER}
TEXTS = (
    "Net debt fell in the south.",
    "Profit rose by 8% on almonds.",
    "Sales were 12,450 in Spain.",
    "Staff numbered 450 at year end.",
)
EVIDENCE = tuple(hit(text, i, document=ALDER.id, page=i + 1) for i, text in enumerate(TEXTS))


def grounded(text):
    return ground(text, EVIDENCE, DOCUMENTS)


def checks(text, **options):
    result = grounded(text)
    return [(c.supported, c.why) for c in check_sentences(result.text, result.citations, **options)]


def test_marks_are_numbered_anew_in_order_of_appearance():
    result = grounded("Sales were 12,450 [3]. Debt fell [1]. Sales again [3].")
    assert result.text == "Sales were 12,450 [1]. Debt fell [2]. Sales again [1]."
    assert [(c.mark, c.passage.text, c.file, c.title) for c in result.citations] == [
        (1, TEXTS[2], ALDER.file, "Alder 10-K 2023"),
        (2, TEXTS[0], ALDER.file, "Alder 10-K 2023"),
    ]


def test_marks_that_name_no_passage_are_taken_out_and_told():
    """Of four passages a model cited [2], [7], [0] and [99]."""
    result = grounded("Profit rose 8% [2] and debt fell [7]. Margin was 12% [0][99].")
    assert "[1]" in result.text and not any(mark in result.text for mark in ("[7]", "[0]", "[99]", "[2]"))
    assert [c.passage.text for c in result.citations] == [TEXTS[1]]
    assert result.removed == ("[7]", "[0]", "[99]")


@pytest.mark.parametrize("text", ["", "No marks.", "[see note]", "[2023-01-28]", "[12345]"])
def test_a_text_without_marks_stays_as_it_is(text):
    assert grounded(text) == (text, (), ())


def test_a_number_must_stand_in_what_is_cited():
    assert checks("Profit rose by 8% on almonds [2].") == [(True, "all 1 numbers and 100% of its words stand in [1]")]
    assert checks("Profit rose by 9% on almonds [2].") == [(False, "9 does not stand in [1]")]
    assert checks("Sales were 12450 in Spain [3].") == [(True, "all 1 numbers and 100% of its words stand in [1]")]
    assert checks("Sales were 12.5 in Spain [3].") == [(False, "12.5 does not stand in [1]")]


def test_half_of_the_words_must_stand_there_too():
    assert checks("Net debt fell [1].") == [(True, "100% of its words stand in [1]")]
    assert checks("Pirates stole whole harvests of debt [1].") == [(False, "20% of its words stand in [1]")]


def test_a_sentence_without_a_mark_has_no_support():
    assert checks("Net debt fell in the south.") == [(False, "no citation")]
    assert checks("Net debt fell in the south [1]. And so it goes.") == [
        (True, "100% of its words stand in [1]"),
        (False, "no citation"),
    ]


def test_a_mark_stands_for_the_sentences_before_it_on_its_line():
    assert [ok for ok, _ in checks("Net debt fell. It fell in the south [1].")] == [True, True]
    assert [ok for ok, _ in checks("Net debt fell.\nIt fell in the south [1].")] == [False, True]


def test_several_marks_carry_a_sentence_together():
    assert checks("Net debt fell and profit rose by 8% [1][2].") == [
        (True, "all 1 numbers and 100% of its words stand in [1], [2]")
    ]


def test_what_code_counted_is_told_apart():
    line = "One of two reports speaks of debt [1]."
    assert checks(f"{line}\n\nPirates came.", counted=[line]) == [(True, COUNTED), (False, "no citation")]
    assert checks("One of nine reports speaks of debt [1].", counted=[line])[0][0] is False


def test_a_row_of_a_table_is_checked_against_the_page_and_its_head_is_not():
    table = "| Report | Value | Period |\n| --- | --: | --- |\n| Alder 10-K 2023 | 12,450 [3] | 2021 |"
    assert checks(table) == [(False, "2021 does not stand in [1]")]
    assert checks(table, pages={1: "2021 2020\nSales 12,450 11,900"})[0][0] is True


def test_bold_titles_alone_are_no_sentence():
    assert checks("**Alder** [1]\n\n- Net debt fell [1].") == [(True, "100% of its words stand in [1]")]


def test_the_sentence_is_shown_without_its_markup():
    result = grounded("- **Alder**: Net debt fell [1].")
    (check,) = check_sentences(result.text, result.citations)
    assert check.sentence == "Alder: Net debt fell [1]."
