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
    text = _without_headings(text, headings)
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


def _without_headings(text: str, headings: tuple[str, ...]) -> str:
    """The text with a break in the place of each line that heads what follows.

    Such a line is a known heading, or short, without a full stop, after the end of a sentence and before a capital.
    """
    lines = text.splitlines()
    known = {_folded(heading) for heading in (*headings, "Table of Contents")}
    short = 0.75 * max((len(line) for line in lines), default=0)
    kept = []
    for before, line, after in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        body = line.strip()
        stands_apart = not before.strip() or before.rstrip()[-1:] in ".!?:"
        heads = stands_apart and after.strip()[:1].isupper() and body[:1].isupper()
        is_heading = _folded(body) in known or (heads and len(body) < short and body[-1:] not in ".!?,;:")
        kept.append("\n" if body and is_heading else line)
    return "\n".join(kept)


def _folded(line: str) -> str:
    return " ".join(line.split()).casefold()


def quotation(passage: Passage, phrases: Iterable[str], words: Sequence[str]) -> str:
    """The sentence that best holds a phrase, or most of the words (stems) where there are no phrases; "": none does."""
    wanted = [phrase_stems(phrase) for phrase in phrases]
    best, text = 0.0, ""
    for sentence in sentences(passage):
        held = stems(sentence)
        phrase = any(stands_in(phrase, held) for phrase in wanted)
        share = len(set(words) & set(held)) / len(set(words)) if words else 0.0
        if not phrase and (wanted or not share):
            continue
        whole = sentence[0].isupper() and sentence[-1:] in ".!?”\"'’)"
        score = 2 * phrase + share + 0.75 * whole + 0.5 * (len(sentence) <= LONGEST)
        if score > best:
            best, text = score, sentence
    return shortened(text)


def opening(passage: Passage) -> str:
    """The passage's first sentence, or its first words where it has none."""
    if whole := sentences(passage):
        return shortened(whole[0])
    words = passage.text.split()
    return " ".join(words[:40]) + (" …" if len(words) > 40 else "")


def shortened(sentence: str) -> str:
    """The sentence, cut at a word's end where it is too long to quote; the cut is shown."""
    if len(sentence) <= LONGEST:
        return sentence
    return sentence[:LONGEST].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def topic_stems(text: str) -> list[str]:
    """Stems of a topic's content words."""
    return [stem(word) for word in content_words(text)]
