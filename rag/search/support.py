"""Whether a passage speaks of what is asked: the one place for thresholds and bands.

A passage's *topic* score is 1.0 where the first of the query's phrases, or its own words, stand in it close together,
and OTHERWISE where another of its phrases does. Without phrases it is the share of the query's words that the passage
holds, each weighted by how rare it is in the library (inverse document frequency, Spärck Jones 1972), so that "PFAS"
alone carries "PFAS chemicals" and "chemicals" does not. "a or b", "a and b" and "a, b" ask for either.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rag.ports import WordCounts
from rag.search.vocabulary import phrase_stems
from rag.types import Band, Hit, Passage, Query
from rag.words import content_words, stem, stems

# On 122 pairs of a theme and a report (34 filings, marked by rule): all 94 that speak of it have a passage that passes,
# and 27 of the 28 that do not have none.
SUPPORT = 0.6  # least topic score of a passage that is offered to the answer
LOOSE = 0.25  # the same where the best that there is will do: a fact, in words of which reports may use others
# Best score of a report that speaks of the theme: 0.56 to 0.86 (5th to 95th percentile), of one that does not: 0.17 to
# 0.39; of a report that states a figure: 0.74 to 0.84.
STRONG = 0.65  # least score of the best passage for "strong" evidence
PARTIAL = 0.45  # and for "partial"; below it is "weak"
OTHERWISE = 0.8  # topic score of a passage that says it in words other than the first
RELATED = 0.3  # topic score of a passage that holds none of the words, but such as stand where it is told
SLACK = 4  # words that may stand between those of a phrase


class Topic:
    """What a query asks for, ready to be looked for in many passages."""

    def __init__(self, query: Query, counts: WordCounts) -> None:
        self._phrases = [phrase_stems(phrase) for phrase in query.phrases]
        own = [query.text] if query.statement else alternatives(query.text)  # "cash and cash equivalents" is one line
        self._own = [phrase_stems(part) for part in own]
        parts = [] if self._phrases else alternatives(query.text)
        self._related = [phrase_stems(phrase) for phrase in query.related]
        self._parts = [{stem(word): rarity(word, counts) for word in content_words(part)} for part in parts]

    def score(self, passage: Passage) -> float:
        """How much of what is asked the passage speaks of, in [0, 1]."""
        if self._phrases:
            if any_stands_in((*self._own, self._phrases[0]), passage):
                return 1.0
            return OTHERWISE if any_stands_in(self._phrases[1:], passage) else 0.0
        share = max((_share(weights, passage_words(passage)) for weights in self._parts), default=0.0)
        return max(share, RELATED if any_stands_in(self._related, passage) else 0.0)


def _share(weights: Mapping[str, float], held: frozenset[str]) -> float:
    return sum(weight for word, weight in weights.items() if word in held) / (sum(weights.values()) or 1.0)


def alternatives(text: str) -> list[str]:
    """The parts of a query of which any one will do."""
    parts = re.split(r"\s*(?:,|;|\band\b|\bor\b)\s*", text)
    return [part for part in parts if content_words(part)]


def rarity(word: str, counts: WordCounts) -> float:
    """log(1 + (N - n + 0.5) / (n + 0.5)), the inverse document frequency of BM25 as Lucene has it.

    A word that no passage holds counts as one that a single passage holds: it must not drown the others in a small
    library.
    """
    everything, holding = counts.passages_in_all(), max(1, counts.passages_with(word))
    return math.log(1 + (everything - holding + 0.5) / (holding + 0.5))


def passage_stems(passage: Passage) -> tuple[str, ...]:
    """Stems of the words of a passage's headings and text, in order."""
    return _stems(passage.id, passage.headings, passage.text)


@lru_cache(maxsize=30_000)
def _stems(_passage_id: str, headings: tuple[str, ...], text: str) -> tuple[str, ...]:
    return tuple(stems(" ".join((*headings, text))))


def passage_words(passage: Passage) -> frozenset[str]:
    """The same stems, each once."""
    return _words(passage.id, passage.headings, passage.text)


@lru_cache(maxsize=1_000)  # few, as a set takes ten times the room
def _words(passage_id: str, headings: tuple[str, ...], text: str) -> frozenset[str]:
    return frozenset(_stems(passage_id, headings, text))


def any_stands_in(phrases: Iterable[Sequence[str]], passage: Passage) -> bool:
    """Whether one of the phrases stands in the passage, as `stands_in` has it."""
    held = passage_words(passage)
    return any(held.issuperset(phrase) and stands_in(phrase, passage_stems(passage)) for phrase in phrases)


def stands_in(phrase: Sequence[str], words: Sequence[str]) -> bool:
    """Whether all stems of the phrase stand within a run of its length and SLACK more, in any order."""
    if not phrase or not set(words).issuperset(phrase):
        return False
    if len(phrase) == 1:
        return True
    places = defaultdict(list)
    for place, word in enumerate(words):
        if word in phrase:
            places[word].append(place)
    rarest = min(places, key=lambda word: len(places[word]))
    span = len(phrase) + SLACK
    return any(
        all(any(abs(other - place) < span for other in places[word]) for word in phrase) for place in places[rarest]
    )


def supports(hit: Hit, least: float = SUPPORT) -> bool:
    """Whether the passage speaks of what is asked; retrievers without a topic part are taken by their score."""
    return _topic(hit) >= least


def _topic(hit: Hit) -> float:
    return next((part.score for part in hit.components if part.name == "topic"), hit.score)


def band(hits: Sequence[Hit], *, said: float | None = None) -> Band:
    """How well the evidence carries an answer: by its best passage, and by what its best sentence says, where known."""
    best = max((hit.score for hit in hits if _topic(hit) >= SUPPORT), default=0.0)
    told = 1.0 if said is None else said
    if not hits:
        return "none"
    if best >= STRONG and told >= SUPPORT:
        return "strong"
    return "partial" if best >= PARTIAL and told >= LOOSE else "weak"
