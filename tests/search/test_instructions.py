import pytest

from rag.search.instructions import Form, asked_form, named_statements, strip_instructions


@pytest.mark.parametrize(
    "question",
    [
        "What was capex? Answer in USD millions.",
        "What was capex? Please state your answer in percent.",
        "What was capex? Round to two decimals.",
        "Round your answer to two decimals. What was capex?",
        "Assume that you are an equities analyst. What was capex?",
        "Answer the following question by using the cash flow statement: What was capex?",
        "We need to compute a metric. What was capex?",
        "What was capex (in USD millions)?",
        "What was capex (rounded to the nearest thousand)?",
        "What was capex, rounded to one decimal place?",
        "What was capex to the nearest tenth of a percent?",
        "What was capex with two decimals?",
        "Round it to the nearest million. What was capex?",
        "What was capex? If it is not stated, say so.",
        "What was capex? Capex is defined as what is spent on plant.",
    ],
)
def test_instructions_and_definitions_are_left_out(question):
    assert strip_instructions(question).rstrip("? ") == "What was capex"


def test_what_leads_up_to_the_question_is_left_out():
    assert strip_instructions("According to the balance sheet, how much was it?") == "how much was it?"


@pytest.mark.parametrize(
    "question", ["Round to two decimals.", "Compare capex of Nike and 3M.", "dividends", "", "???"]
)
def test_a_question_that_is_nothing_else_is_kept(question):
    assert strip_instructions(question) == question


def test_abbreviations_in_a_question_end_no_sentence():
    question = "What did Alder Inc. earn in the U.S. market?"
    assert strip_instructions(question) == question


def test_the_statements_that_a_question_names():
    assert named_statements("From the balance sheet and the P&L statement: what was it?") == ("balance", "income")
    assert named_statements("Look at the statement of cash flows") == ("cash flow",)
    assert named_statements("What was it?") == ()


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("Round to two decimals.", Form("", 2)),
        ("Round your answer to 1 decimal place.", Form("", 1)),
        ("Answer in USD millions, without decimals.", Form("million", 0)),
        ("To the nearest tenth of a percent.", Form("", 1)),
        ("To the nearest cent.", Form("", 2)),
        ("To the nearest 0.01.", Form("", 2)),
        ("To the nearest whole number.", Form("", 0)),
        ("To the nearest hundred.", Form("", -2)),
        ("To the nearest thousand.", Form("thousand", 0)),
        ("In USD millions, to the nearest thousand.", Form("million", 3)),
        ("In USD thousands, to the nearest $1 million.", Form("thousand", -3)),
        ("Where is the nearest store?", Form("", None)),
    ],
)
def test_the_scale_and_the_decimals_asked_for(said, form):
    assert asked_form(said) == form
