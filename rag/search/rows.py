"""Rows of tables in running text: a label and its numbers on one line."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rag.search.vocabulary import phrase_stems
from rag.words import STOP, stem, stems, tokens

# "(1,125)", "$ 411,976", "1.25", "—", "8%", "(6,320 )"
NUMBER = re.compile(r"(?<![\w.,])(?P<open>\()?\s*[$€£¥]?\s*(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[—–-](?=\s|$|\)))\s*(?P<close>\))?(?P<percent>\s?%)?(?![\w,])")
_NOTE = re.compile(r"\((?:notes?\s*[\d,and &]+|see[^)]*|[a-z]|\d{1,2})\)|\bnotes?\s+\d+(?:\s*(?:,|and|&)\s*\d+)*\s*$|\s+[A-Z]?\d{0,2}\s*$", re.I)


class Row(NamedTuple):
    label: str
    values: tuple[float | None, ...]  # brackets negative; None: a dash
    printed: tuple[str, ...]  # as long as values
    start: int  # span of the line in the text
    end: int
    percent: bool  # whether any value is a percentage


@lru_cache(maxsize=20_000)
def rows(text: str) -> tuple[Row, ...]:
    """The lines of a text that are a label followed by numbers alone; a label may begin on the line before."""
    return tuple(_rows(text))


def _rows(text: str) -> Iterator[Row]:
    at, held = 0, ""
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        body = line.strip()
        matches = _trailing_numbers(body)
        label = body[: matches[0].start()] if matches else body
        label = label.strip(" .…:|$€£¥")
        if matches and (label or held) and len(label) <= 140:
            whole = f"{held} {label}".strip() if held and (not label or label[0].islower()) else label
            if any(c.isalpha() for c in whole):
                values = tuple(_value(m) for m in matches)
                yield Row(whole, values, tuple(_printed(m) for m in matches), start, start + len(line.rstrip()), any(m["percent"] for m in matches))
            held = ""
        else:
            held = body if 0 < len(body) <= 100 and not matches and not body.endswith((".", ";")) else ""


def _trailing_numbers(line: str) -> list[re.Match[str]]:
    """The numbers at the line's end with nothing but space between them; a lone year or note number is none."""
    found: list[re.Match[str]] = []
    end = len(line)
    for match in reversed(list(NUMBER.finditer(line))):
        if line[match.end() : end].strip(" $€£¥|%)\t"):
            break
        found.insert(0, match)
        end = match.start()
    if len(found) == 1 and re.fullmatch(r"(?:19|20)\d\d", found[0]["digits"]):
        return []
    return found


def _value(match: re.Match[str]) -> float | None:
    digits = match["digits"].replace(",", "")
    if not digits[0].isdigit():
        return None
    return -float(digits) if match["open"] else float(digits)


def _printed(match: re.Match[str]) -> str:
    sign = ("(", ")") if match["open"] and match["close"] else ("", "")
    return f"{sign[0]}{match['digits']}{sign[1]}"


def label_fit(label: str, wanted: Sequence[str]) -> float:
    """How well a row's label is one of the wanted lines, in [0, 1]: 1.0 says the same words, longer labels less."""
    words = label_stems(label)
    return max((_fit(words, phrase_stems(line)) for line in wanted), default=0.0)


@lru_cache(maxsize=50_000)
def label_stems(label: str) -> tuple[str, ...]:
    return tuple(stems(_NOTE.sub(" ", label)))


def _fit(words: tuple[str, ...], wanted: tuple[str, ...]) -> float:
    if not wanted or not set(wanted) <= set(words):
        return 0.0
    begins = words[: len(wanted)] == wanted
    return len(wanted) / len(words) * (1.0 if begins else 0.8)


def word_fit(label: str, wanted: Sequence[str]) -> float:
    """The same for a figure that no vocabulary knows: share of its stems that the label holds, times their share of it."""
    words = [stem(w) for w in tokens(_NOTE.sub(" ", label)) if w not in STOP]
    held = set(wanted) & set(words)
    return len(held) / len(wanted) * (0.5 + 0.5 * len(held) / len(words)) if wanted and words else 0.0
