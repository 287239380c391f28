"""A figure read from passages: which row, which column, which unit."""

from dataclasses import replace

import pytest

from rag.agent.denomination import denomination_of
from rag.agent.figures import Wanted, read_figure
from rag.search.vocabulary import vocabulary
from rag.types import Hit
from tests.agent.shelf import Book
from tests.search.cards import report

ALDER = report("Alder", 2022, period_end="2022-12-31")
RETAILER = report("Birch", 2022, period_end="2023-01-28")  # its fiscal 2022 ended in January 2023


def all_readings(book, topic, *, year=None, rarest=None):
    wanted = Wanted(topic, vocabulary().figure(topic), rarest)
    return read_figure(
        book.document, [Hit(p, 0.8) for p in book.read], wanted, book, denomination_of(book.document, book), year=year
    )


def read(text, topic, *, document=ALDER, year=None, statement=None, rarest=None):
    """The best reading of a page that is one passage; None: there is none."""
    readings = all_readings(Book(document, text, statement=statement), topic, year=year, rarest=rarest)
    return readings[0] if readings else None


SHEET = """Consolidated balance sheets
(in millions)
2022 2021
Inventories 5,100 4,900
Other current assets 90 80
Total current assets 9,200 8,800
"""


def test_the_row_the_year_the_unit_and_the_value_in_plain_units():
    found = read(SHEET, "inventories", statement="balance")
    assert (found.label, found.shown, found.period, found.unit) == ("Inventories", "5,100", "2022", "million")
    assert found.value == 5_100 * 1e6
    assert found.is_row


@pytest.mark.parametrize(
    "heads",
    ["2022 2021", "2022\n2021", "December 31, 2022 December 31, 2021", "Year ended December 31,\n2022 2021"],
)
def test_the_column_of_the_year_where_years_fall(heads):
    assert read(f"{heads}\nInventories 5,100 4,900", "inventories", year=2022).shown == "5,100"
    assert read(f"{heads}\nInventories 5,100 4,900", "inventories", year=2021).shown == "4,900"


def test_the_column_of_the_year_where_years_rise():
    text = "2020 2021 2022\nInventories 4,700 4,900 5,100"
    assert [read(text, "inventories", year=year).shown for year in (2020, 2021, 2022)] == ["4,700", "4,900", "5,100"]


def test_without_a_year_it_is_the_documents_own():
    assert read("2021 2022\nInventories 4,900 5,100", "inventories").shown == "5,100"


def test_a_column_is_named_by_the_date_of_its_end_where_the_fiscal_year_ends_in_january():
    text = "January 28, 2023 January 29, 2022\nInventories 5,100 4,900"
    assert read(text, "inventories", document=RETAILER).shown == "5,100"
    assert read(text, "inventories", document=RETAILER, year=2021).shown == "4,900"


def test_a_fiscal_year_by_its_own_number_is_found_in_a_retailers_report():
    assert read("2022 2021\nInventories 5,100 4,900", "inventories", document=RETAILER, year=2022).shown == "5,100"


def test_the_first_column_where_no_year_heads_it():
    found = read("Inventories 5,100 4,900", "inventories")
    assert (found.shown, found.period) == ("5,100", "")


@pytest.mark.parametrize(
    "said, unit, factor",
    [
        ("(in millions)", "million", 1e6),
        ("(dollars in thousands)", "thousand", 1e3),
        ("(Amounts in billions)", "billion", 1e9),
        ("US$'000", "thousand", 1e3),
        ("€m", "million", 1e6),
        ("GBP million", "million", 1e6),
        ("", "", 1),
    ],
)
def test_the_unit_that_the_page_states(said, unit, factor):
    found = read(f"{said}\n2022 2021\nInventories 5,100 4,900", "inventories")
    assert (found.unit, found.value) == (unit, 5_100 * factor)


def test_a_number_of_a_note_is_no_value():
    found = read("Note 2022 2021\nInventories 14 5,100 4,900", "inventories")
    assert (found.shown, found.period) == ("5,100", "2022")


def test_a_figure_per_share_is_not_scaled():
    text = "(in millions, except per share)\n2022 2021\nEarnings per share\nDiluted 1.25 0.98\nNet income 310 290"
    found = read(text, "diluted EPS", statement="income")
    assert (found.shown, found.value, found.unit) == ("1.25", 1.25, "per share")


def test_the_first_row_under_a_heading_that_names_the_figure():
    text = "2022 2021\nDiluted earnings per share\nContinuing operations 1.25 0.98"
    found = read(text, "diluted EPS", statement="income")
    assert (found.label, found.value) == ("Diluted earnings per share: Continuing operations", 1.25)


