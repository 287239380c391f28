from dataclasses import replace

import pytest

from rag.search.scope import find_scope
from tests.search.cards import report

VERIZON = report("Verizon Communications", 2022)
PFIZER_21, PFIZER_23 = report("Pfizer", 2021), report("Pfizer", 2023)
PFIZER_Q2 = report("Pfizer", 2023, "10-Q")
BEST_BUY = report("Best Buy", 2022, period_end="2023-01-28")  # its fiscal 2022 ended in January 2023
NIKE = report("Nike", 2019)
LIBRARY = (VERIZON, PFIZER_21, PFIZER_23, PFIZER_Q2, BEST_BUY, NIKE)
EVERYTHING = [document.id for document in LIBRARY]


def scope(question, library=LIBRARY):
    return find_scope(question, library)


def documents(question):
    return list(scope(question).documents)


@pytest.mark.parametrize(
    "written",
    ["FY22", "FY2022", "FY 2022", "FY'22", "fiscal 2022", "fiscal year 2022", "2022", "Fiscal Year 2022", "CY2022"],
)
def test_a_year_in_all_its_spellings(written):
    assert scope(f"What was Verizon's revenue in {written}?").years == (2022,)


def test_a_quarter_names_its_year_and_means_the_quarterly_report():
    assert scope("Pfizer revenue in Q2 2023").years == (2023,)
    assert documents("Pfizer revenue in Q2 2023") == [PFIZER_Q2.id]
    assert documents("Pfizer's second quarter of 2023") == [PFIZER_Q2.id]


@pytest.mark.parametrize("text", ["It paid 20,221 people", "Form 2022A", "12022", "about 450 stores"])
def test_other_numbers_are_no_years(text):
    assert scope(text).years == ()


def test_a_year_right_after_a_name_is_of_that_name_alone():
    question = "Compare Pfizer (fiscal 2021) and Nike (fiscal 2019)"
    assert documents(question) == [PFIZER_21.id, NIKE.id]
    assert documents("Compare Nike's 2019 report with Pfizer 2021") == [PFIZER_21.id, NIKE.id]
    assert scope(question).gaps == ()


def test_a_retailers_fiscal_year_is_its_own_count():
    assert documents("Best Buy in fiscal 2022") == [BEST_BUY.id]
    assert scope("Best Buy in fiscal 2022").gaps == ()


def test_a_name_without_a_year_means_every_report_of_it():
    assert documents("What does Pfizer sell?") == [PFIZER_21.id, PFIZER_23.id, PFIZER_Q2.id]


def test_the_kind_of_report_chooses_where_it_is_named():
    assert documents("Pfizer's 10-Q for 2023") == [PFIZER_Q2.id]
    assert documents("Pfizer's 10K for 2023") == [PFIZER_23.id]
    assert documents("What does Pfizer's annual report for 2023 say?") == [PFIZER_23.id]
    assert documents("What does Verizon's 8-K say?") == [VERIZON.id]  # there is none, so what there is


def test_a_later_report_stands_in_for_a_year_that_is_missing():
    """A report states the two years before its own, too."""
    assert documents("Pfizer in fiscal 2020") == [PFIZER_21.id]
    assert scope("Pfizer in fiscal 2020").gaps == ()


def test_a_year_that_no_report_covers_is_a_gap():
    found = scope("What was Verizon's revenue in 2024?")
    assert found.documents == ()
    assert found.gaps == ("The library holds Verizon’s report for 2022, not 2024.",)
    assert scope("Pfizer in 2025").gaps == ("The library holds Pfizer’s report for 2021 and 2023, not 2025.",)


def test_a_report_of_unknown_year_may_hold_any():
    unknown = report("Elm", None)
    assert scope("Elm in 2020", (unknown,)) == scope("Elm in 2020", (unknown,))
    assert scope("Elm in 2020", (unknown,)).documents == (unknown.id,)
    assert scope("Elm in 2020", (unknown,)).gaps == ()


@pytest.mark.parametrize("question", ["What are the common risks?", "Which of them mention Brexit?", "", "???"])
def test_a_question_that_names_nothing_is_about_the_whole_selection(question):
    assert documents(question) == EVERYTHING
    assert scope(question).absent == ()


