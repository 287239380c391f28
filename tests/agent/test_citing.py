"""Citations that code adds behind sentences of a model."""

from rag.agent.citing import add_citations
from rag.types import Card, Document
from tests.agent.shelf import hit

ALDER = Document(
    "d", "alder.md", "", "text", Card("Alder", kind="annual report", fiscal_year=2023), 1, 1, 1, 0, "ready", ""
)
FOUND = [
    hit("Revenue was 41 million dollars, up 2 % on the year before.", 0),
    hit("The board met nine times. Debt fell to 12 million dollars.", 1),
]


def cited(text):
    return add_citations(text, FOUND, {"d": ALDER}).text


def test_a_sentence_is_given_the_passage_that_says_it():
    assert cited("Alder's revenue was 41 million dollars.") == "Alder's revenue was 41 million dollars [1]."


def test_each_sentence_of_a_line_is_given_its_own():
    said = "Revenue was 41 million dollars. Debt fell to 12 million dollars."
    assert cited(said) == "Revenue was 41 million dollars [1]. Debt fell to 12 million dollars [2]."


def test_a_sentence_with_a_number_that_no_passage_holds_stays_bare():
    assert cited("Revenue was 43 million dollars.") == "Revenue was 43 million dollars."


def test_a_sentence_in_other_words_stays_bare():
    assert cited("Customers queued for 41 hours.") == "Customers queued for 41 hours."


def test_a_short_sentence_without_a_number_stays_bare():
    assert cited("Revenue grew.") == "Revenue grew."


def test_what_the_model_cited_stays_as_it_is():
    assert cited("Revenue was 41 million dollars [2].") == "Revenue was 41 million dollars [2]."


def test_it_counts_what_it_added_and_keeps_lines_and_tables():
    text = "Alder:\n\n- Revenue was 41 million dollars\n\n| Revenue | 41 |"
    found = add_citations(text, FOUND, {"d": ALDER})
    assert found.text == "Alder:\n\n- Revenue was 41 million dollars [1]\n\n| Revenue | 41 |"
    assert found.added == 1
