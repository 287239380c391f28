"""From a text with [n] marks to citations, and a check of each sentence against what it cites."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rag.types import Citation, Document, Hit, SentenceCheck
from rag.words import fold, stems

_MARK = re.compile(r"\[(\d{1,4})\]")
_END = re.compile(r"(?<=[.!?])(?:[\"”’)]*)((?:\s*\[\d{1,4}\])*)\s+(?=[A-Z0-9“\"(*])")
_TITLE = re.compile(r"\*\*[^*]*\*\*|\[\d{1,4}\]")
_NUMBER = re.compile(r"\d+(?:p\d+)?")
COUNTED = "counted by code from the passages and the ledger"
LEAST_WORDS = 0.5  # share of a sentence's content words that its passages must hold


class Grounded(NamedTuple):
    text: str  # marks renumbered from 1 in order of appearance
    citations: tuple[Citation, ...]
    removed: tuple[str, ...]  # marks that name no passage of this run


def ground(text: str, evidence: Sequence[Hit], documents: Mapping[str, Document]) -> Grounded:
    """The text with its marks resolved: [n] is the n-th passage of the evidence; others are taken out and told."""
    order: dict[int, int] = {}
    removed: list[str] = []

    def renumber(match: re.Match[str]) -> str:
        given = int(match[1])
        if not 1 <= given <= len(evidence):
            removed.append(match.group())
            return ""
        return f"[{order.setdefault(given, len(order) + 1)}]"

    resolved = _MARK.sub(renumber, text)
    citations = tuple(_citation(mark, evidence[given - 1], documents) for given, mark in order.items())
    return Grounded(resolved, citations, tuple(dict.fromkeys(removed)))


def _citation(mark: int, hit: Hit, documents: Mapping[str, Document]) -> Citation:
    document = documents[hit.passage.document_id]
    return Citation(mark, hit.passage, document.file, document.title, hit.score)


def check_sentences(
    text: str, citations: Sequence[Citation], *, counted: Sequence[str] = (), pages: Mapping[int, str] | None = None
) -> tuple[SentenceCheck, ...]:
    """A check of every sentence, list item and table row of an answer.

    A mark stands for all sentences of its line since the mark before. `counted` lines are what code derived from
    passages and ledger; no single passage says them, so they are told apart instead of checked. Rows of tables name
    what heads their columns, too, so they are checked against the whole page: `pages` gives its text for a mark.
    """
    texts = {citation.mark: _source(citation) for citation in citations}
    by_code = {_bare(line) for line in counted}
    checks = []
    for line in text.splitlines():
        if _bare(line) in by_code:
            checks += [SentenceCheck(_shown(piece), True, COUNTED) for piece in _pieces(line.strip())]
        else:
            source = (
                {mark: f"{texts[mark]} {(pages or {}).get(mark, '')}" for mark in texts}
                if line.startswith("|")
                else texts
            )
            checks += [_check(sentence, marks, source) for sentence, marks in sentences_with_marks(line)]
    return tuple(checks)


def _bare(line: str) -> str:
    return " ".join(_MARK.sub(" ", line).split())


def _shown(sentence: str) -> str:
    return " ".join(sentence.replace("**", "").lstrip("-• ").split())


def sentences_with_marks(line: str) -> list[tuple[str, list[int]]]:
    """A line's sentences, each with the marks that stand for it."""
    out: list[tuple[str, list[int]]] = []
    marks: list[int] = []
    for piece in reversed(_pieces(line.strip())):
        marks = [int(mark) for mark in _MARK.findall(piece)] or marks
        out.insert(0, (piece, marks))
    return out


def numbers_in(text: str) -> set[str]:
    """Its numbers as the index writes them, marks left out: 12450, 1p5."""
    return set(_NUMBER.findall(fold(_MARK.sub(" ", text))))


def _pieces(line: str) -> list[str]:
    """A line's sentences; a row of a table is one, its head, its rule and bold titles are none."""
    if line.startswith("|"):
        return [line] if _MARK.search(line) else []
    pieces, at = [], 0
    for match in _END.finditer(line):
        pieces.append(line[at : match.end(1)])
        at = match.end()
    return [piece for p in (*pieces, line[at:]) if (piece := p.strip()) and re.search(r"\w", _TITLE.sub("", piece))]


def _check(sentence: str, marks: Sequence[int], texts: Mapping[int, str]) -> SentenceCheck:
    said = _MARK.sub(" ", sentence)
    shown = _shown(sentence)
    if not marks:
        return SentenceCheck(shown, False, "no citation")
    source = " ".join(texts[mark] for mark in marks if mark in texts)
    numbers = numbers_in(said)
    missing = sorted(numbers - numbers_in(source))
    words = [w for w in dict.fromkeys(stems(said)) if not w[0].isdigit()]
    held = set(stems(source))
    share = sum(word in held for word in words) / len(words) if words else 1.0
    where = ", ".join(f"[{mark}]" for mark in dict.fromkeys(marks))
    if missing:
        return SentenceCheck(shown, False, f"{missing[0].replace('p', '.')} does not stand in {where}")
    if share < LEAST_WORDS:
        return SentenceCheck(shown, False, f"{share:.0%} of its words stand in {where}")
    told = f"all {len(numbers)} numbers and {share:.0%}" if numbers else f"{share:.0%}"
    return SentenceCheck(shown, True, f"{told} of its words stand in {where}")


def _source(citation: Citation) -> str:
    """What a citation can carry: its text, where it stands, and what its document is called."""
    passage = citation.passage
    return " ".join((*passage.headings, passage.text, citation.title, passage.place))
