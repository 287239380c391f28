from dataclasses import replace

from streamlit.testing.v1 import AppTest

from pages.components.coverage import grouped, ledger_badges
from rag.types import CoverageRow, CoverageState
from tests.pages.reading import shown
from tests.runs import run


def row(name: str, state: CoverageState) -> CoverageRow:
    return CoverageRow(name.lower(), f"{name}.pdf", name, state, 1, 0.5, 1, 1)


def test_reports_that_are_not_cited_are_named_where_they_are_few():
    badges = ledger_badges([row("Alder", "cited"), row("Elm", "nothing_found")])
    assert "1 of 2 reports cited" in badges
    assert r"Elm\: nothing found]" in badges
    assert "documents?document=elm" in badges


def test_many_are_counted():
    badges = ledger_badges([row(f"R{n}", "not_searched") for n in range(7)])
    assert "7 not searched" in badges
    assert "R3" not in badges


def test_no_scope_no_badges():
    assert ledger_badges(()) == ""


def test_reports_of_which_the_same_is_said_share_an_item_where_they_are_many():
    lines = [*(f"R{n}: the single search did not touch it." for n in range(5)), "Elm: no document bears this name."]
    many, one = grouped(lines)
    assert many.startswith("- **5 reports**: the single search did not touch it")
    assert "R0, R1, R2, R3, R4" in many.replace("\\", "")
    assert one == r"- Elm\: no document bears this name\."


def test_few_keep_an_item_each():
    assert len(grouped(["R1: not searched.", "R2: not searched.", "The evidence is weak."])) == 3


def test_many_silent_reports_are_named_in_one_item():
    def page(trace):
        from pages.components.coverage import draw_not_covered

        draw_not_covered(trace)

    rows = tuple(row(f"R{n}", "nothing_found") for n in range(5))
    said = tuple(f"{each.title}: nothing found on this in {n} searches." for n, each in enumerate(rows, 2))
    trace = replace(run(), coverage=rows, answer=replace(run().answer, not_covered=said, not_in_library=("Cedar",)))
    text = shown(AppTest.from_function(page, args=(trace,)).run())
    assert "**Not covered**\n\n- “Cedar” is not in the library." in text
    assert "**Silent**\n\n- **5 reports** searched, nothing found on this  \n:small[R0, R1, R2, R3, R4]" in text
