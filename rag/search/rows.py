"""Rows of tables in running text: a label and its numbers on one line."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rag.search.vocabulary import contains_run
from rag.words import STOP, stem, tokens

DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
# "(1,125)", "$ 411,976", "1.25", "-22,651", "—", "8%", "(6,320 )"; what it may begin with is asked first, for speed
NUMBER = re.compile(
    rf"""(?=[\s($€£¥\d—–−-])(?<![\w.,/])(?<!\w-)(?P<open>\()?(?:\s*+[$€£¥])?\s*+(?P<minus>[-−–](?=\d))?
        (?P<digits>{DIGITS}|[—–-](?=\s|$|\)))
        \s*(?P<close>\))?(?P<percent>\s?%)?(?![\w,])""",
    re.X,
)
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:19[5-9]|20[0-4])\d")
# "(Notes 1 and 3)", "(see note 4)", "(a)", "Note 7": what points elsewhere and is no value
_REFERENCE = re.compile(
    r"\((?:notes?\s*[\d,and &]+|see[^)\n]*|[a-z])\)|\b[Nn]otes?\s+\d+(?:\s*(?:,|and|&)\s*\d+)*\b", re.I
)
# "net of accumulated depreciation of $68,251 and $59,660", "less allowance of $35, $46 and $32, respectively"
_NET_OF = re.compile(
    r",?\s*\b(?:net\s+of|less)\s[^\d\n]{0,80}?[$€£]?\s?[\d.,]+\d(?:,\s*[$€£]?[\d.,]+\d)*,?\s+and\s+[$€£]?\s?[\d.,]*\d"
    r"(?:,?\s*respectively)?",
    re.I,
)
_LESS = re.compile(r",?\s*\b(?:net\s+of|less)\s+(?:accumulated|allowances?)\b.*", re.I)
_NEUTRAL = frozenset(
    map(stem, "net total consolidated group reported".split())
)  # what does not change which line it is
_OTHER = frozenset(
    map(stem, "other accumulated noncontrolling controlling deferred discontinued continuing".split())
)  # what does
_NOT_STOCK = frozenset(map(stem, "beginning january repayments proceeds issuance payments purchases change".split()))
_KEPT = frozenset({"other", "no", "not", "and"})  # stop words that tell lines of a statement apart
ALWAYS_IN_LABELS = frozenset(map(stem, (*_KEPT, "net")))  # what a label may hold and `rag.words.stems` of it does not
# "(used in)", "/(loss)": the other sign of the same line; and years of a table's head that ran into its first row
_OTHER_SIGN = re.compile(
    r"/?\s*\((?:used|loss|losses|decrease|increase|benefit|recover\w+|expense|deficit|profit|income|gain)\b[^()]*\)",
    re.I,
)
_HEAD_YEARS = re.compile(r"^(?:(?:19|20)\d\d\s+)+")


class Row(NamedTuple):
    label: str
    values: tuple[float | None, ...]  # brackets negative; None: a dash
    printed: tuple[str, ...]  # as long as values
    start: int  # span of the line in the text
    end: int
    percent: bool  # whether any value is a percentage
    section: str  # the line without numbers under which the row is the first; "" for the others
    heads: tuple[str, ...] = ()  # years of the table's head that ran into the row's line


@lru_cache(maxsize=20_000)
def rows(text: str) -> tuple[Row, ...]:
    """The lines of a text that are a label followed by numbers alone; a label may begin on the line before."""
    return tuple(_rows(text))


def _rows(text: str) -> Iterator[Row]:
    at, held, section = 0, "", ""
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        body, small = line.rstrip(), line.lower()
        if "(" in small or "note" in small:  # asking for a word first spares most lines the slow patterns
            body = _REFERENCE.sub(_blank, body)
        runs = []
        if _DIGIT.search(body):
            if "net" in small or "less" in small:
                body = _NET_OF.sub(_net, body)
            runs = _runs(body)
        for order, (begin, numbers) in enumerate(runs):
            label = body[begin : numbers[0].start()].rstrip(" :$€£¥").rpartition(": ")[2].strip(" .…:|$€£¥")
            whole = f"{held} {label}".strip() if order == 0 and held and (not label or label[0].islower()) else label
            if any(c.isalpha() for c in whole) and len(label) <= 140:
                values, printed = tuple(_value(m) for m in numbers), tuple(_printed(m) for m in numbers)
                span = start + begin, start + numbers[-1].end()
                heads = tuple((_HEAD_YEARS.match(whole) or [""])[0].split())
                whole = _HEAD_YEARS.sub("", whole)
                yield Row(whole, values, printed, *span, any(m["percent"] for m in numbers), section, heads)
                section = section if section and order == 0 and held != section else ""
        plain = body.strip()
        held = plain if 0 < len(plain) <= 110 and not runs and not plain.endswith((".", ";")) else ""
        section = held or section


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _net(match: re.Match[str]) -> str:
    """What was taken off is no value of the row; that the row is net stays in its label."""
    return " net".ljust(len(match.group()))


def _runs(line: str) -> list[tuple[int, list[re.Match[str]]]]:
    """Where each row of the line begins, and its numbers: two or more together anywhere, or those at the line's end."""
    groups: list[list[re.Match[str]]] = []
    for match in NUMBER.finditer(line):
        beside = groups and not line[groups[-1][-1].end() : match.start()].strip(" $€£¥|)\t")
        if beside:
            groups[-1].append(match)
        else:
            groups.append([match])
    last = len(line.rstrip(" $€£¥|%)\t"))
    rows, begin = [], 0
    for group in groups:
        ends_line = group[-1].end() >= last
        years = [m for m in group if _YEAR.fullmatch(m["digits"]) and not m["open"]]
        if (
            len(years) == len(group)
            or not (ends_line or len(group) > 1)
            or all(not m["digits"][0].isdigit() for m in group)
        ):
            continue
        rows.append((begin, group))
        begin = group[-1].end()
    return rows


