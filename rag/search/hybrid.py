"""One ranking out of several: a weighted mean of calibrated parts. The formula and its weights stand here alone."""

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from rag.index.terms import words_of
from rag.ports import Scorer, WordCounts
from rag.search.copies import without_copies
from rag.search.numbers import Numbers, asked_numbers
from rag.search.rows import ALWAYS_IN_LABELS, Row, label_fit, label_stems, rows, section_fit
from rag.search.support import Topic, alternatives, passage_stems, passage_words, stands_in
from rag.search.vocabulary import STATEMENT_NAMES, phrase_stems
from rag.types import Component, Hit, Passage, Query, ScorerName, SearchResult
from rag.words import content_words, stem, stems

# Each part lies in [0, 1]; parts that a query does not call for (no statement, no vectors) leave the mean.
# Set by hand, and held against 128 questions over 34 filings of 15 companies. Halving or doubling one of them moves
# hit@5 by 0.03 at most; without the statement it falls from 0.82 to 0.72, without bm25 to 0.78, without vectors to
# 0.79. Vectors count little: with equal weights they rank worse than bm25 alone.
# Numbers are set from 816 queries drawn from passages of those filings, three words and a number each. From 0 to 2 the
# mean reciprocal rank within the report goes from 0.75 to 0.85 for a row and one of its values and from 0.80 to 0.81
# for a sentence and its year, and more adds nothing; in the whole library, beside the company's name, from 0.50 to
# 0.73 and from 0.56 to 0.58. A page that does not repeat the year of its own report would fall from 0.74 to 0.21; as
# the index has the card's year with each passage, it stays at 0.74.
WEIGHTS: Mapping[str, float] = {
    "topic": 2.0,
    "bm25": 3.0,
    "heading": 1.0,
    "dense": 1.0,
    "statement": 2.0,
    "row": 3.0,
    "numbers": 2.0,
}
HALF = 0.15  # bm25, of the expanded query, that counts as 0.5
ALONE = 0.4  # least cosine of a passage found by its meaning alone: 95 of 100 random pairs stay below 0.38
_FINDS = ("topic", "bm25", "dense")  # the parts that find passages; the others only order them
SAID = 0.4  # what a sentence that states the figure counts beside a row of a table
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_AMOUNT = re.compile(r"\d\s?(?:thousand|million|billion|m\b|bn\b)|[$€£]\s?\d", re.I)
# Passages that each scorer is asked for, where few are wanted; the agent asks for more. Of 68 pages that are looked for
# among ten passages, 25 bring up all but one that 40 do, in two thirds of the time.
POOL = 25


