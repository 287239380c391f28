from datetime import date

import pytest

from rag.ingest.period import find_fiscal_year, find_issued, find_period_end


@pytest.mark.parametrize(
    ("kind", "text", "end"),
    [
        ("10-K", "For the fiscal year ended December 31, 2022", date(2022, 12, 31)),
        ("10-K", "For the fiscal year endedDecember 31, 2022", date(2022, 12, 31)),
        ("10-K", "FOR THE FISCAL YEAR ENDED\nMAY 26, 2019", date(2019, 5, 26)),
        ("10-Q", "For the quarterly period ended July 29, 2023", date(2023, 7, 29)),
        ("8-K", "Date of report (Date of earliest event reported):\nAugust 30, 2023", date(2023, 8, 30)),
        ("annual report", "For the year ended 31 March 2022", date(2022, 3, 31)),
        ("annual report", "ANNUAL REPORT 30 JUNE 2022", date(2022, 6, 30)),
        ("annual report", "the 52 weeks ended 3 February 2024", date(2024, 2, 3)),
        ("annual report", "For the year ended 31 June 2022", None),
        ("other", "nothing", None),
    ],
)
def test_reads_the_last_day(kind, text, end):
    assert find_period_end(kind, text, text) == end


def test_a_retailers_january_belongs_to_the_year_before_unless_it_says_otherwise():
    end = date(2023, 1, 28)
    assert find_fiscal_year("10-K", end, "", "") == 2022
    assert find_fiscal_year("10-K", end, "", "Fiscal 2022 ended January 28, 2023.") == 2022
    assert find_fiscal_year("10-K", end, "", "In fiscal 2023 ended January 28, 2023, sales fell.") == 2023
    assert find_fiscal_year("10-K", end, "", "fiscal 2023 and fiscal 2022; fiscal 2023 sales fell") == 2023


def test_the_definition_counts_more_than_mentions():
    text = "Fiscal 2023 is the 52 weeks ended 3 February 2024. Plans for fiscal 2024, fiscal 2024 and fiscal 2024."
    assert find_fiscal_year("annual report", date(2024, 2, 3), "", text) == 2023


def test_a_year_that_ends_on_new_years_day_is_the_one_before():
    assert find_fiscal_year("10-K", date(2023, 1, 1), "", "") == 2022


def test_a_quarter_may_lie_in_a_fiscal_year_ahead_of_the_calendar():
    text = "the second quarter of fiscal 2024 and fiscal 2024 as a whole"
    assert find_fiscal_year("10-Q", date(2023, 7, 29), "", text) == 2024


@pytest.mark.parametrize(
    "start",
    [
        "announced results for fourth-quarter and full year 2022",
        "2022 Fourth-Quarter sales",
        "Q4 2022 results",
        "Fourth Quarter and Fiscal Year 2022",
    ],
)
def test_an_earnings_release_names_its_year(start):
    assert find_fiscal_year("earnings release", None, start, start) == 2022


@pytest.mark.parametrize("start", ["Annual Report 2022", "2022 Annual Report", "Annual Report & Accounts 2022"])
def test_a_title_gives_the_year_where_no_date_stands(start):
    assert find_fiscal_year("annual report", None, start, start) == 2022


def test_a_title_of_two_years_leaves_it_to_the_date():
    start = "Annual Report 2021/22"
    assert find_fiscal_year("annual report", date(2022, 3, 31), start, start) == 2022


def test_nothing_is_made_up():
    assert find_fiscal_year("other", None, "Net sales rose.", "Net sales rose.") is None


@pytest.mark.parametrize(
    ("start", "issued"),
    [
        ("Elmham, N.J. (January 24, 2023) – Elm today announced", date(2023, 1, 24)),
        ("ELMHAM, 9 November 2022 /PRNewswire/ -- Elm today reported", date(2022, 11, 9)),
        ("May 2, 2023\nElm reports results", date(2023, 5, 2)),
        ("Results for the quarter ended March 31, 2023\nMay 2, 2023\n", date(2023, 5, 2)),
        ("Results as of March 31, 2023", None),
        ("The call on May 3, 2023 is open to all", None),
    ],
)
def test_a_release_is_dated_at_its_head(start, issued):
    assert find_issued("earnings release", start) == issued
    assert find_issued("10-K", start) is None
