import pytest

from rag.search.rows import label_fit, label_stems, rows, section_fit, word_fit


def only(text):
    (row,) = rows(text)
    return row


def read(text):
    """Label and values of each row."""
    return [(row.label, row.values) for row in rows(text)]


@pytest.mark.parametrize(
    "line, label, values",
    [
        ("Net sales 12,450 11,900", "Net sales", (12450, 11900)),
        ("Net sales $ 12,450 $ 11,900", "Net sales", (12450, 11900)),
        ("Change in inventory (2,345) 612", "Change in inventory", (-2345, 612)),
        ("Change in inventory $ (2,345 ) $ 612", "Change in inventory", (-2345, 612)),
        ("Loss before tax: (1,234.5)", "Loss before tax", (-1234.5,)),
        ("In thousands: Loss before tax (1,234.5)", "Loss before tax", (-1234.5,)),
        ("Goodwill — 88", "Goodwill", (None, 88)),
        ("Goodwill 88 –", "Goodwill", (88, None)),
        ("Revenue ......... 41 39", "Revenue", (41, 39)),
        ("Diluted earnings per share $ 1.25 $ 0.98", "Diluted earnings per share", (1.25, 0.98)),
        ("Inventories (Notes 1 and 3) 5,100 4,900", "Inventories", (5100, 4900)),
        ("Inventories (see note 4) 5,100 4,900", "Inventories", (5100, 4900)),
        ("Inventories Note 7 5,100 4,900", "Inventories", (5100, 4900)),
        ("Sales (a) 5,100 4,900", "Sales", (5100, 4900)),
        ("Employees | 1,250 | 1,190", "Employees", (1250, 1190)),
    ],
)
def test_a_label_followed_by_its_numbers(line, label, values):
    assert read(line) == [(label, values)]


def test_values_are_kept_as_printed_too():
    assert only("Change in inventory $ (2,345) 612 —").printed == ("(2,345)", "612", "—")


def test_a_share_in_per_cent_is_told():
    assert only("Effective tax rate 21.5% 19%").percent
    assert only("Effective tax rate 21.5% 19%").values == (21.5, 19)
    assert not only("Income taxes 21.5 19").percent


@pytest.mark.parametrize(
    "text",
    [
        "December 31, 2022 2021",  # the head of a table
        "Year ended 2022",
        "In 2022 we opened 12 stores in three countries.",
        "12,450 11,900",  # no label
        "Item 7. Management's discussion",
        "See page 12 of the report for more.",
        "Total — —",
        "",
    ],
)
def test_what_is_no_row(text):
    assert read(text) == []


def test_a_label_may_begin_on_the_line_before():
    assert read("Purchases of property,\nplant and equipment (1,125) (980)") == [
        ("Purchases of property, plant and equipment", (-1125, -980))
    ]
    assert read("Total revenues\n12,450 11,900") == [("Total revenues", (12450, 11900))]


def test_a_new_label_does_not_take_the_line_before():
    assert read("Current assets\nInventories 5,100 4,900") == [("Inventories", (5100, 4900))]


def test_two_rows_may_share_a_line():
    assert read("Inventories 5,100 4,900 Goodwill 88 77") == [("Inventories", (5100, 4900)), ("Goodwill", (88, 77))]


def test_spans_are_exact():
    text = "Balance sheet\nInventories 5,100 4,900\nGoodwill 88 77\n"
    assert [text[row.start : row.end] for row in rows(text)] == ["Inventories 5,100 4,900", "Goodwill 88 77"]


def test_the_first_row_under_a_line_without_numbers_knows_it():
    basic, diluted = rows("Earnings per share\nBasic 1.30 1.01\nDiluted 1.25 0.98\n")
    assert (basic.section, diluted.section) == ("Earnings per share", "")


LIABILITIES = ["total current liabilities", "current liabilities"]