def test_a_year_without_a_name_means_its_reports():
    assert documents("Which annual reports for 2022 mention Brexit?") == [VERIZON.id, BEST_BUY.id]
    assert documents("What happened in 1999?") == EVERYTHING


def test_a_name_that_nothing_bears_is_said_and_nothing_is_guessed():
    found = scope("What was Tesla's revenue?")
    assert (found.documents, found.absent) == ((), ("Tesla",))
    found = scope("Compare the revenue of Verizon and Tesla")
    assert (found.documents, found.absent) == ((VERIZON.id,), ("Tesla",))


def test_the_names_are_the_words_that_are_no_topic():
    assert scope("Compare Verizon's and Tesla's revenue in FY22").names == ("Verizon", "Tesla", "FY22")


def test_only_the_selection_can_be_in_scope():
    assert scope("What does Pfizer sell?", (VERIZON, PFIZER_21)).documents == (PFIZER_21.id,)
    assert scope("What does Nike sell?", (VERIZON, PFIZER_21)).absent == ("Nike",)
    assert scope("What does Nike sell?", ()).documents == ()


def test_the_reason_says_what_was_understood():
    assert scope("Verizon's debt").reason == "The question names Verizon: 1 of 6 documents."
    assert scope("Which are common risks?").reason == (
        "The question names no document, so all of the selection is in scope: 6 of 6 documents."
    )
    assert scope("Tesla's debt").reason == (
        "Nothing in the library is about what the question names. No document bears the name Tesla."
    )
    assert scope("Verizon's and Tesla's debt").reason == (
        "The question names Verizon: 1 of 6 documents. No document bears the name Tesla."
    )
    assert scope("Risks in the 2022 reports").reason == (
        "The question names no company, but a year or kind of report: 2 of 6 documents."
    )


ELM_MAY = report("Elm", 2022, "8-K", period_end="2022-05-20")
ELM_AUGUST = replace(report("Elm", 2022, "8-K", period_end="2022-08-30"), id="Elm 8-K August")
ELM_2022 = report("Elm", 2022, period_end="2022-12-31")
ELM_RELEASE = report("Elm", 2022, "earnings release")
ELM_RELEASE = replace(ELM_RELEASE, card=replace(ELM_RELEASE.card, issued="2023-01-24"))
ELM = (ELM_MAY, ELM_AUGUST, ELM_2022, ELM_RELEASE, NIKE)


def test_a_day_means_the_report_of_that_day():
    assert scope("What does Elm's 8-K of 20 May 2022 say?", ELM).documents == (ELM_MAY.id,)
    assert scope("What did Elm announce on August 30, 2022?", ELM).documents == (ELM_AUGUST.id,)
    assert scope("What was reported on 20 May 2022?", ELM).documents == (ELM_MAY.id,)


def test_a_day_is_not_of_the_fiscal_year_that_it_lies_in():
    found = scope("What did Elm announce on January 24, 2023?", ELM)
    assert (found.documents, found.gaps) == ((ELM_RELEASE.id,), ())


def test_a_month_leaves_out_the_8ks_of_others_and_keeps_the_report_of_the_year():
    found = scope("What did Elm report in August 2022?", ELM)
    assert found.documents == (ELM_AUGUST.id, ELM_2022.id)
    assert scope("What does Elm's 8-K of August 2022 say?", ELM).documents == (ELM_AUGUST.id,)


def test_the_day_of_a_report_is_no_word_to_look_for():
    assert "dated August 30, 2022" in scope("Who joined Elm in the 8-K dated August 30, 2022?", ELM).names
    assert "as announced on January 24, 2023" in scope("Elm's sales as announced on January 24, 2023", ELM).names
    assert "January 24, 2023" not in scope("Nike's sales on January 24, 2023", ELM).names


def test_an_8k_of_a_day_that_is_not_there_is_a_gap():
    found = scope("What does Elm's 8-K of 14 March 2022 say?", ELM[:2])
    assert found.documents == ()
    assert found.gaps == ("The library holds Elm’s 8-K of 2022-05-20 and 8-K of 2022-08-30, not of 14 March 2022.",)


def test_a_years_end_means_the_annual_report_as_before():
    assert scope("Elm's total assets at December 31, 2022", ELM[:3]).documents == tuple(d.id for d in ELM[:3])
    assert scope("Elm's 10-K on what happened on May 20, 2022", ELM).documents == (ELM_2022.id,)
