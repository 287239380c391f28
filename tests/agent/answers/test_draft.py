import pytest

from rag.agent.answers.draft import Draft, capital, in_words, some_of
from rag.types import Observation
from tests.agent.shelf import hit, search, step


@pytest.fixture
def draft(three):
    run = three.state("bees")
    hits = [hit(f"Bees {n}.", n, document=run.selection[0].id) for n in range(2)]
    run.take(step(Observation("", (search("bees", run.scope.documents, hits),))))
    return Draft(run)


def test_paragraphs_stand_apart_and_what_code_counted_is_remembered(draft):
    draft.count("Two reports speak.")
    draft.quotes(["Bees live. [1]", "Bees die. [2]"], title="**Bees**")
    assert draft.text == "Two reports speak.\n\n**Bees**\n- Bees live. [1]\n- Bees die. [2]"
    assert draft.counted == ["Two reports speak.", "**Bees**"]


def test_quotations_without_a_title_are_counted_by_nobody(draft):
    draft.quotes(["Bees live. [1]"])
    assert (draft.text, draft.counted) == ("- Bees live. [1]", [])


@pytest.mark.parametrize("counted", [True, False])
def test_cells_of_a_table_lose_what_would_end_them(draft, counted):
    draft.table(["A", "B"], ["---", "--:"], [["a | b\nc", "1"]], counted=counted)
    assert draft.text == "| A | B |\n| --- | --: |\n| a / b c | 1 |"
    assert draft.counted == (draft.text.splitlines() if counted else [])


def test_marks_are_those_of_the_evidence(draft):
    assert draft.marks(draft.run.evidence) == "[1][2]"
    assert draft.marks([]) == ""


def test_words_of_prose():
    assert (in_words(0), in_words(10), in_words(11)) == ("none", "ten", "11")
    assert (capital("two reports"), capital("")) == ("Two reports", "")


def test_some_of_the_reports():
    assert (some_of(1, 1), some_of(2, 12)) == ("One of one report", "Two of 12 reports")
