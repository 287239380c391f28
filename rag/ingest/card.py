"""The document card, read from the text of the first pages."""

import re
from collections.abc import Sequence
from pathlib import PurePath

from rag.ingest.company import find_company
from rag.ingest.period import find_fiscal_year, find_issued, find_period_end
from rag.types import Card, Kind, Page

_COVER_PAGES = 12  # within so many pages the cover of a filing stands, behind letters to shareholders
_READ_PAGES = 60  # pages that are read for how the report calls its company and its years
_LINES = 40  # lines of a cover

_FORM = re.compile(r"^[\W_]*form\s+(10-?k|10-?q|8-?k|20-?f|40-?f)(?:405|sb|t)?(?:/a)?\b", re.I | re.M)
_COMMISSION = re.compile(r"securities\s+and\s+exchange\s+commission", re.I)
_KINDS: dict[str, Kind] = {"10k": "10-K", "10q": "10-Q", "8k": "8-K", "20f": "annual report", "40f": "annual report"}
_RELEASE = re.compile(
    r"for immediate release|\btoday\s+(?:announced|reported|released)\b.{0,80}?\b(?:results|earnings|quarter)"
    r"|\b(?:announces|reports)\b.{0,60}?\b(?:quarter|year|annual|results|earnings)\b.{0,40}?\b(?:results|earnings)\b",
    re.I | re.S,
)
_ANNUAL = re.compile(
    r"annual\s+(?:report|accounts|review)|report\s+and\s+accounts|\breport\s+(?:19|20)\d\d\b"
    r"|有価証券報告書|統合報告書|年次報告書|年度报告|年度報告|年報|사업보고서",
    re.I,
)
_INTERIM = re.compile(r"\b(?:interim|half[- ]year(?:ly)?|quarterly)\s+(?:financial\s+)?report\b", re.I)
_NAMED: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"10-?k(?!\w)", re.I), "10-K"),
    (re.compile(r"10-?q(?!\w)", re.I), "10-Q"),
    (re.compile(r"(?<!\d)8-?k(?!\w)", re.I), "8-K"),
    (re.compile(r"earnings|press.?release", re.I), "earnings release"),
    (re.compile(r"annual.?report", re.I), "annual report"),
)
_NAMED_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def read_card(pages: Sequence[Page], file: str) -> Card:
    """What the report is; the file's name is a weak hint where the text says nothing."""
    form, cover = _cover(pages)
    name = PurePath(file).stem.replace("_", " ")
    start = "\n".join(page.text for page in pages[:4])
    text = "\n".join(page.text for page in pages[:_READ_PAGES])
    kind = _KINDS[form] if form else _kind(start, name)
    period_end = find_period_end(kind, cover or start, text)
    year = find_fiscal_year(kind, period_end, start, text)
    if year is None and (named := _NAMED_YEAR.search(name)):
        year = int(named[0])
    company, aliases = find_company(cover, start, text, name if kind != "other" else "")
    issued = find_issued(kind, start)
    return Card(
        company,
        aliases,
        kind,
        year,
        period_end.isoformat() if period_end else None,
        issued.isoformat() if issued else None,
    )


def _cover(pages: Sequence[Page]) -> tuple[str | None, str]:
    """The form of an SEC filing ("10k") and its cover; None and "" where it is none."""
    for page in pages[:_COVER_PAGES]:
        head = "\n".join(page.text.split("\n")[:_LINES])
        form = _FORM.search(head)
        if form and _COMMISSION.search(head):
            return form[1].lower().replace("-", ""), page.text
    return None, ""


def _kind(start: str, name: str) -> Kind:
    if _RELEASE.search(start[:2500]):
        return "earnings release"
    if _INTERIM.search(start[:1500]):
        return "other"
    if _ANNUAL.search(start):
        return "annual report"
    return next((kind for pattern, kind in _NAMED if pattern.search(name)), "other")
