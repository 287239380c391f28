"""Sentences of a passage, and which of them carry some words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rag.search.rows import rows
from rag.search.vocabulary import phrase_stems
from rag.types import Passage
from rag.words import content_words, in_pairs, stem, stems

_END = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[“\"(]?[A-Z0-9•])|(?<=[。！？])|\n\s*\n|\n(?=\s*[•●▪■◦‣·\-–—]\s)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Inc|Corp|Co|Ltd|No|vs|U\.S|U\.K|Mr|Ms|Mrs|Dr|St|Jr|approx|e\.g|i\.e|etc|Nos|Art|Sec)|\b[A-Z])\.$"
)
_RUNNING = "Table of Contents"  # stands on top of each page of many filings, and heads nothing
_MOSTLY = 0.6  # share of a phrase's words that a quoted sentence holds at least
LONGEST = 420  # characters of a sentence that an answer quotes


class Headed(NamedTuple):
    """A sentence and the line that heads it; "" where none does."""

    heading: str
    sentence: str


def sentences(passage: Passage) -> tuple[str, ...]:
    """The passage's sentences, white space folded; headings and rows of tables are left out."""
    return tuple(headed.sentence for headed in headed_sentences(passage))


def headed_sentences(passage: Passage) -> tuple[Headed, ...]:
    """The same, each with its heading: the last before it in the passage, else the innermost of the passage's trail."""
    return _headed(passage.text, passage.headings)


@lru_cache(maxsize=20_000)
def _headed(text: str, headings: tuple[str, ...]) -> tuple[Headed, ...]:
    blocks = _blocks(text, headings)
    return tuple(Headed(heading, sentence) for heading, block in blocks for sentence in _sentences(block))


def _sentences(text: str) -> list[str]:
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
    return [piece for piece in pieces if len(in_pairs(piece).split()) >= 4]


def _blocks(text: str, headings: tuple[str, ...]) -> list[tuple[str, str]]:
    """The text in parts, each with the line that heads it.

    Such a line is a known heading, or short, without a full stop, after the end of a sentence and before a capital.
    """
    lines = text.splitlines()
    known = {_folded(heading) for heading in (*headings, _RUNNING)}
    short = 0.75 * max((len(line) for line in lines), default=0)
    blocks: list[tuple[str, list[str]]] = [(headings[-1] if headings else "", [])]
    for line, after in zip(lines, [*lines[1:], ""], strict=False):
        body, before = line.strip(), next((kept for kept in reversed(blocks[-1][1])), "")
        stands_apart = not before.strip() or before.rstrip()[-1:] in ".!?:"
        heads = stands_apart and after.strip()[:1].isupper() and body[:1].isupper()
        if body and (_folded(body) in known or (heads and len(body) < short and body[-1:] not in ".!?,;:")):
            blocks.append((blocks[-1][0] if _folded(body) == _folded(_RUNNING) else body, []))
        else:
            blocks[-1][1].append(line)
    return [(heading, "\n".join(block)) for heading, block in blocks]


def _folded(line: str) -> str:
    return " ".join(line.split()).casefold()


def quotation(passage: Passage, phrases: Iterable[str], words: Sequence[str]) -> str:
    """The sentence that best holds one of the phrases, or the words (stems) where there are none; "": none does."""
    wanted = [set(phrase_stems(phrase)) for phrase in phrases] or [set(words)]
    best, text = 0.0, ""
    for sentence in sentences(passage):
        held = set(stems(sentence))
        share = max((len(phrase & held) / len(phrase) for phrase in wanted if phrase), default=0.0)
        named = len(set(words) & held) / len(set(words)) if words else 0.0
        whole = sentence[0].isupper() and sentence[-1:] in ".!?”\"'’)"
        score = 2 * share + named + 0.5 * whole + 0.25 * (len(sentence) <= LONGEST)
        if share >= _MOSTLY and score > best:
            best, text = score, sentence
    return shortened(text)


def telling_sentences(
    passage: Passage, weights: Mapping[str, float], whole: float, *, number: bool
) -> list[tuple[float, str]]:
    """Sentences with the weight of the words (stems) that they hold as a share of `whole`; without a `number` less."""
    out = []
    for sentence in sentences(passage):
        share = sum(weights[word] for word in set(stems(sentence)) & set(weights)) / (whole or 1.0)
        states = bool(re.search(r"\d", sentence)) if number else True
        out.append((min(share, 1.0) * (1.0 if states else 0.6), shortened(sentence)))
    return out


def opening(passage: Passage) -> str:
    """The passage's first sentence, or its first words where it has none."""
    if whole := sentences(passage):
        return shortened(whole[0])
    words = quoted(passage.text).split()
    return " ".join(words[:40]) + (" …" if len(words) > 40 else "")


def shortened(sentence: str) -> str:
    """The sentence, cut at a word's end where it is too long to quote; the cut is shown."""
    sentence = quoted(sentence)
    if len(sentence) <= LONGEST:
        return sentence
    return sentence[:LONGEST].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def quoted(text: str) -> str:
    """Text of a document without what would read as a mark of ours: "[2]" as "(2)"."""
    return re.sub(r"\[(\d{1,4})\]", r"(\1)", text)


def topic_stems(text: str) -> list[str]:
    """Stems of a topic's content words."""
    return [stem(word) for word in content_words(text)]
