"""Sentences of a passage, and which of them carry some words."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rag.search.rows import rows
from rag.search.support import stands_in
from rag.search.vocabulary import phrase_stems
from rag.types import Passage
from rag.words import content_words, stem, stems

_END = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[“\"(]?[A-Z0-9•])|\n\s*\n|\n(?=\s*[•●▪■◦‣·\-–—]\s)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Inc|Corp|Co|Ltd|No|vs|U\.S|U\.K|Mr|Ms|Mrs|Dr|St|Jr|approx|e\.g|i\.e|etc|Nos|Art|Sec)|\b[A-Z])\.$"
)
LONGEST = 420  # characters of a sentence that an answer quotes


def sentences(passage: Passage) -> tuple[str, ...]:
    """The passage's sentences, white space folded; headings and rows of tables are left out."""
    return _sentences(passage.text, passage.headings)


@lru_cache(maxsize=20_000)
def _sentences(text: str, headings: tuple[str, ...]) -> tuple[str, ...]:
    text = "\n".join("\n" if _is_heading(line, headings) else line for line in text.splitlines())
    table = [(row.start, row.end) for row in rows(text) if len(row.values) > 1]
    for start, end in reversed(table):
        text = text[:start] + "\n\n" + text[end:]
    pieces: list[str] = []
    for piece in _END.split(text):
        folded = " ".join(piece.split())
        if pieces and _ABBREVIATION.search(pieces[-1]):
            pieces[-1] += f" {folded}"
        elif folded:
            pieces.append(folded)
    return tuple(piece for piece in pieces if len(piece.split()) >= 4)


def _is_heading(line: str, headings: tuple[str, ...]) -> bool:
    folded = " ".join(line.split()).casefold()
    return folded == "table of contents" or (
        bool(folded) and any(folded == " ".join(h.split()).casefold() for h in headings)
    )


def best_sentences(passage: Passage, phrases: Iterable[str], words: Sequence[str], *, most: int = 1) -> list[str]:
    """Whole sentences that hold a phrase, or most of the words (stems); best first, at most `most`."""
    wanted = [phrase_stems(phrase) for phrase in phrases]
    scored = []
    for order, sentence in enumerate(sentences(passage)):
        held = stems(sentence)
        phrase = any(stands_in(phrase, held) for phrase in wanted)
        share = len(set(words) & set(held)) / len(set(words)) if words else 0.0
        whole = sentence[0].isupper() and sentence[-1:] in ".!?”\"'’)"
        fitting = len(sentence) <= LONGEST
        if phrase or (not wanted and share > 0):
            scored.append((-(2 * phrase + share + 0.75 * whole + 0.5 * fitting), order, sentence))
    return [shortened(sentence) for _, _, sentence in sorted(scored)[:most]]


def shortened(sentence: str) -> str:
    """The sentence, cut at a word's end where it is too long to quote; the cut is shown."""
    if len(sentence) <= LONGEST:
        return sentence
    return sentence[:LONGEST].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def topic_stems(text: str) -> list[str]:
    """Stems of a topic's content words."""
    return [stem(word) for word in content_words(text)]
