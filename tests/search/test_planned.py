import pytest

from rag.search.planned import known_entry, planned_query


def test_a_known_figure_brings_its_statement_and_the_words_of_its_lines():
    query = planned_query("capex", k=3, documents=("a",))
    assert (query.text, query.k, query.documents, query.statement) == ("capex", 3, ("a",), "cash flow")
    assert "purchases of property plant and equipment" in query.phrases


def test_a_known_theme_brings_its_phrases_and_no_statement():
    query = planned_query("climate change risk", k=3, documents=None)
    assert query.statement is None
    assert {"greenhouse gas", "greenhouse gases"} <= set(query.phrases)  # their stems differ


@pytest.mark.parametrize("text", ["pollinator decline", "hatchery tonnage", "", "of the"])
def test_what_nobody_has_heard_of_is_searched_as_it_stands(text):
    query = planned_query(text, k=3, documents=None)
    assert (query.text, query.phrases, query.statement) == (text, (), None)


def test_an_entry_must_be_what_most_of_the_text_is_about():
    assert known_entry("revenue").name == "revenue"
    assert known_entry("revenue from bitcoin mining in old salt caverns") is None  # "revenue" is 1 of its 6 words


def test_of_two_entries_the_one_that_covers_more_of_the_text():
    assert known_entry("goodwill impairment charges").name == "impairment"
    assert known_entry("goodwill").name == "goodwill"
