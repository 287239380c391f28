import pytest

from rag.search.question import read_question

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
        ("Compare Nike and 3M on climate change", "theme"),
        ("List the risks of Nike", "common themes"),
        ("Which risks are mentioned in these reports?", "common themes"),
        ("Compare Nike with Verizon", "summary"),
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
    assert [figure.name for figure in asked("Compare capex of Nike and 3M").figures] == ["capital expenditures"]
    assert asked("Which mention climate change?").theme.name == "climate change"
    assert asked("Compare hatchery tonnage of Nike and 3M").figures == ()
    assert asked("Which mention pollinator decline?").theme is None


@pytest.mark.parametrize("tail", ["as a risk", "as a risk factor", "as an emerging threat", "as a risk to their sales"])
def test_as_a_risk_is_how_it_is_asked_and_no_topic(tail):
    question = asked(f"Which reports mention pollinator decline {tail}?")
    assert (question.topic, question.as_risk) == ("pollinator decline", True)
    assert question.queries == ("pollinator decline risk",)


def test_without_as_a_risk_the_query_is_the_topic():
    question = asked("Which reports mention pollinator decline?")
    assert (question.as_risk, question.queries) == (False, ("pollinator decline",))


def test_a_question_of_several_figures_searches_for_each():
    question = asked("What were inventories and goodwill of Nike?")
    assert [line.name for line in question.lines] == ["inventories", "goodwill"]
    assert question.queries == ("inventories", "goodwill", question.topic)


def test_what_moved_a_figure_is_looked_for_in_prose_first():
    question = asked("What drove gross profit at Nike?")
    assert question.intent == "fact" and question.why
    assert question.queries == (question.topic, "gross profit")


@pytest.mark.parametrize(
    "how", ["Answer in USD millions.", "Round to two decimals.", "Assume that you are an analyst."]
)
def test_how_to_answer_is_no_topic(how):
    assert asked(f"What was capex? {how}").topic == asked(f"{how} What was capex?").topic == "capex"
