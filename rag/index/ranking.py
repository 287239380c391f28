"""From scores of rows to the ranked hits of a search."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from rag.index.terms import Lexicon, Words
from rag.types import Component, Hit, Passage, ScorerName

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIGITS = 6  # of a score: what differs by less is equal, and then the order is that of the ids


class Scored(NamedTuple):
    row: int
    score: float  # (0, 1]


def best(rows: "NDArray[np.int64]", scores: "NDArray[np.float64]", k: int, lexicon: Lexicon) -> list[Scored]:
    """At most k rows with a score above 0, best first, equal ones by passage id. Arrays of shape (n,)."""
    import numpy as np

    scores = scores.round(DIGITS)
    keep = scores > 0
    if np.count_nonzero(keep) > k:
        keep &= scores >= np.partition(scores, -k)[-k]
    found = zip(rows[keep].tolist(), scores[keep].tolist(), strict=True)
    return [Scored(*pair) for pair in sorted(found, key=lambda pair: (-pair[1], lexicon.passage_id(pair[0])))[:k]]


def hits(ranked: Iterable[Scored], scorer: ScorerName, words: Words, lexicon: Lexicon) -> tuple[Hit, ...]:
    """The passages of these rows, with the words of the query that each one holds."""
    ranked = list(ranked)
    passages = lexicon.passages([row for row, _ in ranked])
    held = lexicon.held(words.folded, [row for row, _ in ranked])
    return tuple(
        _hit(passages[row], Component(scorer, score, rank), there, words)
        for rank, ((row, score), there) in enumerate(zip(ranked, held, strict=True), 1)
        if row in passages
    )


def _hit(passage: Passage, component: Component, held: list[bool], words: Words) -> Hit:
    pairs = list(zip(words.typed, held, strict=True))
    matched = tuple(word for word, there in pairs if there)
    return Hit(passage, component.score, (component,), matched, tuple(word for word, there in pairs if not there))
