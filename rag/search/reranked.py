"""A ranking judged once more: the first passages of any retriever, read by a reranker together with the query."""

import logging
import time
from collections.abc import Sequence
from dataclasses import replace

from rag.errors import RerankFailed
from rag.ports import Reranker, Retriever
from rag.search.pause import PAUSE, Pause
from rag.types import Component, Hit, Query, ScorerName, SearchResult

RERANK = "rerank"  # of the component; in the score it weighs as much as all other parts together
FIRST = 40  # passages that are judged, whatever the query's k; those after them count as judged with 0

_log = logging.getLogger(__name__)


class RerankedRetriever:
    """The port `Retriever` over another one; where the reranker fails, the other's ranking as it stands."""

    def __init__(self, inner: Retriever, reranker: Reranker, *, pause: float = PAUSE) -> None:
        self._inner = inner
        self._reranker = reranker
        self._pause = Pause(pause)

    @property
    def name(self) -> ScorerName:
        return self._inner.name

    def search(self, query: Query) -> SearchResult:
        """score = (the inner score + the reranker's) / 2, which keeps what no reranker knows: lines and statements."""
        began = time.perf_counter()
        inner = self._inner.search(replace(query, k=max(query.k, FIRST)))
        found = inner.hits
        scores = self._judge(query.text, [_text(hit) for hit in found[:FIRST]])
        hits = found if scores is None else _merge(found, scores)
        return SearchResult(query, self.name, hits[: query.k], time.perf_counter() - began, inner.copies)

    def _judge(self, query: str, texts: Sequence[str]) -> tuple[float, ...] | None:
        """None: it failed, now or a while ago; said in the log once for each pause."""
        if not texts or self._pause:
            return None
        try:
            return self._reranker.rerank(query, texts)
        except RerankFailed as error:
            if self._pause.begin():
                _log.warning("%s Searches go on without it for %.0f seconds.", error, self._pause.seconds)
            return None


def _text(hit: Hit) -> str:
    return "\n".join(filter(None, (" > ".join(hit.passage.headings), hit.passage.text)))


def _merge(found: Sequence[Hit], scores: Sequence[float]) -> tuple[Hit, ...]:
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], found[at].passage.id))
    ranks = {at: rank for rank, at in enumerate(order, 1)}
    parts = [Component(RERANK, score, ranks[at]) for at, score in enumerate(scores)]
    parts += [Component(RERANK, 0.0)] * (len(found) - len(scores))
    hits = (
        replace(hit, score=(hit.score + part.score) / 2, components=(*hit.components, part))
        for hit, part in zip(found, parts, strict=True)
    )
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.passage.id)))
