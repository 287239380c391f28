import pytest

from rag.agent.columns import WHOLE, asked_span, column_years, find_column, parts_of_year, without_note_number
from rag.search.rows import rows
from tests.search.cards import report

ALDER = report("Alder", 2022, period_end="2022-12-31")
QUARTERLY = report("Alder", 2022, "10-Q")


def heads(text, label="Inventories", columns=2):
    return column_years(text, text.index(label), columns)


def column(text, *, year=2022, document=ALDER, label="Inventories"):
    row = next(row for row in rows(text) if row.label == label)
    return find_column(text, row.start, row, year, document)


@pytest.mark.parametrize(
    "above",
    [
        "2022 2021",
        "2022\n2021",
        "December 31, 2022 December 31, 2021",
        "Years ended December 31,\n2022\n2021",
        "Note 2022 2021",
        "2019 2018\nGoodwill 9,001 8,002\n2022 2021",
        "2022 2021\nGoodwill 9,001 8,002\nCash 77 66",
    ],
)
def test_the_nearest_lines_above_that_name_as_many_years(above):
    assert heads(f"{above}\nInventories 5,100 4,900") == ["2022", "2021"]


def test_years_in_prose_above_are_not_asked_for_more_than_there_are():
    assert heads("No year here.\nInventories 5,100 4,900") == []


def test_a_single_year_above_is_kept_where_no_line_names_as_many():
    assert heads("In 2022\nCash 1,077 1,066\nInventories 5,100 4,900") == ["2022"]
    assert heads("2019\n" + "All is well.\n" * 5 + "2022\nInventories 5,100 4,900") == ["2022"]


def test_heads_too_far_above_are_those_of_another_table():
    assert heads("2022 2021\n" + "All is well.\n" * 200 + "Inventories 5,100 4,900") == []


def test_the_column_and_the_year_that_heads_it():
    text = "2022 2021\nInventories 5,100 4,900"
    assert column(text) == (0, "2022")
    assert column(text, year=2021) == (1, "2021")
    assert column("Inventories 5,100 4,900") == (0, "")  # the first is the report's own year


def test_another_year_that_no_head_names_has_no_column():
    assert column("2022 2021\nInventories 5,100 4,900", year=1999) == (2, "")
    assert column("Inventories 5,100 4,900", year=2021) == (2, "")
    assert column("Inventories 5,100 4,900", year=2021, document=report("Alder", None)) == (0, "")


def test_without_a_year_the_one_in_which_the_report_ends():
    assert column("2021 2022\nInventories 4,900 5,100", year=None) == (1, "2022")
    assert column("2021 2022\nInventories 4,900 5,100", year=None, document=report("Alder", None)) == (0, "2021")


def test_a_fiscal_year_that_ends_in_the_next_is_named_by_its_end():
    retailer = report("Birch", 2022, period_end="2023-01-28")
    assert column("2023 2022\nInventories 5,100 4,900", document=retailer) == (0, "year ended 2023")
    assert column("2023 2022\nInventories 5,100 4,900", year=2021, document=retailer) == (1, "year ended 2022")


def test_a_column_of_a_quarterly_report_names_its_months():
    text = "Three Months Ended June 30,\n2022 2021\nInventories 5,100 4,900"
    assert column(text, document=QUARTERLY) == (0, "three months 2022")
    assert column(text) == (0, "2022")


@pytest.mark.parametrize(
    "above, part",
    [
        ("Three Months Ended", ["three months"]),
        ("Six months ended June 30, Three months ended June 30,", ["six months", "three months"]),
        ("Thirteen Weeks Ended", ["three months"]),
        ("Second quarter", ["second quarter"]),
        ("Twelve months ended", [WHOLE]),
        ("Fifty-two weeks ended", [WHOLE]),
        ("Years ended", []),
    ],
)
def test_the_parts_of_a_year_that_columns_cover(above, part):
    text = f"{above}\n2022 2021\nInventories 5,100 4,900"
    assert parts_of_year(text, text.index("Inventories")) == part


@pytest.mark.parametrize(
    "question, span",
    [
        ("What was revenue in the six months ended July 2, 2023?", "six months"),
        ("What was revenue in Q2 2023?", "three months"),
        ("What was revenue in the second quarter?", "three months"),
        ("What was revenue in 2023?", ""),
    ],
)
def test_the_part_of_a_year_that_a_question_asks_for(question, span):
    assert asked_span(question) == span


def test_the_columns_of_the_part_that_is_asked_for():
    head = "Three Months Ended Six Months Ended\n2023 2022 2023 2022\n"
    text = f"{head}Revenues 12 27 31 53\n"
    row = rows(text)[0]
    quarterly = report("Alder", 2023, "10-Q")
    assert find_column(text, row.start, row, 2023, quarterly, span="six months") == (2, "six months 2023")
    assert find_column(text, row.start, row, 2023, quarterly) == (0, "three months 2023")


@pytest.mark.parametrize(
    "head, line, values",
    [
        ("Note 2022 2021", "Inventories 14 5,100 4,900", (5100, 4900)),
        ("Notes 2022 2021", "Inventories 4.1 5,100 —", (5100, None)),
        ("2022 2021", "Inventories 14 5,100 4,900", (14, 5100, 4900)),  # no column of notes
        ("Note 2022 2021", "Inventories 14 15 16", (14, 15, 16)),  # as small as the rest: a value
    ],
)
def test_the_number_of_a_note_is_no_value(head, line, values):
    text = f"{head}\n{line}"
    (row,) = rows(text)
    assert without_note_number(row, text, row.start).values == values
