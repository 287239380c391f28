"""A theme and a figure of which no list in the code has ever heard, over reports of which one is silent."""

from rag.search.vocabulary import vocabulary

THEME = "Which of these reports mention pollinator decline as a risk, and what do they say about it?"
FIGURE = "Compare the hatchery tonnage of these reports"


def rows(trace):
    """The rows of the answer's table, as lists of cells."""
    lines = [line for line in trace.answer.text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def cited(trace):
    return {citation.mark: (citation.file, citation.passage.page) for citation in trace.answer.citations}


def test_no_list_has_heard_of_them():
    for text in ("pollinator decline", "hatchery tonnage"):
        assert (vocabulary().figure(text), vocabulary().theme(text)) == (None, None)


def test_a_theme_is_found_where_it_stands_and_the_silent_report_is_named(three):
    trace = three.ask(THEME)
    text = trace.answer.text
    assert text.startswith("Two of three reports speak of pollinator decline [1][2].")
    assert "- **Alder annual report 2023**: Pollinator decline could cut our almond harvest by a third. [1]" in text
    assert (
        "- **Birch annual report 2023**: The decline of pollinators such as wild bees may raise the price of hives. [2]"
        in text
    )
    assert text.endswith("Silent on it: Cedar annual report 2023.")
    assert cited(trace) == {1: ("alder.md", 1), 2: ("birch.md", 1)}
    assert [row.state for row in trace.coverage] == ["cited", "cited", "nothing_found"]
    assert trace.status == "answered"


def test_a_figure_is_read_from_row_and_sentence_and_the_silent_report_is_named(three):
    trace = three.ask(FIGURE)
    assert trace.answer.text.startswith("Two of three reports state hatchery tonnage [1][2].")
    alder, birch, cedar = rows(trace)
    assert alder[:3] == ["Alder annual report 2023", "Hatchery tonnage", "412 [1]"]
    assert birch[0] == "Birch annual report 2023" and birch[1].startswith("in a sentence") and birch[2] == "2,051 [2]"
    assert cedar[0] == "Cedar annual report 2023" and cedar[1].endswith("not stated in the passages found")
    assert alder[4] == birch[4] == "2023"
    assert cited(trace) == {1: ("alder.md", 1), 2: ("birch.md", 1)}
    assert [row.state for row in trace.coverage] == ["cited", "cited", "nothing_found"]


def test_every_sentence_of_both_answers_is_carried_by_what_it_cites(three):
    for question in (THEME, FIGURE):
        assert [check for check in three.ask(question).answer.checks if not check.supported] == []
