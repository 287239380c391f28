import pytest

from rag.agent.answers.form import decimals_of, in_form
from rag.search.instructions import Form


@pytest.mark.parametrize(
    ("value", "unit", "form", "text"),
    [
        (1_577e6, "million", Form("", 2), "1,577.00 million"),
        (1_577.44e6, "million", Form("", 1), "1,577.4 million"),
        (1_577e6, "million", Form("billion", 1), "1.6 billion"),
        (1_577e6, "million", Form("thousand", -3), "1,577,000 thousand"),
        (1_577_440.0, "", Form("", -3), "1,577,000"),
        (23.45, "%", Form("million", 1), "23.5%"),
        (1.335, "per share", Form("thousand", 2), "1.34 per share"),
        (-1_125e6, "million", Form("", None), "-1,125.0 million"),
    ],
)
def test_a_number_is_written_as_asked_for(value, unit, form, text):
    assert in_form(value, unit, form, usual=1).text == text


def test_the_value_is_rounded_where_decimals_are_asked_for_alone():
    assert in_form(1_577.44e6, "million", Form("million", 1), usual=2).value == pytest.approx(1_577.4e6)
    assert in_form(1_577.44e6, "million", Form("billion", None), usual=2).value == 1_577.44e6


@pytest.mark.parametrize(("printed", "decimals"), [("(1,125)", 0), ("1.25", 2), ("$5.2 million", 1)])
def test_how_many_decimals_are_printed(printed, decimals):
    assert decimals_of(printed) == decimals
