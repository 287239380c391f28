"""Which financial statement a page holds or continues."""

import re
from collections.abc import Sequence
from typing import get_args

from rag.types import Page, Statement

# Letters alone, since PDFs break words ("Shee t"): each title in the words of US GAAP and of IFRS. The first that fits
# counts, so that "income and comprehensive income" is looked at last.
_TITLES: dict[Statement, str] = {
    "comprehensive income": r"statements?of(?:consolidated)?(?:other)?comprehensive(?:income|loss|earnings)",
    "cash flow": r"statements?of(?:\w{0,14})cashflows?|cashflows?statements?",
    "equity": r"statements?of(?:\w{0,40})(?:equity|shareowners|shareholders|stockholders|deficit)|statementofchanges",
    "balance": r"balancesheets?|statements?of(?:\w{0,14})(?:financialposition|financialcondition)",
    "income": r"statements?of(?:\w{0,14})(?:income|operations|earnings|profit|loss)|(?:income|profitandloss)statements?"
    r"|profitandlossaccount",
}
_ROWS: dict[Statement, str] = {
    "income": r"net(?:sales|revenues?|income|earnings|loss)|total\w*(?:revenues?|sales|expenses)|^revenues?|^sales"
    r"|costof|grossprofit|operating(?:income|profit|loss)|before\w*tax|incometax|pershare|basic|diluted|interestexpense"
    r"|administrative|(?:profit|loss)fortheyear",
    "comprehensive income": r"comprehensive|translation|unrealized|hedge|pension|netofincometax|netincome|reclassif",
    "balance": r"total(?:non)?(?:current)?(?:assets|liabilities)|cashandcash|inventor|goodwill|retainedearnings"
    r"|receivable|payable|totalequity|propertyplant|deferred|treasury|commonstock|netassets|sharecapital|reserves",
    "cash flow": r"netcash|(?:operating|investing|financing)activities|depreciation|purchasesof|repayment|proceeds"
    r"|cashandcash|capitalexpenditures|dividendspaid|atbeginning|atend",
    "equity": r"balance|dividends|issu|repurchase|comprehensive|net(?:income|earnings|loss)|treasury|profitfor",
}
_TITLE = {statement: re.compile(_TITLES[statement]) for statement in _TITLES}
_ROW = {statement: re.compile(_ROWS[statement]) for statement in get_args(Statement)}
_HAS_NUMBER = re.compile(r"[A-Za-z].*[\d—–-]\)?\s*%?$")
_NOT_LETTER = re.compile(r"[^a-z]+")
_TOP = 12  # lines among which the title stands
_LONGEST = 90  # letters of a title line
_ENOUGH = 5  # typical rows with numbers


def find_statements(pages: Sequence[Page]) -> tuple[Statement | None, ...]:
    """For each page its statement, or None."""
    return tuple(_statement(page.text) for page in pages)


def _statement(text: str) -> Statement | None:
    lines = [line for line in text.split("\n") if line.strip()]
    letters = [_NOT_LETTER.sub("", line.casefold()) for line in lines]
    rows = [squeezed for line, squeezed in zip(lines, letters, strict=True) if _HAS_NUMBER.search(line)]
    if len(rows) < _ENOUGH:
        return None
    for squeezed in letters[:_TOP]:
        for statement, title in _TITLE.items():
            if len(squeezed) < _LONGEST and title.search(squeezed):
                return statement if sum(bool(_ROW[statement].search(row)) for row in rows) >= _ENOUGH else None
    return None
