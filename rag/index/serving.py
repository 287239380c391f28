"""Dense search by whichever model's vectors serve the library just now."""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from rag.errors import EmbeddingFailed
from rag.index.dense import FLOOR, DenseScorer
from rag.index.store import Store
from rag.index.terms import Terms
from rag.ports import Embedder
from rag.types import Query, ScorerName, SearchResult

_Found = TypeVar("_Found")


class ServingScorer:
    """A `DenseScorer` of the serving model, another one once another model serves; never of two at once.

    Raises `EmbeddingFailed` where that model cannot be asked.
    """

    name: ScorerName = "dense"

    def __init__(
        self, store: Store, embedder: Callable[[str], Embedder | None], terms: Terms, *, floor: float = FLOOR
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._terms = terms
        self._floor = floor
        self._lock = threading.Lock()
        self._made: tuple[str, DenseScorer] | None = None

    def search(self, query: Query) -> SearchResult:
        return self._ask(lambda scorer: scorer.search(query))

    def score(self, query: Query, passage_ids: Sequence[str]) -> dict[str, float]:
        return self._ask(lambda scorer: scorer.score(query, passage_ids))

    def _ask(self, ask: Callable[[DenseScorer], _Found]) -> _Found:
        while True:
            model = str(self._store.spaces.serving())
            found = ask(self._scorer(model))
            if self._store.spaces.serving() == model:  # else its vectors may have gone in between
                return found

    def _scorer(self, model: str) -> DenseScorer:
        with self._lock:
            if self._made is None or self._made[0] != model:
                embedder = self._embedder(model)
                if embedder is None:
                    raise EmbeddingFailed(
                        f"The library's vectors are of the embedding model {model!r}, which cannot be asked with these "
                        "settings. Change the library over to yours on Documents, or set those that it was made with."
                    )
                self._made = model, DenseScorer(self._store, embedder, self._terms, floor=self._floor)
            return self._made[1]