def _value(match: re.Match[str]) -> float | None:
    digits = match["digits"].replace(",", "")
    if not digits[0].isdigit():
        return None
    return -float(digits) if match["open"] or match["minus"] else float(digits)


def _printed(match: re.Match[str]) -> str:
    sign = ("(", ")") if match["open"] and match["close"] else ("", "")
    return f"{sign[0]}{match['minus'] or ''}{match['digits']}{sign[1]}"


def label_fit(row: Row, wanted: Sequence[str]) -> float:
    """How well a row's label is one of the wanted lines, in [0, 1]: 1.0 says the same words, longer labels less."""
    words = label_stems(row.label)
    return max((_fit(words, label_stems(line)) for line in wanted), default=0.0)


def section_fit(row: Row, wanted: Sequence[str]) -> float:
    """The same for the heading under which the row is the first."""
    return (
        max((_fit(label_stems(row.section), label_stems(line)) for line in wanted), default=0.0) if row.section else 0.0
    )


@lru_cache(maxsize=50_000)
def label_stems(label: str) -> tuple[str, ...]:
    """Stems of a line's label, with the function words that tell one line from another."""
    plain = _LESS.sub(" net ", _OTHER_SIGN.sub(" ", _REFERENCE.sub(" ", label))).replace("&", " and ")
    return tuple(stem(w) for w in tokens(plain) if w not in STOP or w in _KEPT)


def _fit(words: tuple[str, ...], wanted: tuple[str, ...]) -> float:
    if wanted and "".join(words) == "".join(wanted):
        return 1.0  # also where the file has lost the space between two words
    if not wanted or not set(wanted) <= set(words):
        return 0.0
    extra = set(words) - set(wanted)
    share = len(wanted) / (len(wanted) + len(extra - _NEUTRAL))
    if not extra:
        return 0.9  # "earnings per share, diluted"
    if extra & _OTHER or not contains_run(words, wanted) or _goes_on(words, wanted):
        return 0.3 * share  # "total current assets" and "total liabilities and equity" are other lines
    if len(wanted) == 1:
        return share if share == 1 else 0.6 * share
    return max(0.5, share) if words[: len(wanted)] == wanted else 0.8 * share


def _goes_on(words: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether the label names something else besides: "total liabilities and equity"."""
    return contains_run(words, (*wanted, "and"))


def word_fit(label: str, wanted: Sequence[str]) -> float:
    """The same for a figure that no vocabulary knows: share of its stems that the label holds, less in long labels.

    What stood at the beginning of a year is seldom what is asked.
    """
    words = label_stems(label)
    if (_OTHER | _NOT_STOCK) & set(words) - set(wanted):
        return 0.0
    held = set(wanted) & set(words)
    return len(held) / len(wanted) * (0.5 + 0.5 * len(held) / len(words)) if wanted and words else 0.0
