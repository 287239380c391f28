"""From a question to the documents that it is about.

Ambiguity keeps all candidates, and a question that names nothing is about the whole selection. What no document bears
is said, not guessed around.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rag.ingest.period import MONTH, MONTH_NUMBER
from rag.search.days import Borne, asked_days, is_event, not_of_day, of_days
from rag.search.instructions import strip_instructions
from rag.search.names import Mention, known_names, mentions, unknown_names
from rag.types import Document, Kind
from rag.words import count, listed

_YEAR = re.compile(
    r"\b(?:(?:FY|CY)\s?['’]?(?P<short>\d{2})\b(?!\d)|(?:FY|CY|Q[1-4]|fiscal(?:\s+year)?|year)?\s?['’]?(?P<long>20\d\d|19[89]\d)\b)",
    re.I,
)
_LOCAL_YEAR = re.compile(
    r"^(?:['’]s)?\s*,?\s*\(?\s*(?:(?:in|for|of)\s+)?(?P<years>(?:(?:FY|fiscal|year)\s*)?(?:20\d\d|\d{2}(?=\W)))", re.I
)
_KINDS: tuple[tuple[str, tuple[Kind, ...]], ...] = (
    (r"\b10-?k\b", ("10-K",)),
    (r"\b10-?q\b", ("10-Q",)),
    (r"\b8-?k\b", ("8-K",)),
    (r"\bearnings\s+(?:release|call|report)s?\b|\bpress\s+release", ("earnings release",)),
    (r"\bq[1-4]\b|\b(?:first|second|third|fourth)\s+quarter\b|\bquarterly\b", ("10-Q", "earnings release", "8-K")),
)
_ENDED = re.compile(
    r"\bended?\s+(?:on\s+|in\s+)?(?:\d{1,2}\s+)?(?:January|February)(?:\s+\d{1,2})?,?\s+(?P<year>20\d\d)\b", re.I
)
# "the year ended 28 January 2023", "in the three months to June 30, 2022"
_PERIOD = re.compile(
    r"\b(?:for\s+|in\s+)?(?:the\s+)?(?:(?:fiscal|financial)\s+)?(?:year|quarter|\w+\s+(?:months|weeks))\s+(?:ended|ending|to)\s+"
    r"(?:\w+\s+){0,2}(?:\d{1,2},?\s+)?20\d\d\b"
    r"|\b(?:(?:in|for|of)\s+)?(?:the\s+)?(?:first|second|third|fourth)\s+quarter(?:\s+of)?\b"
    rf"|\b(?:in|at|on|by|as\s+of)\s+(?:{MONTH})"
    r"\s+(?:\d{1,2},?\s+)?20\d\d\b",
    re.I,
)
_DATE = re.compile(rf"\b(?P<month>{MONTH})\s+(?P<day>\d{{1,2}}),?\s+20\d\d", re.I)
_MONTH_END = 28  # days of a month from which a date is the end of a period
_FORWARD = re.compile(
    r"\b(?:expect|forecast|outlook|guidance|plan|anticipat|project|target|future|will|going\s+forward)\w*", re.I
)
_ANNUAL: tuple[Kind, ...] = ("10-K", "annual report")  # what "report" means where no other kind is named


@dataclass(frozen=True)
class Scope:
    documents: tuple[str, ...]  # ids, in the catalogue's order
    names: tuple[str, ...]  # the words of the question that name documents: companies, years
    absent: tuple[str, ...]  # names that no document in the selection bears
    gaps: tuple[str, ...]  # sentences: a year that the library does not hold of a company that it has
    years: tuple[int, ...]  # fiscal years that the question names
    years_of: Mapping[str, tuple[int, ...]]  # those of them that are asked of a document, by id; absent: all
    reason: str  # in a sentence, for the plan step


def find_scope(
    question: str, selection: Sequence[Document], *, holds: Callable[[str], bool] = lambda word: False
) -> Scope:
    """The documents of the selection that the question is about; `holds` as in `unknown_names`."""
    names, asking = known_names(selection), strip_instructions(question)
    named = mentions(question, names)
    absent = tuple(unknown_names(asking, named if asking == question else mentions(asking, names), holds))
    years = _fiscal(_years(question), question, selection)
    kinds = {kind for pattern, names in _KINDS if re.search(pattern, question, re.I) for kind in names}
    explicit = bool(kinds)
    days = asked_days(question) if kinds.isdisjoint(_ANNUAL) else ()
    if not kinds and re.search(r"\breports?\b|\bannual\b", question, re.I):
        kinds = set(_ANNUAL)
    by_id = {document.id: document for document in selection}
    local = {mention: _local_years(question, mention) for mention in named}
    bound = {year for mention in named for year in local[mention] if not _led_by_preposition(question, mention)}
    free = tuple(year for year in years if year not in bound)
    filed = [d for d in selection if d.file.casefold() in question.casefold()]
    chosen: dict[str, None] = dict.fromkeys(d.id for d in filed)
    asked_of: dict[str, tuple[int, ...]] = {}
    gaps: list[str] = []
    for mention in named:
        candidates = [by_id[i] for i in mention.documents]
        own = () if _led_by_preposition(question, mention) else local[mention]
        wanted = _fiscal(own or free, question, candidates)
        fitting, gap = _of_years(candidates, wanted, mention.text, forward=bool(_FORWARD.search(question)))
        fitting, other = _of_dates(fitting, question, mention.text)
        groups = [fitting] if explicit else _by_year(fitting)
        borne = of_days(candidates, days)
        if not borne.documents and (missed := not_of_day(candidates, question, mention.text)):
            groups, gap, other = [], [missed], []
        here = [d.id for d in _with_days(borne, [d for g in groups for d in _of_kinds(g, kinds)], kinds, explicit)]
        chosen |= dict.fromkeys(here)
        asked_of |= {i: tuple(dict.fromkeys((*asked_of.get(i, ()), *wanted))) for i in here}
        gaps += [] if borne.documents else gap + other
    if not named and not absent and not filed:
        pool = [d for d in selection if d.card.fiscal_year in years] if years else list(selection)
        pool = _of_kinds(pool, kinds) if years or explicit else pool
        pool = _with_days(of_days(selection, days), pool, kinds, explicit)
        chosen = dict.fromkeys(d.id for d in pool or selection)
    documents = tuple(d.id for d in selection if d.id in chosen)
    spans = tuple(m.group().strip() for pattern in (_PERIOD, _YEAR) for m in pattern.finditer(question))
    if any(of_days([by_id[i]], days).documents for i in documents):
        spans = (*(each.phrase for each in days), *spans)
    return Scope(
        documents=documents,
        names=(*(m.text for m in named), *absent, *spans),
        absent=absent,
        gaps=tuple(dict.fromkeys(gaps)),
        years=years,
        years_of=asked_of,
        reason=_reason(named, absent, documents, selection),
    )


def _years(text: str) -> tuple[int, ...]:
    found = (int(m["long"]) if m["long"] else 2000 + int(m["short"]) for m in _YEAR.finditer(text))
    return tuple(dict.fromkeys(found))


def _fiscal(years: tuple[int, ...], question: str, documents: Sequence[Document]) -> tuple[int, ...]:
    """The years by the reports' own count: "the year ended January 2023" is fiscal 2022 where years end in January."""
    ended = {int(match["year"]) for match in _ENDED.finditer(question)}
    behind = any(d.card.period_end and d.card.fiscal_year == int(d.card.period_end[:4]) - 1 for d in documents)
    return tuple(dict.fromkeys(year - 1 if behind and year in ended else year for year in years))


