"""The company that a report is of, and its other names."""

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from rag.ingest import eastern

_FORMS = (
    r"INCORPORATED|INC|CORPORATION|CORP|COMPANY|CO|LIMITED|LTD|Incorporated|Inc|Corporation|Corp|Company|Co|Limited|Ltd|PLC|plc|LLC|LLP|LP|N\.?V|S\.?A|S\.?p\.?A|S\.?E|A\.?G"
    r"|AB|ASA|A/S|Oyj|GmbH|Aktiengesellschaft|KGaA|Bhd|Berhad|Pty|S\.?A\.?S|B\.?V|KK"
)
_FORM_WORD = re.compile(r"\b(?:INCORPORATED|INC|CORPORATION|CORP|COMPANY|CO|LIMITED|LTD|THE)\b")
_LEGAL_END = re.compile(rf"(?:\s*,)?\s+(?:&\s+)?(?:{_FORMS})\.?$", re.I)
_ONLY_FORM = re.compile(rf"^(?:&\s+)?(?:{_FORMS})\.?$")  # a long name takes two lines
_CAPITAL = r"(?!(?:19|20)\d\d\b)[A-Z0-9][\w&.'’\-]*"
_WITH_FORM = re.compile(rf"\b((?:The )?{_CAPITAL}(?: (?:{_CAPITAL}|&|of|and|de|the)){{0,5}}?,? (?:{_FORMS})\b\.?)")
_THE_COMPANY = re.compile(
    r"\s*\([^()]{0,60}?\b(?:the )?[\"“']?(?:Company|Corporation|Group|Registrant|Trust|Fund)\b[^()]{0,40}\)"
)
_EXACT = re.compile(r"\(?\s*exact\s+name\s+of\s+(?:the\s+)?registrant", re.I)
_FILE_NUMBER = re.compile(r"commission\s+file\s+(?:number|no)", re.I)
_LISTED = re.compile(
    r"([A-Z][\w&.'’\-]*(?:,?\s+(?:[A-Z][\w&.'’\-]*|&|of|and)){0,6})\s*\((?:[^()]{0,30}[;,]\s*)?"
    r"(?:NYSE|NASDAQ|Nasdaq|LSE|ASX|TSX|AMEX)[^():]{0,20}:\s*([A-Z][A-Z.\-]{0,6})\b"
)
_TICKER = re.compile(
    r"(?i:common\s+(?:stock|shares?)|ordinary\s+shares?)[^\n]*?\s([A-Z]{1,5})\s+(?i:(?:the\s+)?(?:new\s+york|nasdaq|nyse|chicago))"
)
_FORMER = re.compile(
    r"^[\W_]*(?i:formerly)\s+(?i:known\s+as\s+|named\s+)?([A-Z][\w&.'’\-]*(?: (?:[A-Z][\w&.'’\-]*|&|of|and)){0,6})",
    re.M,
)
_ONCE = re.compile(r"(?:formerly|previously|subsidiar\w+|owned by|acquired)\W+(?:\w+\W+){0,3}$", re.I)
_TITLED = re.compile(
    r"^\W*([A-Z][\w&.'’\-]*(?:\s+(?:[A-Z][\w&.'’\-]*|&|of|and)){0,5}?)[\s,:–-]+(?:(?:19|20)\d\d\s+)?(?i:annual\s+)?(?i:report)\b"
)
_FILING_WORDS = re.compile(
    r"securities|commission|registrant|form\s+10|washington|incorporation|section\s+1[0-9]|mark one|stock exchange"
    r"|annual report|financial statements|board of|item \d|part [iv]+|accounting|auditor|corporate directory",
    re.I,
)
_OTHERS = re.compile(
    r"deloitte|pricewaterhouse|ernst|kpmg|grant thornton|\bbdo\b|stock market|computershare|equiniti|trust company"
    r"|^the company|^our company|^parent company|^holding company|^this company|^public|^investment company|^limited",
    re.I,
)
_RELEASE = 4000  # characters within which a press release names its company
_HINT_WORD = re.compile(r"[^\W\d_][\w&'’-]*$")
_NOT_NAMES = frozenset(
    ["annual", "report", "earnings", "release", "quarterly", "form", "final", "the", "financial", "statements", "dated"]
)


class Names(NamedTuple):
    company: str | None  # without legal form
    aliases: tuple[str, ...]


