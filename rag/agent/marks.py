"""The many ways in which models cite, written as ours: [n]."""

import re

MOST = 20  # passages that a range may stand for
_WORD = r"(?:passages?|sources?|refs?\.?|references?|citations?|nos?\.?|#|\^|†)"
_ESCAPED = re.compile(r"\\\[(\s*\d[\d\s,;–-]*)\\\]")
_LIST = rf"\d{{1,6}}(?:\s*(?:[,;–-]|and|&)\s*(?:{_WORD}\s*)?\d{{1,6}})*"
_BRACKETS = re.compile(rf"[\[［【]\s*(?:{_WORD}\s*)?(?P<list>{_LIST})(?:†[^\]］】]*)?\s*[\]］】]", re.I)
_LINKED = re.compile(r"(\[\d{1,6}\])\((?:https?:|www\.|#|/)[^()\s]*\)", re.I)
_PART = re.compile(r"(\d{1,6})(?:\s*[–-]\s*(?:[^\d\s]+\s*)?(\d{1,6}))?")


def plain_marks(text: str) -> str:
    """The text with lists, ranges and lookalikes of marks as single [n]; a mark that is a link loses its address."""
    text = _BRACKETS.sub(lambda found: _single(found["list"]), _ESCAPED.sub(r"[\1]", text))
    return _LINKED.sub(r"\1", text)


def _single(written: str) -> str:
    numbers: list[int] = []
    for first, last in _PART.findall(written):
        stop = int(last) if last and int(first) < int(last) <= int(first) + MOST else int(first)
        numbers += range(int(first), stop + 1)
        if last and stop == int(first):
            numbers.append(int(last))
    return "".join(f"[{number}]" for number in dict.fromkeys(numbers))
