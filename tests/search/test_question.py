import pytest

from rag.search.question import read_question, strip_instructions

NAMES = ("Verizon", "Nike", "3M", "FY2022", "2022")


def asked(question):
    return read_question(question, without=NAMES)


@pytest.mark.parametrize(
    "question, intent",
    [
        ("What are the common risk factors across these annual reports, and do any of them overlap?", "common themes"),
        ("What are the main risks?", "common themes"),
        ("Which themes do the reports share?", "common themes"),
        ("Which reports mention Brexit?", "theme"),
        ("What do they say about pollinator decline?", "theme"),
        ("Is PFAS an issue for Nike?", "theme"),
        ("Compare the capital expenditures of Verizon, Nike and 3M.", "figure"),
        ("What was 3M's revenue in FY2022?", "figure"),
        ("Which report has the highest hatchery tonnage?", "figure"),
        ("Which report has fewer stores?", "figure"),
        ("How many employees does Nike have?", "figure"),
        ("Summarise Nike's report", "summary"),
        ("Give me an overview of the reports.", "summary"),
        ("Who chairs the board of Nike?", "fact"),
        ("", "fact"),
        ("???", "fact"),
    ],
)
def test_the_intent(question, intent):
    assert asked(question).intent == intent


@pytest.mark.parametrize(
    "question, topic",
    [
        ("Compare the capital expenditures of Verizon, Nike and 3M.", "capital expenditures"),
        ("Compare R&D across these reports", "R&D"),
        ("Compare the number of employees between Nike and 3M", "employees"),
        ("How many employees does Nike have?", "employees"),
        ("What is the hatchery tonnage of each report?", "hatchery tonnage"),
        ("Which company had the largest year-end inventories?", "year-end inventories"),
        ("Which of these reports mention climate change, and what do they say about it?", "climate change"),
        ("Which reports discuss tariffs or trade restrictions?", "tariffs or trade restrictions"),
        ("What does Nike say about its pollinator decline?", "pollinator decline"),
        ("Who chairs the board of Nike in 2022?", "chairs board"),
        ("???", ""),
    ],
)
def test_the_topic_is_without_names_years_and_the_frame_of_the_question(question, topic):
    assert asked(question).topic == topic


def test_a_known_figure_or_theme_comes_with_the_topic():
    assert asked("Compare capex of Nike and 3M").figure.name == "capital expenditures"
    assert asked("Which mention climate change?").theme.name == "climate change"
    assert asked("Compare hatchery tonnage of Nike and 3M").figure is None
    assert asked("Which mention pollinator decline?").theme is None


@pytest.mark.parametrize("tail", ["as a risk", "as a risk factor", "as an emerging threat", "as a risk to their sales"])
def test_as_a_risk_is_how_it_is_asked_and_no_topic(tail):
    question = asked(f"Which reports mention pollinator decline {tail}?")
    assert (question.topic, question.as_risk, question.query) == (
        "pollinator decline",
        True,
        "pollinator decline risk",
    )


def test_without_as_a_risk_the_query_is_the_topic():
    question = asked("Which reports mention pollinator decline?")
    assert (question.as_risk, question.query) == (False, "pollinator decline")


@pytest.mark.parametrize(
    "question",
    [
        "What was capex? Answer in USD millions.",
        "What was capex? Please state your answer in percent.",
        "What was capex? Round to two decimals.",
        "Round your answer to two decimals. What was capex?",
        "Assume that you are an equities analyst. What was capex?",
        "Answer the following question by using the cash flow statement: What was capex?",
        "What was capex (in USD millions)?",
        "What was capex? If it is not stated, say so.",
    ],
)
def test_instructions_on_how_to_answer_are_not_searched_for(question):
    assert strip_instructions(question).rstrip("? ") == "What was capex"
    assert asked(question).topic == "capex"


def test_a_question_of_instructions_alone_is_kept():
    assert strip_instructions("Round to two decimals.") == "Round to two decimals."
    assert strip_instructions("") == ""
