"""Which column of a table is asked for: the years that head it, and the months that they cover."""

import re

from rag.search.rows import Row
from rag.types import Document

YEAR = re.compile(r"(?<![\d,.])(?:19[89]|20[0-4])\d(?![\d%]|[,.]\d)")
_MONTHS = re.compile(
    r"\b(three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two)[\s-]+(months?|weeks?)\b|\b(first|second|third|fourth)\s+quarter\b",
    re.I,
)
_WEEKS = {"thirteen": "three months", "twenty-six": "six months", "thirty-nine": "nine months"}
WHOLE = "twelve months"
_WHOLE = {"twelve", "fifty-two"}
_NEAR = 1_500  # characters above a row in which the heads of its columns stand


def find_column(
    text: str, at: int, row: Row, year: int | None, document: Document, *, span: str = ""
) -> tuple[int, str]:
    """Which value of the row is the year's, and the period that heads it.

    `span` is the part of a year that is asked for ("six months"); where the heads name several, its columns count.
    Where no head tells, the first column is the document's own year; another year then has none, past the last value.
    """
    parts = parts_of_year(text, at) if document.card.interim else []
    part = parts.index(span) if span in parts else 0
    heads = list(row.heads) or column_years(text, at, len(row.values))
    first = part * len(heads) // len(parts) if parts else 0
    for wanted in _heads_of(year, document):
        if wanted in heads[first:]:
            named = wanted if year is None or wanted == str(year) else f"year ended {wanted}"
            months = parts[part] if parts and parts[part] != WHOLE else ""
            return heads.index(wanted, first), f"{months} {wanted}" if months else named
    if year and document.card.fiscal_year and year != document.card.fiscal_year:
        return len(row.values), ""
    return 0, heads[0] if heads else ""


def _heads_of(year: int | None, document: Document) -> list[str]:
    """How a column of this fiscal year may be headed; by the date of its end first, as fiscal 2025 may end in 2026."""
    own, ends = document.card.fiscal_year, document.card.period_end
    if year is None:
        return [ends[:4]] if ends else []
    by_date = [str(year + int(ends[:4]) - own)] if own and ends and int(ends[:4]) > own else []
    return [*by_date, str(year)]


def column_years(text: str, at: int, columns: int) -> list[str]:
    """The years that head the columns of the row at this offset: the nearest lines above that name as many."""
    gathered: list[str] = []
    skipped = 0
    for line in reversed(text[max(0, at - _NEAR) : at].splitlines()):
        head = re.split(r"\d{1,3},\d{3}|\d\.\d", line)
        years = YEAR.findall(head[0]) if len(head) == 1 or len(YEAR.findall(head[0])) > 1 else []
        if years:
            gathered, skipped = years + gathered, 0
            if len(gathered) >= columns:
                return gathered[:columns] if len(years) >= columns else gathered[-columns:]
        elif gathered:
            skipped += 1
            if skipped > 3 or len(head) > 1:
                break
    return gathered


def parts_of_year(text: str, at: int) -> list[str]:
    """What the nearest heads above the row say that its columns cover, from the left: "three months", "six months"."""
    above = text[max(0, at - _NEAR) : at]
    found = [*_MONTHS.finditer(above)]
    if not found:
        return []
    line = above.rfind("\n", 0, found[-1].start()) + 1
    return list(dict.fromkeys(_part(match) for match in found if match.start() >= line))


def asked_span(question: str) -> str:
    """The part of a year that a question asks for, in the same words; "" where it names none."""
    match = _MONTHS.search(question)
    if match:
        return "three months" if match[3] else _part(match)
    return "three months" if re.search(r"\bQ[1-4]\b|\bquarter\b", question, re.I) else ""


def _part(match: re.Match[str]) -> str:
    if match[3]:
        return f"{match[3].casefold()} quarter"
    number = match[1].casefold()
    return WHOLE if number in _WHOLE else _WEEKS.get(number, f"{number} months")


def without_note_number(row: Row, text: str, at: int) -> Row:
    """The row without the number of the note that stands before its values, as in IFRS statements."""
    first, rest = row.printed[0], row.values[1:]
    is_number = re.fullmatch(r"\d{1,2}(?:\.\d)?", first)
    is_note = is_number and rest and all(v is None or abs(v) > 99 or v != int(v) for v in rest)
    if is_note and re.search(r"\bnotes?\b", text[max(0, at - _NEAR) : at], re.I):
        return row._replace(values=rest, printed=row.printed[1:])
    return row
