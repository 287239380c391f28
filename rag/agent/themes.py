"""Themes that reports share, found in their passages: those that the vocabulary knows, and headings that recur."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rag.search.support import passage_stems, stands_in
from rag.search.vocabulary import phrase_stems, vocabulary
from rag.types import Passage
from rag.words import content_words, stem, stems

MOST = 14  # shared themes that are looked for in every report
_FRAME = frozenset(
    stems(
        """risk risks factors principal key our business the company item report annual and uncertainties management
        part continued"""
    )
)
_ALIKE = 0.5  # least share of common stems for two headings to name one theme


class ThemeFound(NamedTuple):
    name: str  # for people
    query: str  # to search for
    documents: tuple[str, ...]  # ids of those whose passages hold it
    passages: tuple[str, ...]  # ids of the passages that hold it
    weight: int  # those passages, each whose heading names the theme as three


def themes_in(passages: Iterable[Passage]) -> list[ThemeFound]:
    """Themes by the number of documents that hold them, then by how much of the passages they take up."""
    read = _under_risk(list(passages))
    themes = [*_known(read), *_headings(read)]
    return sorted(themes, key=lambda t: (-len(t.documents), -t.weight, t.name))


def _under_risk(passages: list[Passage]) -> list[Passage]:
    """Of each document the passages that stand under a heading on risks; all of them where it has none."""
    kept = {p.document_id for p in passages if _is_risk(p)}
    return [p for p in passages if _is_risk(p) or p.document_id not in kept]


def _is_risk(passage: Passage) -> bool:
    return bool({"risk", "uncertainti"} & set(stems(" ".join(passage.headings))))


def _known(passages: Sequence[Passage]) -> list[ThemeFound]:
    found = []
    for theme in vocabulary().themes:
        phrases = [phrase_stems(phrase) for phrase in theme.phrases]
        holding = [p for p in passages if any(stands_in(phrase, passage_stems(p)) for phrase in phrases)]
        if holding:
            headed = sum(any(stands_in(phrase, stems(" ".join(p.headings))) for phrase in phrases) for p in holding)
            found.append(_found(theme.name, f"{theme.name} risk", holding, headed))
    return found


def _headings(passages: Sequence[Passage]) -> list[ThemeFound]:
    """Innermost headings of one meaning that stand in several documents and that no known theme covers."""
    groups: list[tuple[set[str], str, list[Passage]]] = []
    for heading, holding in _by_heading(passages).items():
        words = set(stems(heading)) - _FRAME
        telling = [word for word in words if word.isalpha() and len(word) > 2]
        if len(telling) < 2 or len(words) > 6 or vocabulary().theme(heading):
            continue
        for bag, _, members in groups:
            if len(words & bag) >= _ALIKE * len(words | bag):
                members += holding
                break
        else:
            groups.append((words, heading, list(holding)))
    several = [(name, members) for _, name, members in groups if len(_documents(members)) > 1]
    return [_found(_plain(name), _plain(name), members, len(members)) for name, members in several]


def _found(name: str, query: str, holding: Sequence[Passage], headed: int) -> ThemeFound:
    documents = tuple(dict.fromkeys(p.document_id for p in holding))
    return ThemeFound(name, query, documents, tuple(p.id for p in holding), len(holding) + 2 * headed)


def _by_heading(passages: Sequence[Passage]) -> Mapping[str, list[Passage]]:
    by_heading = defaultdict(list)
    for passage in passages:
        if passage.headings:
            by_heading[passage.headings[-1]].append(passage)
    return by_heading


def _plain(heading: str) -> str:
    """The heading without what frames it: "Risk: pollinator decline" as "pollinator decline"."""
    return " ".join(w for w in content_words(heading) if stem(w) not in _FRAME)


def _documents(passages: Iterable[Passage]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(p.document_id for p in passages))