class HybridRetriever:
    """The port `Retriever` over bm25, and dense where there are vectors."""

    name: ScorerName = "hybrid"

    def __init__(self, bm25: Scorer, dense: Scorer | None, *, counts: WordCounts) -> None:
        self._bm25, self._dense, self._counts = bm25, dense, counts

    def search(self, query: Query) -> SearchResult:
        """At most `query.k` hits, best first, each with the parts of its score; none is a copy of a better one."""
        began = time.perf_counter()
        wide = max(POOL, 2 * query.k)
        lexical = (
            self._bm25.search(replace(query, text=_expanded(query), k=wide)) if content_words(query.text) else None
        )
        found = {hit.passage.id: hit for hit in lexical.hits} if lexical else {}
        ranks = {"bm25": _ranks(lexical), "dense": {}}
        scores = {"bm25": {i: hit.score for i, hit in found.items()}, "dense": {}}
        if self._dense and lexical is not None:
            semantic = self._dense.search(replace(query, k=wide))
            ranks["dense"] = _ranks(semantic)
            scores["dense"] = {hit.passage.id: hit.score for hit in semantic.hits}
            found = {hit.passage.id: hit for hit in semantic.hits} | found
            scores["dense"] |= self._dense.score(query, [i for i in found if i not in scores["dense"]])
            scores["bm25"] |= self._bm25.score(
                replace(query, text=_expanded(query)), [i for i in found if i not in scores["bm25"]]
            )
        asked = _Asked(query, self._counts, {n: self._holding(n, query, found) for n in asked_numbers(query.text)})
        judged = [_Judged(hit.passage, self._parts(asked, hit.passage, scores)) for hit in found.values()]
        best = sorted(filter(_Judged.matches, judged), key=lambda each: (-each.score, each.passage.id))
        kept, copies = without_copies((asked.hit(each, ranks) for each in best), query.k)
        return SearchResult(query, self.name, kept, time.perf_counter() - began, copies)

    def _holding(self, number: str, query: Query, found: Iterable[str]) -> frozenset[str]:
        """Ids of the passages that hold the number where the index looks: a table's head and the card's year count."""
        return frozenset(self._bm25.score(replace(query, text=number), [*found]))

    def _parts(self, asked: "_Asked", passage: Passage, scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
        parts = {
            "topic": asked.topic.score(passage),
            "bm25": _rise(scores["bm25"].get(passage.id, 0.0)),
            "heading": asked.heading(passage),
        }
        if self._dense:
            parts["dense"] = scores["dense"].get(passage.id, 0.0)
        if asked.query.statement:
            parts["statement"] = float(passage.statement == asked.query.statement)
            parts["row"] = asked.stated(passage)
        if asked.numbers:
            parts["numbers"] = asked.numbers.score(passage.id)
        return parts


class _Judged:
    """A passage and the parts of its score, of which a hit is made only where it is kept."""

    def __init__(self, passage: Passage, parts: Mapping[str, float]) -> None:
        self.passage = passage
        self.parts = parts
        self.score = sum(WEIGHTS[name] * value for name, value in parts.items()) / sum(WEIGHTS[name] for name in parts)

    def matches(self) -> bool:
        """A passage that shares no word with the query is a match only where its meaning is near."""
        return any(self.parts.get(name, 0.0) >= (ALONE if name == "dense" else 1e-9) for name in _FINDS)


class _Asked:
    """A query taken apart once, to be held against many passages."""

    def __init__(self, query: Query, counts: WordCounts, holding: Mapping[str, frozenset[str]]) -> None:
        self.query = query
        self.numbers = Numbers(holding, counts)
        self.topic = Topic(query, counts)
        folded, typed = words_of(query.text)
        self.words = tuple(zip(map(stem, folded), typed, strict=True))
        parts = (tuple(stem(word) for word in content_words(part)) for part in alternatives(query.text))
        phrases = tuple(phrase_stems(phrase) for phrase in query.phrases)
        self._headings = tuple(words for words in (*parts, *phrases) if words)
        self._labels = tuple((phrase, label_stems(phrase)) for phrase in query.phrases)
        self._lines = (phrase_stems(query.text), *phrases)

    def hit(self, judged: _Judged, ranks: Mapping[str, Mapping[str, int]]) -> Hit:
        passage, held = judged.passage, passage_words(judged.passage)
        return Hit(
            passage=passage,
            score=judged.score,
            components=tuple(Component(n, v, ranks.get(n, {}).get(passage.id)) for n, v in judged.parts.items()),
            matched=tuple(typed for word, typed in self.words if word in held),
            unmatched=tuple(typed for word, typed in self.words if word not in held),
        )

    def heading(self, passage: Passage) -> float:
        """Share of the asked words, or of the best phrase, that the heading trail holds."""
        held = _heading_stems(passage.headings)
        return max((sum(word in held for word in words) / len(words) for words in self._headings), default=0.0)

    def stated(self, passage: Passage) -> float:
        """How well a row is the line asked for; where none is, a sentence that says it with an amount."""
        near = self._near_rows(passage)
        fit = max((_row_fit(row, near) for row in rows(passage.text)), default=0.0) if near else 0.0
        if fit >= SAID:
            return fit
        lines = [line for line in self._lines if line and passage_words(passage).issuperset(line)]
        return SAID if any(stands_in(line, said) for line in lines for said in _said(passage.text)) else fit

    def _near_rows(self, passage: Passage) -> list[str]:
        """The phrases that a row's label can be: all words of one are there, or run into each other."""
        held, joined = passage_words(passage) | ALWAYS_IN_LABELS, "".join(passage_stems(passage))
        return [phrase for phrase, line in self._labels if held.issuperset(line) or "".join(line) in joined]


def _rise(score: float) -> float:
    """bm25 of a query with many ways to say one thing reaches a small share of its most: half way counts from HALF."""
    return score / (score + HALF)


def _expanded(query: Query) -> str:
    """The query with the words that filings use, for the scorer that goes by words."""
    names = STATEMENT_NAMES[query.statement] if query.statement else ""
    return " ".join((query.text, *query.phrases, *query.related, names))


@lru_cache(maxsize=20_000)
def _said(text: str) -> tuple[tuple[str, ...], ...]:
    """Stems of each sentence that holds an amount."""
    return tuple(tuple(stems(line)) for line in _SENTENCE.split(text) if _AMOUNT.search(line))


def _row_fit(row: Row, phrases: Sequence[str]) -> float:
    return max(label_fit(row, phrases), 0.8 * section_fit(row, phrases))


def _ranks(result: SearchResult | None) -> dict[str, int]:
    return {hit.passage.id: rank for rank, hit in enumerate(result.hits, start=1)} if result else {}


@lru_cache(maxsize=20_000)
def _heading_stems(headings: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stems(" ".join(headings)))
