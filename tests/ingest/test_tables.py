import pytest

from rag.ingest.tables import head_above

PROSE = "We borrow to build hives. The face value of our debt is as follows (in millions):"
HEAD = "As of December 31,\n2022 2021"
ROWS = ["Notes due 2024 1,000 1,100", "Notes due 2025 2,000 2,100", "Notes due 2026 (3) — 300", "Total $ 3,000 $ 3,500"]
LEAD = "The face value of our debt is as follows (in millions):"


def head(text, row):
    return head_above(text, text.index(row))


def page(*lines):
    return "\n".join(lines)


def test_a_row_knows_the_sentence_and_the_columns_that_head_its_table():
    text = page(PROSE, HEAD, *ROWS)
    assert head(text, ROWS[1]) == f"{LEAD}\n{HEAD}"
    assert head(text, ROWS[3]) == f"{LEAD}\n{HEAD}"


def test_the_first_row_of_a_table_and_prose_go_on_with_none():
    text = page(PROSE, HEAD, *ROWS, "Interest was paid twice in the year.")
    assert head(text, ROWS[0]) == ""
    assert head(text, "Interest was") == ""
    assert head_above(text, 0) == ""


@pytest.mark.parametrize("label", ["Canada", "Notes in yen:", "Outstanding at December 31, 2022"])
def test_a_label_within_a_table_is_no_head(label):
    assert head(page(PROSE, HEAD, ROWS[0], label, *ROWS[1:]), ROWS[2]) == f"{LEAD}\n{HEAD}"


def test_of_two_tables_the_nearer_head_counts():
    text = page(PROSE, HEAD, *ROWS, "Leases", "(in thousands) 2020 2019", "Land 4,000 4,100", "Barns 5,000 5,100")
    assert head(text, "Barns") == "Leases\n(in thousands) 2020 2019"


def test_a_table_at_the_top_of_a_page_has_what_stands_above_it():
    assert head(page("Hive costs", "2022 2021", *ROWS), ROWS[1]) == "Hive costs\n2022 2021"


def test_a_sentence_without_a_colon_that_leads_to_the_table_belongs_to_it():
    lead = "The following table shows our debt at the end of the year."
    assert head(page(f"We borrow. {lead}", HEAD, *ROWS), ROWS[1]) == f"{lead}\n{HEAD}"
    assert head(page("We borrow to build hives of wood and wire.", HEAD, *ROWS), ROWS[1]) == HEAD


def test_a_footnote_below_the_table_is_no_row():
    text = page(PROSE, HEAD, *ROWS, "(1) Of these 40 notes are held by the bank since 2021")
    assert head(text, "(1) Of") == ""
