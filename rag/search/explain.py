"""Why this, why not this: where a passage stands for each scorer, and how far from being found it is."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from rag.index.terms import words_of
from rag.ports import Retriever
from rag.search.hybrid import WEIGHTS
from rag.search.reranked import RERANK
from rag.search.support import LOOSE, SUPPORT
from rag.types import Copy, Explanation, Hit, Passage, Query, SearchResult, Share, Standing

DEPTH = 200  # passages among which a rank is looked for
WHOLE = 5_000  # more than a report has passages


def explain(query: Query, passage: Passage, retrievers: Iterable[Retriever]) -> Explanation:
    """The passage's standing with each retriever, the best of them, which answers use, last."""
    found = [_look(query, passage, retriever) for retriever in retrievers]
    hits = [look.hit for look in found if look.hit]
    last = found[-1].hit
    words = words_of(query.text).typed
    return Explanation(
        query=query,
        passage=passage,
        in_scope=query.documents is None or passage.document_id in query.documents,
        standings=tuple(look.standing for look in found),
        shares=_shares(last) if last else (),
        topic=next((part.score for part in last.components if part.name == "topic"), last.score) if last else 0.0,
        support=SUPPORT,
        loose=LOOSE,
        matched=hits[0].matched if hits else (),
        unmatched=hits[0].unmatched if hits else words,
        copy_of=found[-1].copy_of,
    )


class _Look(NamedTuple):
    standing: Standing
    hit: Hit | None  # None: the passage does not match at all
    copy_of: Passage | None


def _look(query: Query, passage: Passage, retriever: Retriever) -> _Look:
    result = retriever.search(query)
    deep = retriever.search(replace(query, k=max(DEPTH, query.k)))
    # A passage's score does not depend on which other documents are asked, so its own will do.
    own = replace(query, k=WHOLE, documents=(passage.document_id,))
    hit, copy = _of(passage, deep.hits), _copy(passage, deep)
    if not hit and not copy:
        alone = retriever.search(own)
        hit, copy = _of(passage, alone.hits), _copy(passage, alone)
    hit = _of(passage, result.hits) or hit or (copy.hit if copy else None)
    rank = next((rank for rank, each in enumerate(deep.hits, 1) if each.passage.id == passage.id), None)
    cut = result.hits[-1] if len(result.hits) == query.k else None
    score = hit.score if hit else 0.0
    listed = _of(passage, result.hits) is not None
    return _Look(Standing(retriever.name, score, rank, listed, cut), hit, copy.of if copy and not listed else None)


def _of(passage: Passage, hits: Iterable[Hit]) -> Hit | None:
    return next((hit for hit in hits if hit.passage.id == passage.id), None)


def _copy(passage: Passage, result: SearchResult) -> Copy | None:
    return next((copy for copy in result.copies if copy.hit.passage.id == passage.id), None)


def _shares(hit: Hit) -> tuple[Share, ...]:
    scores = {part.name: part.score for part in hit.components}
    weights = {name: WEIGHTS[name] for name in scores if name in WEIGHTS}
    if RERANK in scores:
        weights[RERANK] = sum(weights.values())
    total = sum(weights.values())
    return tuple(Share(name, scores[name], weight, weight * scores[name] / total) for name, weight in weights.items())
