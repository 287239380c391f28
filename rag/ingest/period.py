"""The period that a report is about: its last day, and the fiscal year by the company's own count."""

import re
from collections import Counter
from datetime import date

from rag.types import Kind

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
MONTH_NUMBER = {month.casefold(): number for number, month in enumerate(_MONTHS, 1)}
MONTH = "|".join(_MONTHS)
_DATE = (
    rf"(?:(?P<month>{MONTH})\s+(?P<day>\d{{1,2}})\s*,?|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<month2>{MONTH}),?)"
    r"\s+(?P<year>(?:19|20)\d\d)"
)
_BARE_DATE = re.sub(r"\?P<\w+>", "", _DATE)
_ANY_DATE = re.compile(_DATE, re.I)
_YEAR_END = re.compile(
    rf"(?:fiscal\s+year|years?|periods?|52\s+weeks|53\s+weeks)\s+(?:then\s+)?end(?:ed|ing)\s*:?\s*(?:on\s+)?{_DATE}",
    re.I,
)
_QUARTER_END = re.compile(rf"(?:quarter(?:ly\s+period)?|months|weeks)\s+ended\s*:?\s*{_DATE}", re.I)
_EVENT = re.compile(rf"earliest\s+event\s+reported\)?\s*:?\s*{_DATE}", re.I)
_REPORT_DATE = re.compile(rf"annual\s+report\s+(?:for\s+)?{_DATE}", re.I)
_DATELINE = re.compile(rf"{_DATE}\s*(?:[)(/–—-]|$)", re.I | re.M)
_OF_PERIOD = re.compile(r"\b(?:end(?:ed|ing)|as\s+(?:of|at)|at|on|to|through|until|since)\s*:?\s*$", re.I)
_HEAD = 3_000  # characters within which a release is dated
_AT = re.compile(rf"(?:as\s+(?:of|at)|at)\s+{_DATE}", re.I)

_OWN_YEAR = re.compile(r"\bfiscal(?:\s+year)?\s+((?:19|20)\d\d)\b", re.I)
_DEFINED = re.compile(
    rf"\bfiscal(?:\s+years?)?\s+(?P<own>(?:19|20)\d\d)\b[^.;]{{0,60}}?\bend(?:ed|s|ing)?\s+(?:on\s+)?{_DATE}"
    rf"|\bended\s+{_BARE_DATE}\s*\(\s*[\"“'‘]?fiscal(?:\s+year)?\s+(?P<own2>(?:19|20)\d\d)",
    re.I,
)
_TITLE_YEAR = re.compile(
    r"(?:annual\s+report|annual\s+accounts|report\s+(?:and|&)\s+accounts|annual\s+report\s+(?:and|&)\s+accounts|\breport)"
    r"[\s,:–-]*(?:for\s+)?((?:19|20)\d\d)\b(?!\s*[/–-]\s*\d\d)|\b((?:19|20)\d\d)\s+annual\s+report",
    re.I,
)
_QUARTER_YEAR = re.compile(
    r"(?:quarter|full[- ]year|half[- ]year|Q[1-4])(?:\s+and\s+(?:full|fiscal)[- ]?year)?"
    r"\s+(?:of\s+)?(?:fiscal\s+)?(?:year\s+)?"
    r"((?:19|20)\d\d)\b"
    r"|\b((?:19|20)\d\d)\s+(?:(?:first|second|third|fourth)[- ]quarter|full[- ]year|Q[1-4])",
    re.I,
)


def find_period_end(kind: Kind, cover: str, text: str) -> date | None:
    """The last day of the period; for an 8-K the day of what it reports. None: the text does not say."""
    if kind == "8-K":
        found = _EVENT.search(cover) or _ANY_DATE.search(cover)
        return _date(found) if found else None
    if kind in ("10-Q", "earnings release"):
        return _first(_QUARTER_END, cover) or _first(_QUARTER_END, text) or _first(_YEAR_END, cover)
    return _first(_YEAR_END, cover) or _first(_REPORT_DATE, cover) or _usual(_YEAR_END, text) or _usual(_AT, text)


def find_issued(kind: Kind, start: str) -> date | None:
    """The day of which an earnings release is dated, at its head: before its first words, or at a line's end."""
    if kind != "earnings release":
        return None
    head = start[:_HEAD]
    lines = (found for found in _DATELINE.finditer(head) if not _OF_PERIOD.search(head, 0, found.start()))
    return next((day for found in lines if (day := _date(found))), None)


def find_fiscal_year(kind: Kind, end: date | None, start: str, text: str) -> int | None:
    """The fiscal year in the company's own words where it has them, else by the period's last day or the title."""
    if kind == "8-K":
        return end.year if end else None
    if kind == "earnings release" and (said := _QUARTER_YEAR.search(start)):
        return int(said[1] or said[2])
    if end is None or kind in ("annual report", "other"):
        titled = _TITLE_YEAR.search(start)
        year = int(titled[1] or titled[2]) if titled else None
        if year and (end is None or (year == end.year - 1 and end.month < 7)):
            return year
    return _own_year(kind, end, text) if end else None


def _own_year(kind: Kind, end: date, text: str) -> int:
    """Fiscal 2022 may end in January 2023 for one company, and fiscal 2023 for another."""
    if kind not in ("10-Q", "earnings release"):
        for defined in _DEFINED.finditer(text):
            if defined["own"] and _date(defined) == end:
                return int(defined["own"])
            if defined["own2"] and _ANY_DATE.search(defined[0]) and _date(_ANY_DATE.search(defined[0])) == end:
                return int(defined["own2"])
    usual = end.year - 1 if end.month == 1 or (end.month == 2 and end.day < 15) else end.year
    possible = {usual, end.year, end.year + 1} if kind == "10-Q" else {usual, end.year}
    said = Counter(int(year) for year in _OWN_YEAR.findall(text) if int(year) in possible)
    return max(said, key=lambda year: (said[year] * (1 + (year > usual)), -year)) if said else usual


def _first(pattern: re.Pattern[str], text: str) -> date | None:
    return next((day for found in pattern.finditer(text) if (day := _date(found))), None)


def _usual(pattern: re.Pattern[str], text: str) -> date | None:
    """The date that stands there most often, the later one where two do."""
    days = Counter(day for found in pattern.finditer(text) if (day := _date(found)))
    return max(days, key=lambda day: (days[day], day)) if days else None


def _date(found: re.Match[str] | None) -> date | None:
    if not found:
        return None
    month = found["month"] or found["month2"]
    try:
        return date(int(found["year"]), MONTH_NUMBER[month.casefold()], int(found["day"] or found["day2"]))
    except ValueError:
        return None
