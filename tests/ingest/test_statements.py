from rag.ingest.statements import find_statements, table_head

INCOME = """Alder Group
Consolidated Statement s of Operations
(in millions, except per share data) 2023 2022
Net sales $ 1,204 $ 1,100
Cost of sales 800 750
Gross profit 404 350
Selling, general and administrative expenses 200 190
Operating income 204 160
Income before income taxes 190 150
Net income $ 150 $ 120
Diluted earnings per share $ 1.40 $ 1.03"""
BALANCE = """Consolidated Balance Sheets
Cash and cash equivalents 21 16
Accounts receivable 24 22
Inventories 38 36
Total current assets 88 78
Goodwill 14 14
Total assets $ 216 $ 202
Accounts payable 22 21
Total liabilities 100 100
Total equity 116 102"""
CASH = """Consolidated Statements of Cash Flows
Net income 150 120
Depreciation 40 38
Net cash provided by operating activities 190 158
Purchases of equipment (60) (50)
Net cash used in investing activities (60) (50)
Dividends paid (30) (28)
Net cash used in financing activities (30) (28)
Cash at end of year 121 21"""
LETTER = """Report of Independent Registered Public Accounting Firm
We have audited the accompanying consolidated balance sheets
of Alder Group as of December 31, 2023 and 2022."""
CONTENTS = """Index to financial statements
Consolidated Statements of Operations 50
Consolidated Balance Sheets 51
Consolidated Statements of Cash Flows 52
Notes to Consolidated Financial Statements 53"""
NOTES = """Notes to Consolidated Financial Statements
Note 1. Accounting policies
The consolidated balance sheets include all subsidiaries."""


def found(pages, *texts):
    return find_statements(pages(*texts))


def test_each_statement_is_found_by_its_title_and_rows(pages):
    assert found(pages, CONTENTS, LETTER, INCOME, BALANCE, CASH, NOTES) == (
        None, None, "income", "balance", "cash flow", None,
    )  # fmt: skip


def test_ifrs_titles_are_known(pages):
    profit = INCOME.replace("Statement s of Operations", "statement of profit or loss")
    position = BALANCE.replace("Balance Sheets", "statement of financial position")
    assert found(pages, profit, position) == ("income", "balance")


def test_one_statement_of_profit_and_comprehensive_income_is_an_income_statement(pages):
    both = INCOME.replace("Statement s of Operations", "statement of comprehensive income")
    assert found(pages, both) == ("income",)


def test_comprehensive_income_alone_is_its_own_statement(pages):
    rows = "Net income 150 120\nTranslation 3 4\nUnrealized gains 2 1\nPension 1 1\nComprehensive income 156 126"
    assert found(pages, INCOME, f"Consolidated Statements of Comprehensive Income\n{rows}") == (
        "income", "comprehensive income",
    )  # fmt: skip


def test_a_second_half_continues_the_first(pages):
    lines = BALANCE.split("\n")
    rest = "\n".join(f"{line}" for line in lines[1:])
    assert found(pages, INCOME, BALANCE, rest) == ("income", "balance", "balance")


def test_a_statement_whose_title_is_a_picture_is_told_by_its_rows(pages):
    assert found(pages, INCOME, "\n".join(CASH.split("\n")[1:])) == ("income", "cash flow")


def test_the_parents_own_figures_far_behind_are_not_the_statements(pages):
    assert found(pages, INCOME, BALANCE, CASH, *[NOTES] * 9, BALANCE)[-1] is None


def test_a_report_without_statements_has_none(pages):
    assert found(pages, NOTES, LETTER) == (None, None)


def test_on_an_estimated_page_a_statement_may_begin_anywhere(pages):
    late = "\n".join(["A line of text that says nothing."] * 20) + "\n" + INCOME
    assert find_statements(pages(late)) == (None,)
    assert find_statements(pages(late), estimated=True) == ("income",)


def test_the_head_of_a_table_is_what_stands_above_its_first_amounts():
    page = "Consolidated Balance Sheets\n(in millions)\n2023 2022\nCash 1,250 1,100\nTotal assets 9,000 8,400\n"
    assert table_head(page) == "Consolidated Balance Sheets\n(in millions)\n2023 2022"


def test_a_page_without_amounts_has_no_table_head():
    assert table_head("We sell castings.\nWe have two plants.\n") == ""
