"""Nearness of meaning: the cosine between the query's vector and each passage's, over FAISS."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from time import perf_counter

from rag.index.flat import FlatIndex, Near
from rag.index.ranking import DIGITS, best, hits
from rag.index.store import Store
from rag.index.terms import Terms, words_of
from rag.ports import Embedder
from rag.types import Query, ScorerName, SearchResult

# A cosine up to this counts as no match. Set for MiniLM on passages of annual reports: ten queries about other things
# (cakes, penguins) stay under .26 with each of 476 passages; of questions and the best passage on their true page, one
# in a hundred lies under .30, half over .50. The score is the cosine as it is, so that it can be checked by hand.
FLOOR = 0.3


class DenseScorer:
    """Vectors join the ranking as they arrive; a passage without one is not found."""

    name: ScorerName = "dense"

    def __init__(self, store: Store, embedder: Embedder, terms: Terms | None = None, *, floor: float = FLOOR) -> None:
        self._store = store
        self._terms = terms or Terms(store)
        self._vector = lru_cache(256)(lambda text: embedder.embed([text])[0])  # asked once for each document
        self._index = FlatIndex(store, embedder.name)
        self._floor = floor
        self._lock = threading.Lock()

    def search(self, query: Query) -> SearchResult:
        started = perf_counter()
        words, lexicon = words_of(query.text), self._terms.now()
        start, stop = lexicon.range_of(query.documents)
        near = self._near(query.text, range(lexicon.rows[start], lexicon.rows[stop - 1] + 1) if start < stop else ())
        inside = slice(None) if query.documents is None else lexicon.inside(near.rows, query.documents)
        ranked = best(near.rows[inside], near.cosines[inside], query.k, lexicon)
        found = hits(ranked, self.name, words, lexicon)
        return SearchResult(query, self.name, found, perf_counter() - started)

    def score(self, query: Query, passage_ids: Sequence[str]) -> dict[str, float]:
        """Of those of the passages that are near enough; the query's own documents play no part."""
        lexicon = self._terms.now()
        rows = {lexicon.row(id): id for id in passage_ids if lexicon.has(id)}
        near = self._near(query.text, [*rows])
        cosines = zip(near.rows.tolist(), near.cosines.round(DIGITS).tolist(), strict=True)
        return {rows[row]: cosine for row, cosine in cosines}

    def _near(self, text: str, rows: range | Sequence[int]) -> Near:
        import numpy as np

        if not rows or not words_of(text).folded:
            return Near(np.empty(0, np.int64), np.empty(0))
        vector = self._vector(text)  # before the lock: a server may let it wait
        with self._lock:
            near = self._index.near(vector, self._floor, rows)
        return Near(near.rows, near.cosines.clip(0, 1))
