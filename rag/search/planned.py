"""From the words of a search to the query that is run: with the phrases and the statement that the vocabulary knows."""

import re

from rag.search.instructions import named_statements
from rag.search.vocabulary import Figure, Theme, phrase_stems, vocabulary
from rag.types import Query
from rag.words import stems

MOST_WORDS = 4  # of a theme that is looked for as a phrase


def planned_query(text: str, *, k: int, documents: tuple[str, ...] | None, exact: bool = False) -> Query:
    """The query; phrases are added only where the text asks for a known figure or theme and little else.

    With `exact` the text is a theme that a passage has to speak of: a short one is its own phrase.
    """
    entry = known_entry(text)
    if isinstance(entry, Figure) and not exact:
        return Query(text, k=k, documents=documents, statement=entry.statement, phrases=entry.lines)
    if isinstance(entry, Theme):
        return Query(text, k=k, documents=documents, phrases=entry.phrases)
    if exact and (phrases := _own_phrases(text)):
        return Query(text, k=k, documents=documents, phrases=phrases)
    section = vocabulary().section(text)
    statements = named_statements(text)
    return Query(
        text,
        k=k,
        documents=documents,
        statement=statements[0] if statements else None,
        related=section.related if section else (),
    )


def _own_phrases(text: str) -> tuple[str, ...]:
    """The text's own parts as phrases, where each is short; "a and b" is one phrase unless both are several words."""
    bare = re.sub(r"\brisks?\b", " ", text, flags=re.I)
    parts = [part for part in re.split(r"\s*(?:,|;|\bor\b)\s*", bare) if stems(part)]
    split = [re.split(r"\s+and\s+", part) for part in parts]
    parts = [
        p
        for part, halves in zip(parts, split, strict=True)
        for p in (halves if all(len(stems(h)) > 1 for h in halves) else [part])
    ]
    return tuple(parts) if all(len(stems(part)) <= MOST_WORDS for part in parts) else ()


def known_entry(text: str) -> Figure | Theme | None:
    """The figure or theme that the text is about: that whose name covers at least half of its words."""
    words = set(stems(text)) - {"risk", "factor", "year", "end", "total", "amount", "annual"}
    candidates = [entry for entry in (vocabulary().figure(text), vocabulary().theme(text)) if entry]
    covers = {
        entry.name: max(
            len(words & set(phrase_stems(ask))) for ask in entry.asks if set(phrase_stems(ask)) <= set(stems(text))
        )
        for entry in candidates
    }
    best = max(candidates, key=lambda entry: covers[entry.name], default=None)
    return best if best and 2 * covers[best.name] >= len(words) else None
