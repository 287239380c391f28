from dataclasses import replace

from rag.ingest.headings import find_headings, follow
from rag.ingest.reading import Heading, Reading

PROSE = "We depend on a small number of suppliers for parts that few others are able to make for us."


def titles(pages, *texts, bold=()):
    reading = Reading(pages(*texts), bold=frozenset(bold))
    return [heading.title for heading in find_headings(reading, guess=True)]


def test_parts_items_and_notes_are_headings(pages):
    text = f"PART I\nItem 1A. Risk Factors\n{PROSE}\nNote 4. Income Taxes\n{PROSE}"
    assert titles(pages, text) == ["PART I", "Item 1A. Risk Factors", "Note 4. Income Taxes"]


def test_a_table_of_contents_is_none(pages):
    assert (
        titles(pages, "PART I 4\nItem 1. Business 4\nItem 1A. Risk Factors . . . . . 9\nNotes to the accounts 60") == []
    )


def test_lines_in_capitals_and_in_title_case_are_headings(pages):
    text = f"SUPERVISION AND REGULATION\n{PROSE}\nCapital and Liquidity\n{PROSE}"
    assert titles(pages, text) == ["SUPERVISION AND REGULATION", "Capital and Liquidity"]


def test_prose_rows_and_figures_are_none(pages):
    assert titles(pages, f"{PROSE}\nTotal Assets 1,204 1,100\nNet Sales $ 88\nA sentence ends here.\n{PROSE}") == []


def test_a_bold_sentence_is_a_heading_and_comes_whole_where_it_is_wrapped(pages):
    first = "Our insurance coverage may be inadequate to cover all of the significant"
    text = f"{PROSE}\n{first}\nrisk exposures.\n{PROSE}"
    start = len(PROSE) + 1
    bold = [(1, start), (1, start + len(first) + 1)]
    assert titles(pages, text, bold=bold) == [f"{first} risk exposures."]


def test_two_bold_titles_are_two_headings(pages):
    text = f"Risks Related to Labor\nWork may stop.\n{PROSE}"
    assert titles(pages, text, bold=[(1, 0), (1, 23)]) == ["Risks Related to Labor", "Work may stop."]


def test_the_head_of_a_table_is_bold_and_no_heading(pages):
    assert titles(pages, "Description of Use\nLeased 12 14\nOwned 3 4", bold=[(1, 0)]) == []


def test_a_line_that_runs_over_many_pages_is_none(pages):
    page = f"ALDER GROUP REPORT\n{PROSE}\nALDER GROUP 12"
    assert titles(pages, *[page] * 4) == []


def test_on_a_statement_its_title_is_a_heading_and_its_bold_rows_are_none(pages):
    rows = "LIABILITIES AND EQUITY\nAccounts payable 22 21\nTotal assets 216 202"
    page = replace(pages(f"Alder Group\nConsolidated Balance Sheets\n{rows}")[0], statement="balance")
    reading = Reading((page,), bold=frozenset({(1, 0), (1, 12), (1, 40)}))
    assert [heading.title for heading in find_headings(reading, guess=True)] == ["Consolidated Balance Sheets"]


def test_formats_that_mark_their_headings_are_believed(pages):
    marked = (Heading(1, 0, 5, 1, "Alder"),)
    assert find_headings(Reading(pages(f"Alder\nPART I\n{PROSE}"), headings=marked), guess=False) == marked


def test_the_trail_ends_what_stood_at_the_same_level():
    def heading(level, title):
        return Heading(1, 0, 0, level, title)

    trail = ()
    for level, title in [(1, "Part I"), (2, "Item 1"), (5, "General"), (5, "Patents"), (2, "Item 2")]:
        trail = follow(trail, heading(level, title))
    assert [above.title for above in trail] == ["Part I", "Item 2"]
