"""The scorers of a library, put together as the settings say."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rag.errors import BadInput, EmbeddingFailed
from rag.index.bm25 import Bm25Scorer
from rag.index.keyword import KeywordScorer
from rag.index.store import Store
from rag.index.terms import Terms
from rag.ports import Retriever, WordCounts
from rag.settings import Settings
from rag.types import Explanation, Passage, Query, ScorerName, SearchResult

if TYPE_CHECKING:
    from rag.models.embedders import Embedders


class Retrieval:
    """A library's scorers by name: "dense" where there are vectors, and last the one that answers rest on."""

    def __init__(self, store: Store, embedders: "Embedders | None", settings: Settings) -> None:
        terms = Terms(store)
        bm25 = Bm25Scorer(store, terms)
        self.counts: WordCounts = bm25  # how common words are in the library
        self._scorers = _scorers(store, terms, bm25, embedders, settings)

    @property
    def names(self) -> tuple[ScorerName, ...]:
        return tuple(self._scorers)

    @property
    def for_answers(self) -> Retriever:
        return self._scorers["hybrid"]

    def search(self, query: Query, scorer: ScorerName) -> SearchResult:
        """Raises `BadInput`."""
        if scorer not in self._scorers:
            raise BadInput(f"There is no scorer {scorer!r}. Take one of {', '.join(self._scorers)}.")
        if query.k < 1:
            raise BadInput(f"k is {query.k!r}; it takes a whole number from 1.")
        return self._scorers[scorer].search(query)

    def explain(self, query: Query, passage: Passage) -> Explanation:
        """By all scorers; without "dense" where no vector can be had for the query."""
        from rag.search.explain import explain

        try:
            return explain(query, passage, self._scorers.values())
        except EmbeddingFailed:
            return explain(query, passage, (each for name, each in self._scorers.items() if name != "dense"))


def _scorers(
    store: Store, terms: Terms, bm25: Bm25Scorer, embedders: "Embedders | None", settings: Settings
) -> Mapping[ScorerName, Retriever]:
    from rag.search.hybrid import HybridRetriever

    keyword, by_words = KeywordScorer(store, terms), HybridRetriever(bm25, None, counts=bm25)
    if not embedders:
        return {scorer.name: scorer for scorer in (keyword, bm25, _reranked(by_words, settings))}
    from rag.index.serving import ServingScorer
    from rag.search.fallback import FallbackRetriever

    dense = ServingScorer(store, embedders.hurried, terms)
    hybrid = FallbackRetriever(HybridRetriever(bm25, dense, counts=bm25), by_words)
    return {scorer.name: scorer for scorer in (keyword, bm25, dense, _reranked(hybrid, settings))}


def _reranked(retriever: Retriever, settings: Settings) -> Retriever:
    if not settings.rerank_url:
        return retriever
    from rag.models.rerank import RerankServer
    from rag.search.reranked import RerankedRetriever

    server = RerankServer(settings.rerank_url, model=settings.rerank_model, key=settings.rerank_key)
    return RerankedRetriever(retriever, server)
