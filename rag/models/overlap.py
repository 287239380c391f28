"""A reranker without a model: the share of the query's words that a text holds. Deterministic, for tests and trials."""

from collections.abc import Sequence

from rag.words import content_words, stem, stems


class OverlapReranker:
    """It reads no order and no meaning."""

    def rerank(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        """1.0 where a text holds each content word of the query."""
        wanted = {stem(word) for word in content_words(query)}
        return tuple(len(wanted & set(stems(text))) / max(1, len(wanted)) for text in texts)
