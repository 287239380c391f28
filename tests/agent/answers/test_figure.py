"""Figures over reports: the table, its order, and what a single report's value is."""

from pathlib import Path

import pytest

ODD = Path(__file__).parents[2] / "data" / "odd"


@pytest.fixture
def spenders(shelf):
    """Three reports that say one figure in three ways; the first speaks of research sixty times before it states it."""
    notes = "\n".join(
        f"Research note {n}: research spending is central to Alder. Research spending supports product line {n}."
        for n in range(60)
    )
    shelf.add("alder.txt", f"Alder Group report 2023\n{notes}\nResearch spending in 2023 was 50 million.\n")
    shelf.add("birch.txt", "Birch Optics report 2023\nR&D expense for the year: 31 million.\n")
    shelf.add("cedar.txt", "Cedar Mills report 2023\nDevelopment costs charged to income were 9 million.\n")
    return shelf


QUESTION = "Compare research and development spending of Alder, Birch and Cedar"


def table(trace):
    lines = [line for line in trace.answer.text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def values(trace):
    """File -> value as shown, each cited to its own file."""
    files = {citation.mark: citation.file for citation in trace.answer.citations}
    shown = [row[2].rpartition(" [") for row in table(trace)]
    return {files[int(mark.rstrip("]").split("][")[0])]: value for value, _, mark in shown}


def test_no_report_crowds_another_out(spenders):
    trace = spenders.ask(QUESTION)
    assert values(trace) == {"alder.txt": "50 million", "birch.txt": "31 million", "cedar.txt": "9 million"}
    assert trace.status == "answered"


def test_where_all_are_stated_they_are_put_in_order(spenders):
    last = spenders.ask(QUESTION).answer.text.splitlines()[-1]
    assert last.startswith("From the highest to the lowest: ")
    assert last.index("50 million") < last.index("31 million") < last.index("9 million")


def test_a_fourth_name_that_no_report_bears_makes_it_partial(spenders):
    trace = spenders.ask("Compare research and development spending of Alder, Birch, Damson and Cedar")
    assert values(trace) == {"alder.txt": "50 million", "birch.txt": "31 million", "cedar.txt": "9 million"}
    assert (trace.status, trace.answer.not_in_library) == ("partial", ("Damson",))


@pytest.mark.parametrize(
    ("how", "given", "value"),
    [
        ("Round to two decimals.", "As asked for: 12,450.00 thousand [1].", 12_450_000),
        ("Answer in millions with one decimal.", "As asked for: 12.5 million [1].", 12_500_000),
        ("Answer in millions.", "As asked for: 12.45 million [1].", 12_450_000),
        ("To the nearest thousand.", "", 12_450_000),
    ],
)
def test_the_value_has_the_scale_and_the_decimals_asked_for(three, how, given, value):
    answer = three.ask(f"What was Alder's revenue? {how}").answer
    assert answer.value == value
    assert given in answer.text and ("As asked for" in answer.text) == bool(given)


def test_each_of_several_values_has_the_scale_and_the_decimals_asked_for(spenders):
    text = spenders.ask(f"{QUESTION}. Answer in thousands without decimals.").answer.text
    given = next(line for line in text.splitlines() if line.startswith("As asked for: "))
    assert all(f"{value} thousand [" in given for value in ("50,000", "31,000", "9,000"))


def test_one_report_has_a_value_of_its_own(three):
    trace = three.ask("What was Alder's revenue?")
    assert trace.answer.value == 12_450_000
    assert trace.answer.text.startswith("Alder annual report 2023 states revenue of 12,450 thousand for 2023 [1].")
    assert three.ask("Compare the revenue of Alder and Birch").answer.value is None


def test_the_year_that_is_asked_for(three):
    assert three.ask("What was Alder's revenue in 2022?").answer.value == 11_900_000


def test_reports_in_several_currencies_are_not_put_in_order(shelf):
    for name, sign in (("Elm", "$"), ("Fir", "€")):
        shelf.company(name, f"{name} annual report 2023\n\nNet sales were {sign}7 million in 2023, all told.")
    text = shelf.ask("Compare the net sales of Elm and Fir").answer.text
    assert "Not put in order, since the reports state it in EUR and USD [" in text
    assert "highest" not in text


def test_a_figure_that_no_report_states_is_said_with_what_they_say_of_it(shelf):
    shelf.company("Elm", "Elm annual report 2023\n\nOur goodwill among bee keepers is great and we thank them all.")
    trace = shelf.ask("What was Elm's goodwill?")
    assert "Our goodwill among bee keepers is great" in trace.answer.text
    assert "|" not in trace.answer.text
    assert trace.answer.value is None


# Ratios and several figures


@pytest.fixture
def accounts(shelf):
    """Two reports; only the first states all lines of a gross margin."""
    shelf.company("Elm", "Elm annual report 2023\n\n(in thousands)\n2023 2022\nRevenue 400 300\nGross profit 100 90\n")
    shelf.company("Fir", "Fir annual report 2023\n\n(in thousands)\n2023 2022\nRevenue 200 100\n")
    return shelf


def test_a_ratio_is_computed_from_lines_that_are_cited(accounts):
    trace = accounts.ask("What was Elm's gross margin in 2023?")
    (line,) = [line for line in trace.answer.text.splitlines() if "computed" in line]
    assert line == (
        "Elm 10-K 2023: gross margin for 2023 is 25.0%, computed as gross profit / revenue from "
        "gross profit 100 thousand [1] and revenue 400 thousand [1]."
    )
    assert trace.status == "answered"


def test_a_ratio_without_all_its_lines_is_not_computed(accounts):
    trace = accounts.ask("What was Fir's gross margin in 2023?")
    assert "Gross margin cannot be computed: no report in scope states all of its lines." in trace.answer.text
    assert "Gross profit is not stated in the passages found." in trace.answer.text
    assert trace.status == "not_found"


def test_a_ratio_of_more_than_its_lines_is_not_computed(accounts):
    text = accounts.ask("What was Elm's EBITDA margin?").answer.text
    assert "EBITDA is made of these lines; it needs more than these, so it is not computed." in text


def test_a_ratio_takes_the_mean_of_two_years_and_gives_its_value(shelf):
    rows = "(in thousands)\n2023 2022\nNet income 100 40\nTotal assets 1,200 800\n"
    shelf.company("Oak", f"Oak annual report 2023\n\n{rows}")
    trace = shelf.ask("What was the return on assets of Oak in 2023?")
    assert trace.answer.value == pytest.approx(10.0)  # 100 / ((1,200 + 800) / 2), in per cent
    assert "computed as net income / average total assets" in trace.answer.text


def test_several_figures_have_a_row_each(accounts):
    trace = accounts.ask("What were Elm's revenue and gross profit in 2023?")
    assert [row[1:3] for row in table(trace)] == [["Revenue", "400 [1]"], ["Gross profit", "100 [1]"]]
    assert trace.answer.value is None


def test_a_comparison_of_what_is_not_all_there_says_so(accounts):
    trace = accounts.ask("Which has the higher gross profit, Elm or Fir?")
    assert "The comparison cannot be made: not all that it names is stated in this library." in trace.answer.text
    assert "Elm 10-K 2023" in trace.answer.text


# Files that broke other tools


@pytest.fixture
def statement(shelf):
    """A statement of cash flows with losses in brackets, and "$" in some rows only."""
    shelf.add("cedar.pdf", (ODD / "negatives_table.pdf").read_bytes())
    return shelf


def test_brackets_stay_and_the_column_is_the_years(statement):
    trace = statement.ask("What were the dividends paid in 2022?")
    (row,) = table(trace)
    assert (row[2], row[4]) == ("(88) [1]", "2022")
    assert trace.answer.value == 88_000  # in thousands; what was paid out is given without its sign


@pytest.mark.parametrize("year, shown, value", [(2023, "(2,345)", -2_345_000), (2022, "612", 612_000)])
def test_a_line_that_no_list_knows_keeps_its_sign(statement, year, shown, value):
    trace = statement.ask(f"What was the change in inventory in {year}?")
    (row,) = table(trace)
    assert (row[1], row[2], row[4]) == ("Change in inventory", f"{shown} [1]", str(year))
    assert trace.answer.value == value


def test_numbers_in_prose_with_thousands_brackets_and_hyphens(shelf):
    shelf.add(
        "numbers.txt",
        "Headcount at year end was 12,450.\nThe 10-K and IFRS-16 notes list order RX-2041.\n"
        "Loss before tax: (1,234.5) thousand.\nOther sites employ 12 people and 450 seasonal staff.\n",
    )
    assert shelf.ask("What was the headcount at year end?").answer.value == 12_450
    assert shelf.ask("What was the loss before tax?").answer.value == -1_234_500


def test_what_frames_a_question_is_not_lost_from_a_figures_name(shelf):
    rows = "(in thousands)\n2023 2022\nOther assets 7 6\nTotal assets 1,200 800\n"
    shelf.company("Oak", f"Oak annual report 2023\n\n{rows}")
    assert shelf.ask("What were the total assets of Oak in 2023?").answer.value == 1_200_000


def test_a_year_that_stands_by_one_name_is_not_asked_of_another(shelf):
    for name in ("Oak", "Yew"):
        shelf.company(name, f"{name} annual report 2023\n\n(in thousands)\n2023 2022\nRevenue 400 300\n")
    rows = [
        line for line in shelf.ask("Revenue of Oak 2022 and Yew 2023").answer.text.splitlines() if "Revenue |" in line
    ]
    assert [("300" in row, "400" in row) for row in rows] == [(True, False), (False, True)]


def test_a_number_in_brackets_of_a_report_is_no_mark_of_ours(shelf):
    shelf.company("Oak", "Oak annual report 2023\n\nWe face cyber attacks [2] every day, as our auditor noted [17].")
    trace = shelf.ask("Which of these reports discuss cyber attacks as a risk?")
    assert "cyber attacks (2) every day, as our auditor noted (17)." in trace.answer.text
    assert not [said for said in trace.answer.not_covered if "mark" in said]
