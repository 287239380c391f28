"""A page's text, cut into passages at the borders that hurt least.

The cut is the cheapest one under a cost: what each border costs, and how far each passage is from full, as TeX breaks a
paragraph into lines (Knuth and Plass, 1981).
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rag.ingest import tokens

_LINE = re.compile(r"[^\n]*\n+|[^\n]+$")
_SENTENCE_END = re.compile(r"(?<=[a-z)’”\"\d][.!?;])(?= +[A-Z“\"(‘])|(?<=[。！？])(?=\S)")
_ENDS_SENTENCE = re.compile(r"[.!?:;。！？][)\"”’]*\s*$")
_ENDS_ROW = re.compile(r"[\d)%—–|-]\s*$")
_WORD = re.compile(r"\s*\S+\s*?(?=\s|$)|\s+")

# What it costs to end a passage there.
_PARAGRAPH, _SENTENCE, _ROW, _LINE_END, _WORD_END, _AFTER_HEADING = 0.0, 0.15, 0.2, 1.6, 3.0, 6.0
_EACH = 0.6  # each further passage: so few and full ones are better than many


class Span(NamedTuple):
    start: int
    end: int
    tokens: int


class _Piece(NamedTuple):
    start: int
    end: int
    tokens: int
    cost: float  # of a border behind it


def cut(text: str, limit: int, headings: Sequence[tuple[int, int]] = ()) -> tuple[Span, ...]:
    """Spans of at most `limit` tokens, in order, that leave out nothing but white space.

    `headings` are spans of heading lines; a passage may end before one, and hardly ever within or right behind one.
    """
    pieces = _pieces(text, limit, headings)
    spans = (_trim(text, pieces[i].start, pieces[j - 1].end) for i, j in _cheapest(pieces, limit))
    return tuple(span for span in spans if span.end > span.start)


def _cheapest(pieces: Sequence[_Piece], limit: int) -> list[tuple[int, int]]:
    """Ranges of pieces: the cut of least total cost."""
    best = [0.0] + [float("inf")] * len(pieces)
    came = [0] * (len(pieces) + 1)
    for j in range(1, len(pieces) + 1):
        size = 0
        border = 0.0 if j == len(pieces) else pieces[j - 1].cost
        for i in range(j - 1, -1, -1):
            size += pieces[i].tokens
            if size > limit and i < j - 1:
                break
            cost = best[i] + border + _EACH + max(1 - size / limit, 0.0) ** 2
            if cost < best[j]:
                best[j], came[j] = cost, i
    ranges = []
    j = len(pieces)
    while j:
        ranges.append((came[j], j))
        j = came[j]
    return ranges[::-1]


def _pieces(text: str, limit: int, headings: Sequence[tuple[int, int]]) -> list[_Piece]:
    """Lines, cut at sentence ends, and further only where one is longer than a passage may be."""
    pieces = []
    starts = frozenset(start for start, _ in headings)
    inside = frozenset(at for start, end in headings for at in range(start, end))
    for line in _LINE.finditer(text):
        bounds = [line.start(), *(line.start() + m.start() for m in _SENTENCE_END.finditer(line.group())), line.end()]
        for start, end in pairwise(bounds):
            size = _size(text[start:end])
            if size > limit:
                pieces += _parts(text, start, end, limit)
            else:
                pieces.append(_Piece(start, end, size, _border(text[start:end], start in inside, end in starts)))
    return pieces


def _border(piece: str, heading: bool, before_heading: bool) -> float:
    """What it costs to end a passage behind this piece."""
    if heading:
        return _AFTER_HEADING
    if before_heading or piece.endswith("\n\n") or not piece.strip():
        return _PARAGRAPH
    if _ENDS_SENTENCE.search(piece):
        return _SENTENCE
    return _ROW if _ENDS_ROW.search(piece) else _LINE_END


def _parts(text: str, start: int, end: int, limit: int) -> list[_Piece]:
    """A piece that is too long, cut between words, and a word that is too long, cut anywhere."""
    parts: list[_Piece] = []
    for word in _WORD.finditer(text, start, end):
        at, stop = word.span()
        while at < stop:
            step = stop
            while (size := _size(text[at:step])) > limit:
                step = at + max((step - at) * limit // (size + 1), 1)
                if step - at == 1:
                    size = min(size, limit)
                    break
            parts.append(_Piece(at, step, size, _WORD_END))
            at = step
    return parts


def _size(piece: str) -> int:
    """Tokens of the piece wherever it stands: at the head of a passage it loses its leading space."""
    return max(tokens.count(piece), tokens.count(piece.lstrip())) if piece[0].isspace() else tokens.count(piece)


def _trim(text: str, start: int, end: int) -> Span:
    """The span without white space at its ends, so that it is exactly what is shown."""
    inner = text[start:end].strip()
    left = start + text[start:end].find(inner)
    return Span(left, left + len(inner), tokens.count(inner))
