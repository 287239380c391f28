"""The heading trail of each passage, from what the format marks and from lines that look like headings."""

import re
from collections import Counter
from collections.abc import Sequence

from rag.ingest.reading import Heading
from rag.types import Page

_PART = re.compile(r"^PART\s+(?:I{1,3}|IV)\b.{0,60}$", re.I)
_ITEM = re.compile(r"^(?:ITEM|Item)\s+\d{1,2}[A-C]?\s*[.:—–-]?\s*\S.{0,120}$")
_NOTE = re.compile(r"^(?:NOTE|Note)\s+\d{1,2}\s*[.:—–-]\s*\S.{0,100}$")
_NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2}){0,2}\.?\s+[A-Z].{2,80}$")
_MARKDOWN = re.compile(r"^(#{1,6})\s+(\S.*?)\s*#*$")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_][\w’'&-]*")
_SMALL = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "into", "of", "on", "or", "our", "the", "to", "with", "&"]
)
_PAGE_NUMBER = re.compile(r"^[\W_]*(?:page\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d+)?[\W_]*$", re.I)
_EDGE = 3  # lines at the top and at the foot of a page that may be running ones
_DEPTH = 3  # longest trail


def find_headings(pages: Sequence[Page], marked: Sequence[Heading] = (), *, guess: bool) -> tuple[Heading, ...]:
    """All headings in reading order: those marked and, where `guess`, those that look like one."""
    if not guess:
        return tuple(marked)
    running = _running(pages)
    found = {(heading.page, heading.start): heading for heading in marked}
    below = max((heading.level for heading in marked), default=0)
    for page in pages:
        start = 0
        lines = page.text.split("\n")
        for number, line in enumerate(lines):
            if (page.number, start) not in found and _normal(line) not in running:
                level = _level(line.strip(), lines[number + 1].strip() if number + 1 < len(lines) else "")
                if level:
                    found[page.number, start] = Heading(page.number, start, below + level, " ".join(line.split()))
            start += len(line) + 1
    return tuple(found[key] for key in sorted(found))


def markdown_headings(pages: Sequence[Page]) -> tuple[Heading, ...]:
    """The lines that begin with #."""
    headings = []
    for page in pages:
        start = 0
        for line in page.text.split("\n"):
            if match := _MARKDOWN.match(line):
                headings.append(Heading(page.number, start, len(match[1]), match[2]))
            start += len(line) + 1
    return tuple(headings)


def follow(trail: tuple[Heading, ...], heading: Heading) -> tuple[Heading, ...]:
    """The trail once this heading is read: it ends what stood at its level or below."""
    return (*(above for above in trail if above.level < heading.level), heading)[-_DEPTH:]


def _level(line: str, following: str) -> int | None:
    """1 for a part, 2 an item, 3 a note, 4 a line in capitals, 5 one in title case; None: no heading."""
    if not 4 <= len(line) <= 120 or (line[-1] in ".,;:|" and not _ITEM.match(line)):
        return None
    if _PART.match(line) and len(line) < 40:
        return 1
    if _ITEM.match(line):
        return None if _DIGITS.search(line[8:]) else 2  # a line of the table of contents ends in a page number
    if _NOTE.match(line):
        return 3
    return _looks_like_title(line, following)


def _looks_like_title(line: str, following: str) -> int | None:
    words = _WORD.findall(line)
    if len(line) > 90 or not 1 <= len(words) <= 12 or "|" in line or "$" in line:
        return None
    if sum(character.isdigit() for character in line) > 4 or line[-1].isdigit() or line[-1] in ")%—":
        return None
    if not following or (not following[0].isalnum() and following[0] not in "“\"'(•$"):
        return None
    if line.isupper() and sum(map(len, words)) >= 5:
        return 4
    titled = sum(word[0].isupper() or word.lower() in _SMALL for word in words)
    long_words = [word for word in words if word.lower() not in _SMALL]
    starts_text = len(following) > 45 and following[0].isupper()
    if titled == len(words) and len(long_words) >= 2 and line[0].isupper() and starts_text:
        return 5
    return None


def _running(pages: Sequence[Page]) -> frozenset[str]:
    """Lines that stand at the edge of many pages, digits aside."""
    seen: Counter[str] = Counter()
    for page in pages:
        lines = [line for line in page.text.split("\n") if line.strip()]
        seen.update({_normal(line) for line in (*lines[:_EDGE], *lines[-_EDGE:])})
    enough = max(3, len(pages) // 20)
    return frozenset(line for line, times in seen.items() if times >= enough)


def _normal(line: str) -> str:
    return _DIGITS.sub("#", " ".join(line.split()).casefold())
