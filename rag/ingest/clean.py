"""Raw text to cleaned text, with a map back to the raw characters."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

Runs = tuple[tuple[int, int], ...]  # (offset in the cleaned text, index in the raw text), both rising

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_ONE_TO_ONE = str.maketrans(dict.fromkeys("\t\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000", " ") | {"\u2011": "-"})
_OUT = r"\x00\x01\x03-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200d\u2060\ufeff\uffff\ud800-\udfff\ue000-\uf8ff"
_EDIT = re.compile(
    rf"(?P<newline>[ {_OUT}]*(?:\r\n?|[\n\f\v\u2028\u2029]))"
    rf"|(?P<spaces> [ {_OUT}]*[ {_OUT}])"
    r"|(?P<ligature>[ﬀ-ﬆ])"
    r"|(?P<hyphen>[\ufffe\x02])"
    rf"|(?P<out>[{_OUT}]+)"
)
_WORD = re.compile(r"[a-z]+")
_BEFORE, _AFTER = re.compile(r"[^\W\d_]+$"), re.compile(r"^[^\W\d_]+")


class Cleaned(NamedTuple):
    text: str
    runs: Runs


def clean(raw: str, words: frozenset[str] = frozenset()) -> Cleaned:
    """The text without glyphs that no reader can use: ligatures unfolded, NUL and private-use characters out, line ends
    "\\n", one space where there were several.

    A hyphen at a line's end (U+FFFE of PDFium) goes where the joined word is one of `words`, and becomes "-" elsewhere.
    """
    plain = raw.translate(_ONE_TO_ONE)
    parts: list[str] = []
    runs: list[tuple[int, int]] = []
    length = position = 0

    def take(text: str, index: int) -> None:
        nonlocal length
        if text:
            parts.append(text)
            runs.append((length, index))
            length += len(text)

    for edit in _EDIT.finditer(plain):
        if edit.lastgroup == "newline" and edit.group() == "\n":
            continue
        take(plain[position : edit.start()], position)
        for character in _replacement(edit, plain, words):
            take(character, edit.start())
        position = edit.end()
    take(plain[position:], position)
    return Cleaned("".join(parts), tuple(runs))


def vocabulary(texts: Sequence[str]) -> frozenset[str]:
    """The words of a document in lower case."""
    return frozenset(word for text in texts for word in _WORD.findall(text.lower()))


def raw_index(runs: Runs, offset: int) -> int:
    """The raw character from which the cleaned text at this offset came."""
    if not runs:
        return offset
    start, index = runs[max(bisect_right(runs, offset, key=lambda run: run[0]) - 1, 0)]
    return index + offset - start


def _replacement(edit: re.Match[str], plain: str, words: frozenset[str]) -> str:
    match edit.lastgroup:
        case "newline":
            return "\n"
        case "spaces":
            return " "
        case "ligature":
            return _LIGATURES[edit.group()]
        case "hyphen":
            before = _BEFORE.search(plain[max(edit.start() - 30, 0) : edit.start()])
            after = _AFTER.search(plain[edit.end() : edit.end() + 30])
            joined = before.group() + after.group() if before and after else ""
            return "" if joined.lower() in words else "-"
    return ""
