from dataclasses import replace
from datetime import date

import pytest

from rag.search.days import asked_days, not_of_day, of_days
from tests.search.cards import report

MAY = report("Elm", 2022, "8-K", period_end="2022-05-20")
AUGUST = replace(report("Elm", 2022, "8-K", period_end="2022-08-30"), id="August")
RELEASE = replace(report("Elm", 2022, "earnings release"), id="release")
RELEASE = replace(RELEASE, card=replace(RELEASE.card, issued="2023-01-24"))
QUARTER = report("Elm", 2022, "10-Q", period_end="2022-06-30")
ANNUAL = report("Elm", 2022, period_end="2022-12-31")
ALL = (MAY, AUGUST, RELEASE, QUARTER, ANNUAL)


def borne(question):
    return of_days(ALL, asked_days(question))


@pytest.mark.parametrize(
    "written", ["14 March 2022", "March 14, 2022", "March 14 2022", "Mar. 14, 2022", "14th of March 2022", "2022-03-14"]
)
def test_a_day_in_its_spellings(written):
    (days,) = asked_days(f"the 8-K of {written}?")
    assert (days.text, days.first, days.last) == (written, date(2022, 3, 14), date(2022, 3, 14))


@pytest.mark.parametrize("written", ["February 2024", "Feb 2024", "February of 2024", "February, 2024"])
def test_a_month_is_all_of_its_days(written):
    (days,) = asked_days(f"What was announced in {written}?")
    assert (days.first, days.last, days.is_day) == (date(2024, 2, 1), date(2024, 2, 29), False)


@pytest.mark.parametrize("text", ["31 June 2022", "2022-13-40", "fiscal 2022", "may rise in 2022", "Market 2022"])
def test_what_is_no_day_is_none(text):
    assert asked_days(text) == ()


def test_a_day_names_the_report_of_that_day():
    assert borne("the 8-K of May 20, 2022") == ([MAY], True)
    assert borne("announced on January 24, 2023") == ([RELEASE], True)
    assert borne("the quarter ended June 30, 2022") == ([QUARTER], True)


def test_a_month_names_the_reports_of_its_days():
    assert borne("What was announced in August 2022?") == ([AUGUST], False)
    assert borne("What was announced in July 2022?") == ([], False)


def test_a_day_counts_more_than_a_month():
    assert borne("In August 2022, was what was said on 20 May 2022 true?") == ([MAY], True)


def test_an_8k_is_filed_a_few_days_after_its_event():
    assert borne("the 8-K filed on May 25, 2022") == ([MAY], True)
    assert borne("the 8-K filed on June 25, 2022").documents == []


def test_a_years_end_alone_names_no_event():
    assert borne("total assets at December 31, 2022").documents == []


def test_an_8k_of_another_day_is_said():
    said = not_of_day([MAY, AUGUST], "What does Elm's 8-K of 14 March 2022 say?", "Elm")
    assert said == "The library holds Elm’s 8-K of 2022-05-20 and 8-K of 2022-08-30, not of 14 March 2022."


@pytest.mark.parametrize(
    "question", ["the 8-K of 20 May 2022", "Which sites did the 8-K close by 14 March 2022?", "the 8-K of 2022"]
)
def test_nothing_is_missed_where_the_day_is_there_or_is_not_the_reports(question):
    assert not_of_day([MAY], question, "Elm") == ""


def test_nothing_is_missed_where_a_report_does_not_tell_its_day():
    assert not_of_day([MAY, report("Elm", 2022, "8-K")], "the 8-K of 14 March 2022", "Elm") == ""
