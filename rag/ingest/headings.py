"""The headings of a document: those that the format marks, and lines that look like one."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rag.ingest.reading import Heading, Reading
from rag.ingest.statements import TOP, is_title
from rag.types import Page

_PART = re.compile(r"^PART\s+(?:I{1,3}|IV)\b.{0,60}$", re.I)
_ITEM = re.compile(r"^(?:ITEM|Item)\s+\d{1,2}[A-C]?\s*[.:—–-]?\s*\S.{0,180}$")
_NOTE = re.compile(r"^(?:NOTE|Note)\s+\d{1,2}\s*[.:—–-]\s*\S.{0,100}$")
_SECTION = re.compile(
    r"^(?:(?:condensed\s+)?(?:consolidated\s+)?(?:statements?\s+of\s|balance\s+sheets?|income\s+statements?|cash\s+flow\s+st)"
    r"|notes\s+to\s|report\s+of\s+independent|independent\s+auditor|management.s\s+discussion|directors.\s+report"
    r"|signatures$|exhibit\s+index)",
    re.I,
)
_DOTS = re.compile(r"\.{3,}|(?:\. ){3,}")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_][\w’'&-]*")
_LINE = re.compile(r"[^\n]+")
_SMALL = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "of", "on", "or", "our", "the", "to", "with", "&"]
)
_PART_LEVEL, _ITEM_LEVEL, _SECTION_LEVEL, _NOTE_LEVEL, _CAPITALS, _TITLE, _SENTENCE = range(1, 8)
_EDGE = 3  # lines at the top and at the foot of a page that may be running ones
_DEPTH = 4  # longest trail
_WRAPPED = 60  # characters from which a bold line may go on in the next
_LONGEST = 300  # characters of a heading
_PROSE = 45  # characters from which a line is taken for running text


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    bold: bool


def find_headings(reading: Reading, *, guess: bool) -> tuple[Heading, ...]:
    """All headings in reading order: those marked and, where `guess`, lines that look like one."""
    if not guess:
        return reading.headings
    running = _running(reading.pages)
    below = max((heading.level for heading in reading.headings), default=0)
    found = {(heading.page, heading.start): heading for heading in reading.headings}
    for page in reading.pages:
        lines = list(_lines(page, reading.bold, running))
        for number, line in enumerate(lines):
            leads = number + 1 < len(lines) and _is_text(lines[number + 1])
            last = number + 1 == len(lines)
            level = None if last else _level(line, leads_text=leads, bold_known=bool(reading.bold))
            if page.statement:
                level = _on_statement(line.text, number, level)
            if level:
                heading = Heading(page.number, line.start, line.end, below + level, " ".join(line.text.split()))
                found.setdefault((page.number, line.start), heading)
    return tuple(found[key] for key in sorted(found))


def _on_statement(text: str, number: int, level: int | None) -> int | None:
    """The title alone is a heading there, though no prose follows it; bold rows are none."""
    if number < TOP and is_title(text):
        return _SECTION_LEVEL
    return level if level and level <= _NOTE_LEVEL else None


def follow(trail: tuple[Heading, ...], heading: Heading) -> tuple[Heading, ...]:
    """The trail once this heading is read: it ends what stood at its level or below."""
    return (*(above for above in trail if above.level < heading.level), heading)[-_DEPTH:]


def _lines(page: Page, bold: frozenset[tuple[int, int]], running: frozenset[str]) -> Iterator[_Line]:
    """The page's lines without running ones; a bold heading that is wrapped comes as one."""
    held: _Line | None = None
    for match in _LINE.finditer(page.text):
        text = match.group().strip()
        if not text or _normal(text) in running:
            continue
        line = _Line(match.start(), match.end(), text, (page.number, match.start()) in bold)
        if held and held.bold and line.bold and _goes_on(held, page.text):
            held = _Line(held.start, line.end, f"{held.text} {text}", True)
            continue
        if held:
            yield held
        held = line
    if held:
        yield held


def _goes_on(line: _Line, page: str) -> bool:
    """Whether a bold line is wrapped: it is long, and no title that is complete."""
    last = page[line.start : line.end].split("\n")[-1]
    if len(last) < _WRAPPED or len(line.text) > _LONGEST or line.text[-1] in ".!?:":
        return False
    words = _WORD.findall(line.text)
    return not _is_titled(words) or words[-1].lower() in _SMALL


def _is_titled(words: Sequence[str]) -> bool:
    return all(word[0].isupper() or word.lower() in _SMALL for word in words)


def _level(line: _Line, *, leads_text: bool, bold_known: bool) -> int | None:
    text = line.text
    if len(text) < 4 or _DOTS.search(text) or "|" in text or "$" in text:
        return None
    if (part := _PART.match(text)) or _ITEM.match(text):
        in_contents = text[-1].isdigit()  # the page number
        return None if in_contents or (len(text) > 40 and part) else _PART_LEVEL if part else _ITEM_LEVEL
    if text[-1].isdigit() or text[-1] in ",;%—)" or sum(map(str.isdigit, text)) > 8:
        return None
    if _NOTE.match(text):
        return _NOTE_LEVEL
    words = _WORD.findall(text)
    titled = _is_titled(words)
    if not words:
        return None
    if _SECTION.match(text) and text[-1] != "." and len(text) < 120 and (line.bold or titled):
        return _SECTION_LEVEL
    if text.isupper() and text[-1] != "." and sum(map(len, words)) >= 5 and len(text) <= 90:
        return _CAPITALS
    if line.bold:
        return _bold_level(text, titled, leads_text)
    guessed = not bold_known and titled and 2 <= len(words) <= 12 and text[-1] != "." and leads_text
    return _TITLE if guessed else None


def _bold_level(text: str, titled: bool, leads_text: bool) -> int | None:
    """What stands over a table's columns is bold, too, but no prose follows it."""
    if not (text[0].isupper() or text[0].isdigit()) or not (leads_text or len(text) > _WRAPPED):
        return None
    return _TITLE if titled and len(text) <= 90 and text[-1] != "." else _SENTENCE


def _is_text(line: _Line) -> bool:
    """Whether the line is prose or a heading's sentence, and no row of a table."""
    if line.bold and line.text[-1] == ".":
        return True
    return len(line.text) > _PROSE and not line.text[-1].isdigit() and line.text[-1] not in ")%—"


def _running(pages: Sequence[Page]) -> frozenset[str]:
    """Lines that stand at the edge of many pages, digits aside."""
    seen: Counter[str] = Counter()
    for page in pages:
        lines = [line.strip() for line in page.text.split("\n") if line.strip()]
        seen.update({_normal(line) for line in (*lines[:_EDGE], *lines[-_EDGE:])})
    enough = max(3, len(pages) // 20)
    return frozenset(line for line, times in seen.items() if times >= enough)


def _normal(line: str) -> str:
    return _DIGITS.sub("#", " ".join(line.split()).casefold())
