import pytest

from rag.agent.answers.theme import CITED, recurring_words, theme_answer, theme_quotes
from rag.agent.grounding import ground
from rag.agent.tools import use_tool
from rag.search.question import read_question
from tests.agent.shelf import step


def searched(shelf, question):
    """A run that has made its search, and what was asked."""
    run = shelf.state(question)
    asked = read_question(question, without=run.scope.names)
    given = {"query": asked.topic, "exact": True}
    run.take(step(use_tool("search_documents", given, run)))
    return run, asked


def answer(shelf, question):
    """Its text, the marks numbered in order of appearance."""
    run, asked = searched(shelf, question)
    return ground(theme_answer(run, asked).text, run.evidence, run.by_id).text


def test_how_many_speak_each_in_its_own_words_and_who_is_silent(three):
    assert answer(three, "Which reports mention climate change?").splitlines() == [
        "Two of three reports speak of climate change [1][2].",
        "",
        "- **Alder annual report 2023**: Climate change brings drought to our almond orchards in the south. [1]",
        "- **Birch annual report 2023**: Climate change may flood our hatcheries beside the river. [2]",
        "",
        "They overlap on climate change; each says it in its own words [1][2].",
        "",
        "Silent on it: Cedar annual report 2023.",
    ]


def test_one_report_alone_overlaps_with_none(three):
    text = answer(three, "Does Alder mention climate change?")
    assert text.startswith("One of one report speaks of climate change [1].")
    assert "overlap" not in text and "Silent" not in text


def test_where_silence_is_asked_for_it_comes_first(three):
    text = answer(three, "Which reports do not mention climate change?")
    assert text.startswith("Silent on climate change: Cedar annual report 2023.")
    assert text.count("Cedar") == 1


def test_what_the_code_counted_is_told_apart_from_quotations(three):
    draft = theme_answer(*searched(three, "Which reports mention climate change?"))
    assert not any("drought" in line for line in draft.counted)
    assert draft.counted[-1] == "Silent on it: Cedar annual report 2023."


@pytest.fixture
def long_report(shelf):
    """Eight pages that speak of wasps, two of them in the same words."""
    pages = [f"Wasps sting the pickers of plot {n}." for n in range(7)]
    pages.append(pages[0])
    shelf.add("elm.txt", "\f".join(f"{page} {'It is known. ' * 30}" for page in pages))
    return shelf


def test_at_most_two_passages_of_a_report_each_of_another_page(long_report):
    run, asked = searched(long_report, "Which reports mention wasps?")
    quotes = theme_quotes(run, run.documents[0], asked.topic, asked.theme)
    assert len(quotes) == CITED
    assert len({quote.hit.passage.page for quote in quotes}) == len({quote.text for quote in quotes}) == CITED


def test_words_that_recur_are_rare_in_the_library_and_beyond_the_topic(shelf):
    shelf.add("elm.txt", "Wasps sting. The orchards of Kent suffer from wasps each summer.")
    shelf.add("fir.txt", "Wasps are pests. Our orchards lost much fruit to wasps last summer.")
    for n in range(60):
        shelf.add(f"{n}.txt", f"Report number {n} speaks of each summer and of nothing else at all.")
    run, asked = searched(shelf, "Which reports mention wasps?")
    quotes = {d.id: theme_quotes(run, d, asked.topic, None) for d in run.documents if run.offered(d.id)}
    assert recurring_words(run, quotes, asked.topic) == ["orchards"]