def test_the_line_that_is_asked_for_fits_better_than_its_neighbours():
    lines = [
        "Total current liabilities 900 800",
        "Current liabilities, net 900 800",
        "Current liabilities of trading business 900 800",
        "Other current liabilities 90 80",
        "Total liabilities 2,000 1,900",
    ]
    fits = [label_fit(only(line), LIABILITIES) for line in lines]
    assert fits[0] == 1.0
    assert fits == sorted(fits, reverse=True)
    assert fits[3] < 0.4
    assert fits[4] == 0


def test_words_in_another_order_fit_almost():
    assert label_fit(only("Earnings per share, diluted 1.25 0.98"), ["diluted earnings per share"]) == 0.9


def test_words_that_have_lost_their_space_fit():
    assert label_fit(only("Totalassets 12 11"), ["total assets"]) == 1.0


def test_a_short_name_in_a_long_label_fits_little():
    assert label_fit(only("Dividends 88 80"), ["dividends"]) == 1.0
    assert label_fit(only("Proceeds before dividends of subsidiaries 88 80"), ["dividends"]) < 0.4


def test_no_wanted_line_no_fit():
    assert label_fit(only("Dividends 88 80"), []) == 0
    assert section_fit(only("Dividends 88 80"), ["dividends"]) == 0


def test_a_section_fits_its_first_row():
    basic, diluted = rows("Diluted earnings per share\nContinuing operations 1.30 1.01\nDiscontinued 0.10 0.02\n")
    assert section_fit(basic, ["diluted earnings per share"]) == 1.0
    assert section_fit(diluted, ["diluted earnings per share"]) == 0


def test_words_that_tell_lines_apart_are_kept():
    assert label_stems("Other assets, not current") == label_stems("other assets not current")
    assert label_stems("Other assets") != label_stems("The assets")
    assert label_stems("Inventories (Note 3)") == label_stems("Inventories")


def test_a_figure_of_which_no_list_has_heard_is_found_by_its_words():
    wanted = label_stems("hatchery tonnage")
    assert word_fit("Hatchery tonnage", wanted) == 1.0  # 2 of 2 words; 2 of the label's 2
    assert word_fit("Hatchery tonnage, salmon sites", wanted) == 0.75  # 2 of 2; 2 of 4: 0.5 + 0.5 × 2/4
    assert word_fit("Hatchery staff", wanted) == 0.375  # 1 of 2; 1 of 2: 0.5 × (0.5 + 0.5 × 1/2)
    assert word_fit("Hatchery tonnage at beginning of year", wanted) == 0
    assert word_fit("Sales", wanted) == 0
    assert word_fit("Sales", ()) == word_fit("", wanted) == 0


def test_what_was_taken_off_is_no_value():
    row = only("Accounts receivable, net of allowances of $12 and $11 5,100 4,900")
    assert row.values == (5100, 4900)
    assert label_fit(row, ["accounts receivable net"]) == 1.0


def test_years_of_a_head_that_ran_into_the_row_are_kept_apart():
    row = only("2022 2021 Inventories 5,100 4,900")
    assert (row.label, row.values, row.heads) == ("Inventories", (5100, 4900), ("2022", "2021"))
    assert only("Inventories 5,100 4,900").heads == ()


def test_a_minus_sign_makes_a_value_negative():
    assert only("Cash from operations -22,651 612").values == (-22651, 612)
    assert only("Cash from operations -22,651 612").printed == ("-22,651", "612")


def test_the_other_sign_of_a_line_does_not_change_which_it_is():
    assert label_stems("Net cash provided by (used in) operations") == label_stems("Net cash provided by operations")
    assert label_stems("Net income (loss)") == label_stems("Net income")
    assert label_stems("Profit/(loss)") == label_stems("Profit")


def test_a_label_that_names_something_else_besides_is_another_line():
    assert label_fit(only("Total liabilities and equity 9 8"), ["total liabilities"]) < 0.4
