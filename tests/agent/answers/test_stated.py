import pytest

from rag.agent.answers.stated import read_stated, spoken
from rag.agent.figures import Reading
from rag.agent.tools import use_tool
from rag.search.question import read_question
from tests.agent.shelf import passage, step


def read(shelf, question):
    """(Report, figure, year, value as shown) of all that is stated, None where it is not."""
    run = shelf.state(question)
    asked = read_question(question, without=run.scope.names)
    run.take(step(use_tool("search_documents", {"queries": list(asked.queries)}, run)))
    return [
        (s.document.card.company, s.name, s.year, s.readings[0].shown if s.readings else None)
        for s in read_stated(run, asked)
    ]


def test_by_figure_then_report_then_year(three):
    assert read(three, "What were revenue and goodwill of Alder and Birch in 2023 and 2022?") == [
        ("Alder", "revenue", 2023, "12,450"),
        ("Alder", "revenue", 2022, "11,900"),
        ("Birch", "revenue", 2023, "$7 million"),
        ("Birch", "revenue", 2022, None),  # its sentence speaks of its own year
        ("Alder", "goodwill", 2023, None),
        ("Alder", "goodwill", 2022, None),
        ("Birch", "goodwill", 2023, None),
        ("Birch", "goodwill", 2022, None),
    ]


def test_without_a_year_it_is_the_reports_own(three):
    assert read(three, "What was Alder's revenue?") == [("Alder", "revenue", None, "12,450")]


def test_a_figure_that_no_list_knows_goes_by_its_own_words(three):
    assert read(three, "What was the hatchery tonnage of Alder?") == [("Alder", "hatchery tonnage", None, "412")]


def test_a_year_that_a_report_cannot_state_is_not_read_from_it(shelf):
    for year in (2022, 2023):
        text = f"Elm annual report {year}\n\n{year} {year - 1}\nGoodwill {year - 2000} {year - 2001}\n"
        shelf.company("Elm", text, year, file=f"elm{year}.txt")
    assert read(shelf, "What was Elm's goodwill in 2022 and 2023?") == [
        ("Elm", "goodwill", 2022, "22"),
        ("Elm", "goodwill", 2023, "23"),
    ]


@pytest.mark.parametrize(
    "shown, unit, text",
    [
        ("12", "", "12"),
        ("12", "million", "12 million"),
        ("$12 million", "million", "$12 million"),
        ("4.5", "%", "4.5%"),
        ("4.5%", "%", "4.5%"),
        ("1.25", "per share", "1.25 per share"),
    ],
)
def test_a_value_is_spoken_with_its_unit_once(shown, unit, text):
    assert spoken(Reading(passage("x"), "x", shown, 1.0, unit, "", "", 1.0, True)) == text
