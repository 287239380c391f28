import pytest

from rag.agent.answers.draft import Draft
from rag.agent.answers.stated import Stated
from rag.agent.answers.verdict import say_change, say_order, say_ratio
from rag.agent.figures import Reading
from rag.search.vocabulary import vocabulary
from rag.types import Observation
from tests.agent.shelf import hit, search, step


@pytest.fixture
def draft(three):
    """A draft over a run that has found one passage of each report."""
    run = three.state("revenue")
    hits = [hit("Revenue.", n, document=d.id) for n, d in enumerate(run.documents)]
    run.take(step(Observation("", (search("revenue", run.scope.documents, hits),))))
    return Draft(run)


def stated(draft, report, value, *, name="revenue", year=2023, unit="million", currency="USD", period=None):
    """What the report of this number states."""
    passage = draft.run.evidence[report].passage
    period = str(year) if period is None else period
    reading = Reading(passage, name, f"{value:,}", value * 1e6, unit, period, currency, 1.0, True)
    return Stated(draft.run.documents[report], name, year, [reading])


def test_reports_are_put_in_order_and_the_first_is_given(draft):
    first = say_order(draft, [stated(draft, 0, 7), stated(draft, 1, 12)])
    assert first == draft.run.documents[1]
    assert draft.text == (
        "From the highest to the lowest: Birch annual report 2023 with 12 million [2], "
        "Alder annual report 2023 with 7 million [1]."
    )


def test_where_the_least_is_asked_for_the_order_is_turned_round(draft):
    first = say_order(draft, [stated(draft, 1, 12), stated(draft, 0, 7)], least=True)
    assert first == draft.run.documents[0]
    assert draft.text.startswith("From the lowest to the highest: Alder annual report 2023 with 7 million [1], ")


@pytest.mark.parametrize(
    "other, why",
    [
        ({"currency": "EUR"}, "in EUR and USD"),
        ({"unit": "%"}, "in different units or for different spans of time"),
        ({"period": "three months 2023"}, "in different units or for different spans of time"),
    ],
)
def test_what_cannot_be_compared_is_not_put_in_order(draft, other, why):
    assert say_order(draft, [stated(draft, 0, 7), stated(draft, 1, 12, **other)]) is None
    assert draft.text == f"Not put in order, since the reports state it {why} [1][2]."


def test_one_report_has_no_order(draft):
    assert say_order(draft, [stated(draft, 0, 7), stated(draft, 0, 8, year=2022)]) is None
    assert draft.text == ""


def test_the_change_from_year_to_year(draft):
    say_change(draft, [stated(draft, 0, 12), stated(draft, 0, 10, year=2022), stated(draft, 1, 5)])
    assert draft.text == "Alder annual report 2023: revenue changed by +20.0% from 2022 to 2023 [1]."


def test_a_loss_that_grows_falls(draft):
    say_change(draft, [stated(draft, 0, -10, year=2022), stated(draft, 0, -15)])
    assert "changed by -50.0%" in draft.text


@pytest.mark.parametrize("before", [{"value": 0}, {"value": 10, "unit": "thousand"}])
def test_no_change_from_nothing_or_between_units(draft, before):
    say_change(draft, [stated(draft, 0, before.pop("value"), year=2022, **before), stated(draft, 0, 12)])
    assert draft.text == ""


MARGIN = vocabulary().ratio("gross margin")


def lines_of(draft, report, profit, revenue):
    return [stated(draft, report, profit, name="gross profit"), stated(draft, report, revenue, name="revenue")]


def test_a_ratio_says_how_it_is_computed(draft):
    assert say_ratio(draft, MARGIN, lines_of(draft, 0, 30, 120)) == draft.run.documents[0]
    assert draft.text == (
        "Alder annual report 2023: gross margin for 2023 is 25.0%, computed as gross profit / revenue from "
        "gross profit 30 million [1] and revenue 120 million [1]."
    )
    assert not draft.unanswered


def test_the_report_of_the_highest_ratio_is_given_or_that_of_the_lowest(draft):
    found = [*lines_of(draft, 0, 30, 120), *lines_of(draft, 1, 60, 120)]
    assert say_ratio(draft, MARGIN, found) == draft.run.documents[1]
    assert say_ratio(draft, MARGIN, found, least=True) == draft.run.documents[0]


def test_a_ratio_without_its_lines_leaves_the_question_unanswered(draft):
    assert say_ratio(draft, MARGIN, [stated(draft, 0, 7)]) is None
    assert draft.unanswered
    assert draft.text == "Gross margin cannot be computed: no report in scope states all of its lines."


def test_a_ratio_that_needs_more_than_lines_of_one_report_is_not_computed(draft):
    assert say_ratio(draft, vocabulary().ratio("cash conversion cycle"), [stated(draft, 0, 7)]) is None
    assert "it needs more than these, so it is not computed" in draft.text


def test_all_of_it_is_counted_by_code(draft):
    say_order(draft, [stated(draft, 0, 7), stated(draft, 1, 12)])
    say_ratio(draft, MARGIN, lines_of(draft, 0, 30, 120))
    assert draft.counted == draft.paragraphs


def test_changes_and_ratios_have_the_decimals_asked_for(draft):
    draft.run.question = "By what did it change? Round to the nearest percent."
    say_change(draft, [stated(draft, 0, 12), stated(draft, 0, 10, year=2022)])
    assert "changed by +20% from" in draft.text
    draft.run.question = "What is the net margin? Round to three decimals."
    lines = [stated(draft, 0, 1, name="net income"), stated(draft, 0, 7)]
    say_ratio(draft, vocabulary().ratio("net profit margin"), lines)
    assert "is 14.286%, computed as" in draft.text
    assert draft.value == pytest.approx(14.286)
