"""A figure read from passages: which row, which column, which unit."""

import pytest

from rag.agent.figures import column_years, currency, read_figure
from rag.search.vocabulary import vocabulary
from rag.types import Hit, Page, Passage
from tests.agent.shelf import passage
from tests.search.cards import report

ALDER = report("Alder", 2022, period_end="2022-12-31")
RETAILER = report("Birch", 2022, period_end="2023-01-28")  # its fiscal 2022 ended in January 2023


def read(text, topic, *, document=ALDER, year=None, statement=None):
    """The best reading of a page that is one passage; None: there is none."""
    figure = vocabulary().figure(topic)
    hit = Hit(passage(text, document=document.id, statement=statement), 0.8)
    page = Page(1, "1", text)
    readings = read_figure(document, [hit], topic, figure, lambda number: page, year=year)
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


def test_heads_of_the_nearest_table_count():
    text = "2019 2018\nGoodwill 9 8\n\n2022 2021\nInventories 5,100 4,900"
    at = text.index("Inventories")
    assert column_years(text, at, 2) == ["2022", "2021"]
    assert column_years(text, text.index("Goodwill"), 2) == ["2019", "2018"]
    assert column_years("No year here.\nGoodwill 9 8", 14, 2) == []


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


@pytest.mark.parametrize(
    "text, code",
    [
        ("(€ in millions)", "EUR"),
        ("US$ million", "USD"),
        ("in millions of dollars", "USD"),
        ("£m", "GBP"),
        ("CHF million", "CHF"),
        ("C$ million", "CAD"),
        ("million", ""),
    ],
)
def test_the_currency_that_the_page_names(text, code):
    assert currency(text, len(text)) == code


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


def test_the_right_statement_wins_over_a_note():
    figure = vocabulary().figure("inventories")
    note = Hit(passage("2022 2021\nInventories 77 66", document=ALDER.id, page=2), 0.9)
    sheet = Hit(passage(SHEET, 1, document=ALDER.id, statement="balance"), 0.5)
    pages = {1: Page(1, "1", SHEET), 2: Page(2, "2", note.passage.text)}
    readings = read_figure(ALDER, [note, sheet], "inventories", figure, pages.__getitem__)
    assert [reading.shown for reading in readings] == ["5,100", "77"]


# Prose


@pytest.mark.parametrize(
    "sentence, value",
    [
        ("Research spending in 2022 was 50 million.", 50e6),
        ("R&D expense for the year: 31 million.", 31e6),
        ("Research and development expense was $1.2 billion in all.", 1.2e9),
        ("Research and development spending was $ 12,450 last year.", 12450),
    ],
)
def test_a_sentence_that_states_it(sentence, value):
    found = read(sentence, "research and development spending")
    assert (found.value, found.is_row, found.label) == (value, False, sentence)


def test_the_amount_nearest_to_the_year():
    sentence = "Net sales were $119.6 billion in 2021 and $117.2 billion in 2022."
    assert read(sentence, "net sales", year=2021).shown == "$119.6 billion"
    assert read(sentence, "net sales", year=2022).shown == "$117.2 billion"


def test_a_bracketed_loss_in_a_sentence_is_negative():
    found = read("The loss before tax: (1,234.5) thousand in all.", "loss tax")
    assert (found.value, found.shown) == (-1_234_500, "(1,234.5) thousand")


def test_a_share_is_read_where_a_rate_is_asked_for_and_an_amount_where_not():
    text = "The vacancy level was 4.5% or 12 million of rent."
    assert read(text, "vacancy rate level").shown == "4.5%"
    assert read(text, "vacancy level").shown == "12 million"


def test_years_are_no_amounts():
    assert read("Research and development spending began in 2019 and goes on.", "R&D") is None


# Figures of which no list has heard


def test_an_unheard_figure_is_found_by_the_words_of_its_row():
    text = "(in thousands)\n2022 2021\nHatchery tonnage 12.5 11.9\nHatchery staff 45 44"
    found = read(text, "hatchery tonnage")
    assert (found.label, found.shown, found.period) == ("Hatchery tonnage", "12.5", "2022")


def test_things_are_counted_by_the_number_before_them():
    found = read("We run 186 stores in 12 countries.", "stores")
    assert (found.value, found.unit, found.currency) == (186, "", "")


def test_a_text_that_does_not_state_it_gives_nothing():
    assert read("The board met in Leeds twice.", "hatchery tonnage") is None
    assert read("", "inventories") is None


def test_the_passages_are_those_that_were_given():
    assert isinstance(read(SHEET, "inventories").passage, Passage)
