"""A summary of a document out of its own sentences: what it does, how it went, what it fears, what it expects.

For each of these the sentences nearest to the centroid of all its words are taken (Radev, Jing and Budzikowska,
"Centroid-based summarization of multiple documents", 2000); sentences that repeat a chosen one are passed over, as in
maximal marginal relevance (Carbonell and Goldstein, 1998). A document that speaks of none of them gives its nearest.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rag.agent.sentences import sentences
from rag.types import Passage
from rag.words import stems

MOST = 8  # sentences of a summary
PART = 30_000  # tokens of a part of a long document: some forty pages
LONG = 280  # characters of a sentence that a summary takes
_REPEAT = 0.5  # share of common stems from which a sentence counts as a repetition
_SUBJECT = r"\b(?:we|our|the\s+(?:company|group|trust|bank|fund|firm))\b|^[A-Z][\w&.’']+(?:\s+[A-Z][\w&.’']+){0,3}\s"


class _Aspect(NamedTuple):
    says: re.Pattern[str]  # in the sentence
    stands: re.Pattern[str] | None  # in its heading trail; None: anywhere
    most: int  # sentences


_ASPECTS = (
    _Aspect(
        re.compile(
            rf"(?:{_SUBJECT}).{{0,60}}\b(?:is|are)\s+(?:an?|the|one\s+of)\b.{{0,60}}\b(?:provider|manufacturer|maker|company|bank|"
            r"retailer|supplier|producer|platform|group|trust|investor|leader|operator|designer|developer)\b"
            rf"|(?:{_SUBJECT}).{{0,30}}\b(?:makes?|designs?|manufactures?|sells?|provides?|operates?|invests?|develops?)\b"
        ),
        None,
        2,
    ),
    _Aspect(
        re.compile(
            r"\b(?:sales|revenues?|income|profit|earnings|loss|net\s+asset\s+value)\b.{0,80}\b(?:rose|fell|grew|increased|decreased|"
            r"declined|was|were|of|up|down|came\s+to)\b.{0,40}(?:\d[\d,.]*\s?(?:%|percent|million|billion)|[$€£]\s?\d)",
            re.I,
        ),
        None,
        3,
    ),
    _Aspect(re.compile(r"\b(?:may|might|could|would|risk)\b", re.I), re.compile(r"\brisks?\b|uncertaint", re.I), 2),
    _Aspect(re.compile(r"\b(?:expects?|plans?\s+to|intends?|outlook|guidance|we\s+believe)\b", re.I), None, 1),
)


class _Line(NamedTuple):
    order: int  # of its passage in the document
    passage: Passage
    sentence: str
    bag: frozenset[str]  # stems
    near: float  # to the centroid


def parts(passages: Sequence[Passage]) -> list[tuple[Passage, ...]]:
    """A document's passages in pieces of about PART tokens, in order; at least one."""
    pieces: list[list[Passage]] = [[]]
    size = 0
    for passage in passages:
        if size + passage.tokens > PART and pieces[-1]:
            pieces.append([])
            size = 0
        pieces[-1].append(passage)
        size += passage.tokens
    return [tuple(piece) for piece in pieces]


def summarise(passages: Sequence[Passage], *, most: int = MOST) -> list[tuple[Passage, str]]:
    """At most `most` sentences with the passage of each, in the document's order."""
    lines = _lines(passages)
    if not lines:
        return [(p, " ".join(p.text.split())[:LONG]) for p in passages[:1] if p.text.strip()]
    chosen: list[_Line] = []
    for aspect in _ASPECTS:
        fitting = [line for line in lines if _fits(line, aspect)]
        chosen += _best(fitting, chosen, min(aspect.most, most - len(chosen)))
    chosen += _best(lines, chosen, most - len(chosen)) if len(chosen) < min(most, 4) else []
    return [(line.passage, line.sentence) for line in sorted(chosen, key=lambda line: line.order)]


def _lines(passages: Sequence[Passage]) -> list[_Line]:
    rows = [(i, p, s, Counter(stems(s))) for i, p in enumerate(passages) for s in sentences(p) if _is_prose(s)]
    frequency = Counter(stem for *_, bag in rows for stem in bag)
    common = {stem: count for stem, count in frequency.items() if count >= 3 or len(rows) < 30}
    return [
        _Line(
            i,
            p,
            s,
            frozenset(bag),
            sum(math.log(1 + common[w]) for w in bag if w in common) / math.sqrt(10 + sum(bag.values())),
        )
        for i, p, s, bag in rows
    ]


def _fits(line: _Line, aspect: _Aspect) -> bool:
    trail = " ".join(line.passage.headings)
    return bool(aspect.says.search(line.sentence)) and (aspect.stands is None or bool(aspect.stands.search(trail)))


def _best(lines: Sequence[_Line], chosen: Sequence[_Line], most: int) -> list[_Line]:
    """The nearest of these lines, earlier ones a little before later ones, none like a chosen one."""
    last = max((line.order for line in lines), default=0) + 1
    taken: list[_Line] = []
    for line in sorted(lines, key=lambda line: (-line.near * (1.5 - line.order / last), line.order)):
        if len(taken) >= most:
            break
        if all(len(line.bag & other.bag) < _REPEAT * min(len(line.bag), len(other.bag)) for other in (*chosen, *taken)):
            taken.append(line)
    return taken


def _is_prose(sentence: str) -> bool:
    """Whether it reads as a sentence that can be quoted, not as a cover, an address or a signature."""
    words = [word for word in sentence.split() if word[0].isalpha()]
    whole = sentence[0].isupper() and sentence[-1:] in ".!?”"
    return whole and len(words) >= 6 and len(sentence) <= LONG and sum(w[0].isupper() for w in words) < 0.4 * len(words)
