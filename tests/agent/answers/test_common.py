import pytest

from rag.agent.answers.common import search_for

QUESTION = "What are the common risk factors mentioned across these annual reports, and do any of them overlap?"


@pytest.fixture
def trace(three):
    return three.ask(QUESTION)


def cells(trace):
    """Theme -> marks of each report."""
    lines = [line for line in trace.answer.text.splitlines() if line.startswith("|")]
    return {row[0]: row[1:] for row in ([c.strip() for c in line.strip("|").split("|")] for line in lines)}


def test_shared_themes_are_counted(trace):
    assert trace.answer.text.startswith("Two themes recur in more than one of the three reports, and none in all [")


def test_the_table_has_a_column_for_each_report_and_a_dash_where_it_is_silent(trace):
    table = cells(trace)
    assert table["Theme"] == [f"{name} annual report 2023" for name in ("Alder", "Birch", "Cedar")]
    assert [cell == "—" for cell in table["Climate change"]] == [False, False, True]
    assert [cell == "—" for cell in table["Pollinator decline"]] == [False, False, True]  # no list knows this theme
    assert [cell == "—" for cell in table["Competition"]] == [True, True, False]


def test_each_cell_cites_a_passage_of_its_report(trace):
    files = {citation.mark: citation.file for citation in trace.answer.citations}
    for theme, marks in cells(trace).items():
        for file, cell in zip(("alder.md", "birch.md", "cedar.md"), marks, strict=True):
            if cell.startswith("["):
                assert {files[int(mark)] for mark in cell.strip("[]").split("][")} == {file}, theme


def test_each_shared_theme_is_quoted_and_says_whom_it_misses(trace):
    assert "**Climate change** (not in Cedar annual report 2023) [" in trace.answer.text
    assert (
        "- Birch annual report 2023: Climate change may flood our hatcheries beside the river. [" in trace.answer.text
    )
    assert "**Competition**" not in trace.answer.text  # of one report alone


def test_all_reports_are_cited_and_all_sentences_carried(trace):
    assert [row.state for row in trace.coverage] == ["cited"] * 3
    assert [check for check in trace.answer.checks if not check.supported] == []


def test_of_many_reports_the_table_counts(shelf):
    names = ("Ash", "Elm", "Fir", "Hazel", "Larch", "Oak", "Yew")
    for name in names:
        shelf.company(name, f"# Risk factors\n\nIntense competition may lower prices of {name}.", file=f"{name}.md")
    table = cells(shelf.ask(QUESTION))
    assert table["Theme"] == ["Reports", "Where"]
    assert table["Competition"][0] == "7 of 7"
    assert table["Competition"][1].count("[") == 7


def test_of_one_report_its_themes_stand_out(shelf):
    shelf.add("elm.md", "# Elm annual report 2023\n\n## Risk factors\n\nIntense competition may lower our prices.\n")
    text = shelf.ask(QUESTION).answer.text
    assert text.startswith("One theme stands out in the report [1].")
    assert "**Competition** (all reports) [1]" in text


def test_reports_that_share_nothing_say_so(shelf):
    shelf.add("elm.md", "# Elm annual report 2023\n\n## Risk factors\n\nAsbestos was used in our oldest mill.\n")
    shelf.add("fir.md", "# Fir annual report 2023\n\n## Risk factors\n\nIntense competition may lower our prices.\n")
    assert shelf.ask(QUESTION).answer.text.startswith("No theme is shared by several of the reports in scope.")


def test_a_search_is_found_by_its_query(three):
    run = three.state(QUESTION)
    assert search_for(run, "climate change risk") is None
