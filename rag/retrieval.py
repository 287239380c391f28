"""The scorers of a library, put together as the settings say."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rag.index.bm25 import Bm25Scorer
from rag.index.keyword import KeywordScorer
from rag.index.store import Store
from rag.index.terms import Terms
from rag.ports import Retriever
from rag.settings import Settings
from rag.types import ScorerName

if TYPE_CHECKING:
    from rag.models.embedders import Embedders


def retrievers(
    store: Store, terms: Terms, bm25: Bm25Scorer, embedders: "Embedders | None", settings: Settings
) -> Mapping[ScorerName, Retriever]:
    """By name, "dense" where there are vectors; the last is the one that answers rest on."""
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