def find_company(cover: str, start: str, text: str, file_name: str) -> Names:
    """The name in the case in which the text writes it, and the others: legal name, ticker, former names."""
    listed = _LISTED.search(start[:_RELEASE])
    legal = _on_cover(cover) or (_squeeze(listed[1]) if listed else None) or _most_named(start, text)
    if legal is None:
        titled = _TITLED.search(start)
        legal = _squeeze(titled[1]) if titled else _from_file_name(file_name)
    if legal is None:
        return Names(None, ())
    legal = _in_readable_case(legal, text)
    company = _short(legal, text)
    ticker = _ticker(cover, listed)
    former = [_squeeze(found[1]) for found in _FORMER.finditer(start)]
    others = (legal, _without_form(legal), ticker, *former)
    return Names(company, tuple(dict.fromkeys(name for name in others if name and name != company)))


def _on_cover(cover: str) -> str | None:
    lines = [_squeeze(line.strip(" _-–—*")) for line in cover.split("\n")]
    lines = [line for line in lines if line]
    for number, line in enumerate(lines):
        if _EXACT.search(line):
            before = _EXACT.split(line)[0].strip() or " ".join(lines[max(number - 1, 0) : number])
            if number > 1 and _ONLY_FORM.match(before):
                before = f"{lines[number - 2]} {before}"
            return before if _is_name(before) else None
    for line, following in pairwise(lines):
        if _FILE_NUMBER.search(line) and _is_name(following):
            return following
    return None


def _is_name(line: str) -> bool:
    letters = sum(character.isalpha() for character in line)
    return (
        letters >= 2
        and len(line) <= 90
        and ":" not in line
        and not line.startswith("(")
        and not (_FILING_WORDS.search(line) or _FILE_NUMBER.search(line))
    )


def _most_named(start: str, text: str) -> str | None:
    """The name with a legal form that the text repeats most; at the start of the report it counts more."""
    counts: Counter[str] = Counter()
    spelled: dict[str, Counter[str]] = {}
    for part, weight in ((text, 1), (start, 5)):
        for at, end in (*(found.span(1) for found in _WITH_FORM.finditer(part)), *eastern.named(part)):
            name = _squeeze(part[at:end])
            if _OTHERS.search(name) or _FILING_WORDS.search(name) or _ONCE.search(part[max(at - 60, 0) : at]):
                continue
            key = _without_form(name).casefold()
            counts[key] += weight * (20 if _THE_COMPANY.match(part, end) else 1)
            spelled.setdefault(key, Counter())[name] += weight
    if not counts:
        return None
    return spelled[counts.most_common(1)[0][0]].most_common(1)[0][0]


def _short(legal: str, text: str) -> str:
    """The name without its legal form, or the beginning of it that the text itself uses as the short name."""
    bare = _without_form(legal)
    words = bare.split()
    for size in range(1, len(words)):
        lead = " ".join(words[:size])
        quoted = rf"[^()]{{0,40}}?[\"“'‘]?\b{re.escape(lead)}(?=[\"”'’,)]|\s+(?:or|and)\b)"
        given = rf"{re.escape(bare)}[^()\n]{{0,30}}\s*\({quoted}"
        if len(lead) > 1 and re.search(given, text, re.I):
            return lead
    return bare


def _without_form(name: str) -> str:
    while (shorter := _LEGAL_END.sub("", name).rstrip(" ,&")) != name and shorter:
        name = shorter
    return eastern.without_form(re.sub(r"^The\s+", "", name, flags=re.I))


def _in_readable_case(name: str, text: str) -> str:
    """A name in capitals as the text writes it elsewhere, word by word where it never writes the whole."""
    if not name.isupper():
        return name
    name = _FORM_WORD.sub(lambda form: form[0].capitalize(), name)
    body = re.compile(rf"(?<!\w){re.escape(_without_form(name))}(?!\w)", re.I)
    written = Counter(_squeeze(found[0]) for found in body.finditer(text))
    mixed = [spelling for spelling, _ in written.most_common() if not spelling.isupper()]
    if mixed:
        return body.sub(lambda _: mixed[0], name, count=1) if mixed[0] != name else name
    return name


def _ticker(cover: str, listed: re.Match[str] | None) -> str | None:
    found = _TICKER.search(cover)
    return found[1] if found else listed[2] if listed else None


def _from_file_name(name: str) -> str | None:
    words = [word for word in name.split() if _HINT_WORD.match(word) and word.casefold() not in _NOT_NAMES]
    return " ".join(words[:3]) or None


def _squeeze(text: str) -> str:
    return " ".join(text.split()).replace(" .", ".")
