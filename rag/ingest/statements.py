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
_ALONE: dict[Statement, tuple[re.Pattern[str], ...]] = {  # rows that tell a statement whose title is a picture
    "balance": (
        re.compile("totalassets"),
        re.compile("total(?:equityand|liabilitiesand|equity)"),
        re.compile("current"),
    ),
    "cash flow": tuple(re.compile(f"{kind}activities") for kind in ("operating", "investing", "financing")),
}
_PER_SHARE = re.compile(r"pershare|basic|diluted")
_NOTES = re.compile(r"notesto|^note\d*")
_HAS_NUMBER = re.compile(r"[\d—–-]\)?\s*%?$")
_NOT_LETTER = re.compile(r"[^a-z]+")
_FIGURES = re.compile(r"\d,\d{3}|\d\.\d|\(\d+\)")  # an amount, no year and no number of a page
TOP = 12  # lines among which the title stands
_LONGEST = 90  # letters of a title line
_ENOUGH = 5  # typical rows with numbers
_FEW = 3  # the same, in the midst of other statements
_MANY = 8  # typical rows of a page that continues the one before
_GAP = 6  # pages between two statements of one set


def find_statements(pages: Sequence[Page], *, estimated: bool = False) -> tuple[Statement | None, ...]:
    """For each page its statement, or None: the most complete set of statements that stand together.

    On an estimated page a statement may begin anywhere, on a printed one it does at the top.
    """
    top = None if estimated else TOP
    titled = [_titled(page.text, top, _ENOUGH) for page in pages]
    window = _set([index for index, statement in enumerate(titled) if statement], titled)
    found = [statement if index in window else None for index, statement in enumerate(titled)]
    for index in window:
        text = pages[index].text
        found[index] = found[index] or _titled(text, top, _FEW) or _untitled(text, found[index - 1] if index else None)
    return tuple(found)


def is_title(line: str) -> bool:
    """Whether the line is the title of a financial statement."""
    squeezed = _squeeze(line)
    return len(squeezed) < _LONGEST and not _HAS_NUMBER.search(line[-4:]) and _title(squeezed) is not None


def _set(indices: Sequence[int], titled: Sequence[Statement | None]) -> range:
    """The pages from the first statement of the set to the last, and a few behind it that may continue it."""
    sets: list[list[int]] = []
    for index in indices:
        if sets and index - sets[-1][-1] <= _GAP:
            sets[-1].append(index)
        else:
            sets.append([index])
    if not sets:
        return range(0)
    best = max(sets, key=lambda members: len({titled[index] for index in members}))
    return range(best[0], min(best[-1] + 3, len(titled)))


def _titled(text: str, top: int | None, enough: int) -> Statement | None:
    for line in _lines(text)[:top]:
        squeezed = _squeeze(line)
        if len(squeezed) < _LONGEST and (statement := _title(squeezed)):
            rows = _rows(text)
            if statement == "comprehensive income" and any(map(_PER_SHARE.search, rows)):
                statement = "income"  # both in one
            return statement if sum(bool(_ROW[statement].search(row)) for row in rows) >= enough else None
    return None


def _title(squeezed: str) -> Statement | None:
    return next((statement for statement, title in _TITLE.items() if title.search(squeezed)), None)


def _untitled(text: str, before: Statement | None) -> Statement | None:
    """The statement that the page shows by its rows, or that it continues."""
    rows = _rows(text)
    if any(map(_NOTES.search, map(_squeeze, _lines(text)[:TOP]))):
        return None
    for statement, signs in _ALONE.items():
        if all(any(map(sign.search, rows)) for sign in signs):
            return statement
    typical = sum(bool(_ROW[before].search(row)) for row in rows) if before else 0
    return before if typical >= max(_MANY, len(rows) // 2) else None


def _rows(text: str) -> list[str]:
    return [_squeeze(line) for line in _lines(text) if _HAS_NUMBER.search(line[-4:])]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _squeeze(line: str) -> str:
    return _NOT_LETTER.sub("", line.casefold())


def table_head(text: str) -> str:
    """What stands above a page's first row of numbers: title, units, heads of the columns; "" where that is prose."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if _FIGURES.search(line)), 0)
    head = lines[max(0, first - TOP) : first]
    return "\n".join(line for line in head if len(line) <= _LONGEST) if first else ""