def test_brackets_are_negative_and_stay_as_printed():
    text = "(in thousands)\n2022 2021\nOperating loss (2,345) 612"
    found = read(text, "operating income", statement="income")
    assert (found.shown, found.value) == ("(2,345)", -2_345_000)


def test_an_outflow_of_the_cash_flow_statement_is_given_without_its_sign():
    text = "(in thousands)\n2022 2021\nDividends paid (88) (80)"
    assert read(text, "dividends paid", statement="cash flow").value == 88_000


def test_a_dash_is_no_value():
    assert read("2022 2021\nDividends paid — (88)", "dividends paid", statement="cash flow") is None
    assert read("2022 2021\nDividends paid — (88)", "dividends paid", year=2021).value == 88


def test_other_lines_of_like_names_are_not_read():
    assert read(SHEET, "total current assets", statement="balance").shown == "9,200"
    assert read("2022 2021\nOther current assets 90 80", "total current assets", statement="balance") is None


def test_the_right_statement_wins_over_other_pages():
    book = Book(ALDER, "2022 2021\nInventories 77 66", SHEET)
    book.read = (book.read[0], replace(book.read[1], statement="balance"))
    assert [reading.shown for reading in all_readings(book, "inventories")] == ["5,100", "77"]


def test_a_balance_sheet_line_is_not_read_from_the_cash_flow_statement():
    assert read("2022 2021\nInventories (77) (66)", "inventories", statement="cash flow") is None


def test_a_row_outside_its_statement_says_where_it_stands():
    book = Book(ALDER, "2022 2021\nInventories 77 66", headings=("Note 4",))
    assert all_readings(book, "inventories")[0].label == "Inventories (under “Note 4”)"


def test_a_rate_is_read_from_rows_in_per_cent_alone():
    text = "2022 2021\nEffective tax rate 21.5% 19.0%"
    found = read(text, "effective tax rate")
    assert (found.shown, found.unit, found.value) == ("21.5", "%", 21.5)
    assert read("2022 2021\nGoodwill 21.5% 19.0%", "goodwill") is None


def test_a_sentence_without_a_year_speaks_of_the_reports_own():
    text = "Research and development expense was $50 million in the year."
    assert read(text, "research and development", year=2022).value == 50e6
    assert read(text, "research and development", year=2021) is None


def test_a_sentence_is_read_where_no_row_is_certain():
    found = read("Research spending in 2022 was $50 million.", "research and development")
    assert (found.value, found.is_row, found.unit, found.currency) == (50e6, False, "million", "USD")
    assert found.label == "Research spending in 2022 was $50 million."


# Figures of which no list has heard


def test_an_unheard_figure_is_found_by_the_words_of_its_row():
    text = "(in thousands)\n2022 2021\nHatchery tonnage 12.5 11.9\nHatchery staff 45 44"
    found = read(text, "hatchery tonnage")
    assert (found.label, found.shown, found.period) == ("Hatchery tonnage", "12.5", "2022")


def test_a_row_without_the_rarest_word_is_another_one():
    text = "2022 2021\nHatchery staff 45 44"
    assert read(text, "hatchery staff level", rarest="level") is None
    assert read(text, "hatchery staff level", rarest="hatcheri").shown == "45"


def test_things_are_counted_by_the_number_before_them_or_else_after():
    found = read("We run 186 stores in 12 countries.", "stores")
    assert (found.value, found.unit, found.currency) == (186, "", "")
    assert read("Headcount at year end was 12,450.", "headcount").value == 12_450


def test_a_text_that_does_not_state_it_gives_nothing():
    assert read("The board met in Leeds twice.", "hatchery tonnage") is None
    assert read("", "inventories") is None
    assert all_readings(Book(ALDER), "inventories") == []


def test_a_row_of_dashes_or_of_shares_is_not_an_unheard_amount():
    assert read("2022 2021\nHatchery tonnage — —", "hatchery tonnage") is None
    assert read("2022 2021\nHatchery tonnage 12.5% 11.9%", "hatchery tonnage") is None
    assert read("2022 2021\nHatchery tonnage 12.5% 11.9%", "hatchery tonnage growth").shown == "12.5"


def test_a_statements_second_page_has_the_heads_of_its_first():
    first = "Balance Sheets\n(in thousands)\n2021 2022\nCash 1,100 1,250\n"
    book = Book(ALDER, first, "Total assets 8,400 9,000\n", statement="balance")
    (reading,) = all_readings(book, "total assets", year=2022)
    assert (reading.shown, reading.value, reading.period) == ("9,000", 9_000_000, "2022")
