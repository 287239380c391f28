"""What the scorers share that go by the words of the query and need no model."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from rag.index.ranking import DIGITS, best, hits
from rag.index.store import Store
from rag.index.terms import Counts, Lexicon, Terms, words_of
from rag.types import Query, ScorerName, SearchResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class LexicalScorer(ABC):
    """Scorers of one store may share their `terms`, which keep the words once read."""

    name: ScorerName

    def __init__(self, store: Store, terms: Terms | None = None) -> None:
        self._store = store
        self._terms = terms or Terms(store)

    @staticmethod
    @abstractmethod
    def formula(counts: Counts) -> "NDArray[np.float64]":
        """Scores in [0, 1], shape (passages,)."""

    def search(self, query: Query) -> SearchResult:
        started = perf_counter()
        words, lexicon = words_of(query.text), self._terms.now()
        rows, scores = self._scores(lexicon, words.folded, query.documents)
        found = hits(best(rows, scores, query.k, lexicon), self.name, words, lexicon)
        return SearchResult(query, self.name, found, perf_counter() - started)

    def score(self, query: Query, passage_ids: Sequence[str]) -> dict[str, float]:
        """Of those of the passages that hold a word of the query; the query's own documents play no part."""
        words, lexicon = words_of(query.text).folded, self._terms.now()
        ids = [id for id in passage_ids if lexicon.has(id)]
        if not words or not ids:
            return {}
        places = lexicon.rows.searchsorted([lexicon.row(id) for id in ids])
        scores = self.formula(lexicon.count_at(words, places)).tolist()
        given = {id: round(score, DIGITS) for id, score in zip(ids, scores, strict=True)}
        return {id: score for id, score in given.items() if score}

    def passages_in_all(self) -> int:
        return len(self._terms.now().rows)

    def passages_with(self, word: str) -> int:
        """How many passages hold a folded word, in any form of it."""
        return len(self._terms.now().posting(word).places)

    def _scores(
        self, lexicon: Lexicon, words: Sequence[str], documents: Sequence[str] | None
    ) -> tuple["NDArray[np.int64]", "NDArray[np.float64]"]:
        """Rows, rising, and their scores; 0 for those of other documents."""
        import numpy as np

        start, stop = lexicon.range_of(documents)
        rows = lexicon.rows[start:stop]
        if not words or start == stop:
            return rows, np.zeros(len(rows))
        scores = self.formula(lexicon.count(words, start, stop))
        return rows, scores if documents is None else scores * lexicon.inside(rows, documents)
