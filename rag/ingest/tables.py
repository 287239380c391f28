"""What heads a table that began in an earlier passage of its page."""

import re
from collections.abc import Sequence

_FIGURE = re.compile(r"\d,\d{3}|\d\.\d|\(\d+\)|\d\s?%|[$€£]\s?\d")  # no year, no day and no number of a note
_ENDS_ROW = re.compile(r"(?:[\d—–-]|N/A)\s*\)?\s*%?\s*\)?$")
_YEARS = re.compile(r"\b(?:19|20)\d\d\b.*\b(?:19|20)\d\d\b")
_UNITS = re.compile(r"\b(?:in\s+)?(?:thousands|millions|billions)\b|[$€£]\s?(?:000|m\b|bn\b)|%\s+change", re.I)
_MARK = re.compile(r"^\(\w{1,2}\)\s")  # of a footnote
_SENTENCE_END = re.compile(r"[.;!?][)”\"’]?\s*$")
_LAST_SENTENCE = re.compile(r"(?:^|(?<=[.;!?])\s+)(?=[A-Z])")
_INTRODUCES = re.compile(r"\b(?:follow\w*|table|below|(?:is|are|was|were)(?:\s+as)?)\b", re.I)
_LONGEST = 90  # characters of a line that is no prose
_HEAD = 3  # lines without numbers from which they are a head and no label within the table
_MOST = 24  # lines of a head: each word of a column's head may stand in one of its own
_INTRODUCED = 3  # lines of the sentence that introduces a table


def head_above(text: str, at: int) -> str:
    """Title, units and heads of the columns of the table that goes on at the offset; "" where none does."""
    above = [line.strip() for line in text[:at].splitlines() if line.strip()]
    below = text[at:].lstrip().partition("\n")[0]
    if not above or not _is_row(above[-1]) or not _is_row(below):
        return ""
    start = end = len(above)
    while start:
        line = above[start - 1]
        if _is_row(line):
            if _is_head(above[start:end]):
                break
            start = end = start - 1
        elif _is_prose(line):
            break
        else:
            start -= 1
    return "\n".join((*_introduction(above[:start]), *above[start:end][-_MOST:]))


def _is_row(line: str) -> bool:
    plain = _MARK.sub("", line)
    return len(plain) <= 2 * _LONGEST and bool(_ENDS_ROW.search(plain) and _FIGURE.search(plain))


def _is_prose(line: str) -> bool:
    """A short line that ends in a colon is a label within the table, if it does not introduce one."""
    introduces = line.endswith(":") and _INTRODUCES.search(line)
    return len(line) > _LONGEST or bool(_SENTENCE_END.search(line) or introduces)


def _is_head(lines: Sequence[str]) -> bool:
    """Whether lines without numbers, between rows, head a table of their own and no part of one."""
    return len(lines) >= _HEAD or any(_YEARS.search(line) or _UNITS.search(line) for line in lines)


def _introduction(above: Sequence[str]) -> list[str]:
    """The sentence right above that leads to the table: "The face value of our debt is as follows (in millions):"."""
    lines = above[-_INTRODUCED:]
    after = max((number for number, line in enumerate(lines, 1) if _is_row(line)), default=0)
    last = _LAST_SENTENCE.split(" ".join(lines[after:]))[-1]
    return [last] if last.endswith(":") or _INTRODUCES.search(last) else []
