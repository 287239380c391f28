"""From the words of a search to the query that is run: with the phrases and the statement that the vocabulary knows."""

from rag.search.instructions import named_statements
from rag.search.vocabulary import Figure, Theme, phrase_stems, vocabulary
from rag.types import Query
from rag.words import stems


def planned_query(text: str, *, k: int, documents: tuple[str, ...] | None) -> Query:
    """The query; phrases are added only where the text asks for a known figure or theme and little else."""
    entry = known_entry(text)
    if isinstance(entry, Figure):
        return Query(text, k=k, documents=documents, statement=entry.statement, phrases=entry.lines)
    if entry:
        return Query(text, k=k, documents=documents, phrases=entry.phrases)
    section = vocabulary().section(text)
    statements = named_statements(text)
    return Query(
        text,
        k=k,
        documents=documents,
        statement=statements[0] if statements else None,
        related=section.related if section else (),
    )


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
