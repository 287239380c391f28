"""Near-copies: passages of one document that say almost the same as a better one of it.

What another document says in the same words is no copy: it is that document's own statement.
"""

from collections.abc import Iterable
from typing import NamedTuple

from rag.search.support import passage_words
from rag.types import Copy, Hit, Passage

COPY = 0.9  # share of common words (Jaccard) from which a passage counts as a copy of another
FEWEST = 8  # distinct words that a passage needs for that: short lines are alike and yet say different things


class Distinct(NamedTuple):
    """Hits of which no two are copies, and what was left out for it."""

    kept: tuple[Hit, ...]
    copies: tuple[Copy, ...]


def without_copies(hits: Iterable[Hit], most: int) -> Distinct:
    """The first `most` of the hits, best first, without copies of a better one of the same document."""
    kept: list[Hit] = []
    copies: list[Copy] = []
    said: dict[str, list[tuple[frozenset[str], Passage]]] = {}
    for hit in hits:
        if len(kept) == most:
            break
        words, others = passage_words(hit.passage), said.setdefault(hit.passage.document_id, [])
        better = next((passage for other, passage in others if _alike(words, other)), None)
        if better:
            copies.append(Copy(hit, better))
        else:
            kept.append(hit)
            others.append((words, hit.passage))
    return Distinct(tuple(kept), tuple(copies))


def _alike(left: frozenset[str], right: frozenset[str]) -> bool:
    few, many = sorted((len(left), len(right)))
    if few < FEWEST or few < COPY * many:  # sets of such sizes cannot have that much in common
        return False
    return len(left & right) >= COPY * len(left | right)