def _local_years(question: str, mention: Mention) -> tuple[int, ...]:
    """Years that stand right after a name: "Pfizer (fiscal 2021)", "Nike's 2019 report"."""
    match = _LOCAL_YEAR.match(question[mention.end : mention.end + 30])
    return _years(match["years"]) if match else ()


def _of_dates(documents: list[Document], question: str, name: str) -> tuple[list[Document], list[str]]:
    """Those whose year ends when the question says, where it names the last day of a month."""
    dates = {(MONTH_NUMBER[m["month"].casefold()], int(m["day"])) for m in _DATE.finditer(question)}
    if not any(day >= _MONTH_END for _, day in dates) or any(day < _MONTH_END for _, day in dates):
        return documents, []
    months = {month for month, _ in dates}
    kept = [
        d
        for d in documents
        if d.card.kind not in _ANNUAL or not d.card.period_end or int(d.card.period_end[5:7]) in months
    ]
    if kept or not documents:
        return kept, []
    ends = listed(sorted({d.card.period_end or "" for d in documents}))
    return [], [f"{name}’s report is for the year to {ends}, not for the date that the question names."]


def _led_by_preposition(question: str, mention: Mention) -> bool:
    """Whether the year after the name is not the name's alone: "Costco and Nike in 2023"."""
    return bool(re.match(r"(?:['’]s)?\s*,?\s*\(?\s*(?:in|for|of)\b", question[mention.end : mention.end + 30]))


def _of_years(
    documents: list[Document], years: tuple[int, ...], name: str, *, forward: bool
) -> tuple[list[Document], list[str]]:
    """Those documents that cover the years, and what to say where none does.

    A report states earlier years beside its own, so one of the next two years may stand in for one that is missing; of
    years to come it tells what is expected, so `forward` questions may go to it.
    """
    if not years:
        return documents, []
    kept: list[Document] = []
    missing = []
    for year in years:
        exact = [d for d in documents if d.card.fiscal_year == year]
        later = [d for d in documents if d.card.fiscal_year and year < d.card.fiscal_year <= year + 2]
        kept += exact or later
        if not exact and not later:
            missing.append(year)
    unknown = [d for d in documents if d.card.fiscal_year is None]
    held = sorted({d.card.fiscal_year for d in documents if d.card.fiscal_year})
    ahead = forward and held and all(year > held[-1] for year in missing)
    if not missing or unknown or ahead:
        return (kept + unknown) or documents, []
    return kept, [f"The library holds {name}’s report for {listed(held)}, not {listed(missing)}."]


def _of_kinds(documents: list[Document], kinds: set[Kind]) -> list[Document]:
    return [d for d in documents if d.card.kind in kinds] or documents


def _with_days(borne: Borne, others: list[Document], kinds: set[Kind], explicit: bool) -> list[Document]:
    """The reports of the days asked for; beside those of a month, reports of years and quarters may tell, too."""
    if not borne.documents:
        return others
    own = _of_kinds(borne.documents, kinds) if explicit else borne.documents
    return own if borne.by_day else [*own, *(d for d in others if not is_event(d))]


def _by_year(documents: list[Document]) -> list[list[Document]]:
    years = dict.fromkeys(d.card.fiscal_year for d in documents)
    return [[d for d in documents if d.card.fiscal_year == year] for year in years]


def _reason(
    named: list[Mention], absent: tuple[str, ...], documents: tuple[str, ...], selection: Sequence[Document]
) -> str:
    share = f"{len(documents)} of {count(len(selection), 'document')}"
    missing = f" No document bears the name {listed(absent)}." if absent else ""
    if named:
        return f"The question names {listed(list(dict.fromkeys(m.text for m in named)))}: {share}.{missing}"
    if absent:
        return f"Nothing in the library is about what the question names.{missing}"
    if len(documents) < len(selection):
        return f"The question names no company, but a year or kind of report: {share}."
    return f"The question names no document, so all of the selection is in scope: {share}."
