"""The days and months that a question names, and the 8-Ks, releases and quarterly reports that are of them."""

import re
from calendar import monthrange
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from rag.ingest.period import MONTH_NUMBER
from rag.types import Document
from rag.words import listed

_NUMBER = {month[:3]: number for month, number in MONTH_NUMBER.items()}
_NAME = (
    rf"(?:{'|'.join(month.capitalize() for month in MONTH_NUMBER)}|{'|'.join(m.capitalize() for m in _NUMBER)}|Sept)\.?"
)
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_ORDINAL = r"(?:st|nd|rd|th)?"
_DATE = rf"""(?P<date>
    (?P<iso>\b(?:19|20)\d\d-\d\d-\d\d\b)
    |\b(?:(?P<day>{_DAY}){_ORDINAL}\s+(?:of\s+)?)?(?P<month>{_NAME})\s*(?:\s(?P<day2>{_DAY}){_ORDINAL}\b)?,?\s+
     (?:of\s+)?(?P<year>(?:19|20)\d\d)\b)"""
_LED = r"""(?i:(?:\b(?:as\s+)?(?:announced|dated|disclosed|filed|issued|published|released|reported|said|stated)\s+)?
    (?:\b(?:on|in|of|from|for)\s+(?:the\s+)?)?)"""
_ASKED = re.compile(rf"(?P<phrase>{_LED}{_DATE})", re.X)
# "the 8-K of 14 March 2022": the day is the report's own, so that no other report will do
_OF_REPORT = re.compile(
    rf"(?i:\b8-?K|\b(?:press|earnings)\s+release)(?:\s+\w+){{0,3}}?\s+(?:of|dated|from|filed|filed\s+on)\s+(?:the\s+)?{_DATE}",
    re.X,
)
_LAG = timedelta(days=6)  # an 8-K is filed within four business days of its event


class Days(NamedTuple):
    """A day, or the days of a month."""

    text: str  # as the question names it
    first: date
    last: date
    phrase: str = ""  # the same with what leads to it: "as announced on March 14, 2022"

    @property
    def is_day(self) -> bool:
        return self.first == self.last


class Borne(NamedTuple):
    """Reports of the days asked for."""

    documents: list[Document]
    by_day: bool  # whether a day names them, so that no other report is meant


def asked_days(question: str) -> tuple[Days, ...]:
    """In order; a day that no calendar has is left out."""
    matches = _ASKED.finditer(question)
    return tuple(days._replace(phrase=match["phrase"].strip()) for match in matches if (days := _days(match)))


def of_days(documents: Sequence[Document], days: Sequence[Days]) -> Borne:
    """Those of the documents that are of one of the days; where there are such, months play no part."""
    exact, months = [d for d in days if d.is_day], [d for d in days if not d.is_day]
    of_day = [d for d in documents if _bears(d, exact)]
    late = [Days(day.text, day.first - _LAG, day.first) for day in exact]
    of_day = of_day or [d for d in documents if d.card.kind == "8-K" and _bears(d, late)]
    if any(document.card.interim for document in of_day):
        return Borne(of_day, True)
    return Borne([d for d in documents if d.card.interim and _bears(d, months)], False)


def not_of_day(documents: Sequence[Document], question: str, name: str) -> str:
    """A sentence where the question asks for an 8-K or a release by its day and each that there is has another."""
    match = _OF_REPORT.search(question)
    events = [d for d in documents if is_event(d)]
    asked = _days(match) if match else None
    if not asked or not events or not all(map(own_days, events)) or any(_bears(d, [asked]) for d in events):
        return ""
    held = (f"{d.card.kind} of {listed(day.isoformat() for day in own_days(d))}" for d in events)
    return f"The library holds {name}’s {listed(held)}, not of {asked.text}."


def is_event(document: Document) -> bool:
    """Whether it tells of one day, and not of a year or a quarter alone."""
    return document.card.kind in ("8-K", "earnings release")


def own_days(document: Document) -> tuple[date, ...]:
    """The last day of the document's period, or of its event, and the day of which it is dated."""
    return tuple(_iso(day) for day in (document.card.period_end, document.card.issued) if day)


def _bears(document: Document, days: Iterable[Days]) -> bool:
    own = own_days(document)
    return any(each.first <= day <= each.last for each in days for day in own)


def _days(match: re.Match[str]) -> Days | None:
    text = match["date"]
    try:
        if match["iso"]:
            return Days(text, _iso(text), _iso(text))
        year, month = int(match["year"]), _NUMBER[match["month"][:3].casefold()]
        if day := match["day"] or match["day2"]:
            return Days(text, date(year, month, int(day)), date(year, month, int(day)))
        return Days(text, date(year, month, 1), date(year, month, monthrange(year, month)[1]))
    except ValueError:
        return None


def _iso(text: str) -> date:
    return date.fromisoformat(text)
