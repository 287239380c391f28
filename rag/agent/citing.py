"""Citations that a model forgot: a sentence that stands in a passage of the run is given that passage's mark."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rag.agent.grounding import LEAST_WORDS, numbers_in, sentences_with_marks
from rag.search.support import passage_stems
from rag.types import Document, Hit
from rag.words import stems

WORDS = 5  # least content words of a sentence without a number that is looked for
_STOP = re.compile(r"[.!?:;|\s]*$")


class Cited(NamedTuple):
    text: str
    added: int  # sentences that were given a mark


def add_citations(text: str, evidence: Sequence[Hit], documents: Mapping[str, Document]) -> Cited:
    """The text with the mark of the passage that says it behind each sentence that has none.

    The passage has to hold all numbers of the sentence and most of its words; where none does, the sentence stays bare.
    """
    sources = [_source(hit, documents) for hit in evidence]
    lines, added = [], 0
    for line in text.splitlines():
        at = 0
        for sentence, marks in [] if line.lstrip().startswith("|") else sentences_with_marks(line):
            start = line.index(sentence, at)
            at = start + len(sentence)
            if not marks and (number := _best(sentence, sources, evidence)):
                end = start + _STOP.search(sentence).start()  # type: ignore[union-attr]
                mark = f" [{number}]"
                line, at, added = line[:end] + mark + line[end:], at + len(mark), added + 1
        lines.append(line)
    return Cited("\n".join(lines), added)


class _Source(NamedTuple):
    stems: frozenset[str]
    numbers: frozenset[str]


def _source(hit: Hit, documents: Mapping[str, Document]) -> _Source:
    passage, title = hit.passage, documents[hit.passage.document_id].title
    held = frozenset((*passage_stems(passage), *stems(title)))
    return _Source(held, frozenset(numbers_in(" ".join((*passage.headings, passage.text, title)))))


def _best(sentence: str, sources: Sequence[_Source], evidence: Sequence[Hit]) -> int:
    """The number of the passage that says the sentence, from 1; 0 where none does."""
    numbers, words = numbers_in(sentence), [w for w in dict.fromkeys(stems(sentence)) if not w[0].isdigit()]
    if not words or (not numbers and len(words) < WORDS):
        return 0
    fits = [
        (sum(word in source.stems for word in words) / len(words), hit.score, -place)
        for place, (source, hit) in enumerate(zip(sources, evidence, strict=True), 1)
        if numbers <= source.numbers
    ]
    share, _, place = max(fits, default=(0.0, 0.0, 0))
    return -place if share > LEAST_WORDS else 0
