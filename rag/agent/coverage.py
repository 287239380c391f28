"""The ledger: what became of each document in scope. Written by code, from what was searched, found and cited."""

from collections.abc import Sequence

from rag.types import CoverageRow, CoverageState, Document, Hit, Passage, Search
from rag.words import count


def ledger(
    documents: Sequence[Document],
    searches: Sequence[Search],
    evidence: Sequence[Hit],
    cited: Sequence[str],
    read: Sequence[Passage] = (),
) -> tuple[CoverageRow, ...]:
    """A row for each document; `cited` holds ids of cited passages, `read` passages that a summary rests on."""
    return tuple(_row(document, searches, evidence, set(cited), read) for document in documents)


def _row(
    document: Document, searches: Sequence[Search], evidence: Sequence[Hit], cited: set[str], read: Sequence[Passage]
) -> CoverageRow:
    asked = [search for search in searches if document.id in search.documents]
    offered = [hit.passage.id for hit in evidence if hit.passage.document_id == document.id]
    of_them_cited = sum(passage_id in cited for passage_id in offered)
    summarised = any(passage.document_id == document.id for passage in read)
    state: CoverageState = (
        "cited"
        if of_them_cited
        else "offered"
        if offered
        else "nothing_found"
        if asked or summarised
        else "not_searched"
    )
    return CoverageRow(
        document_id=document.id,
        file=document.file,
        title=document.title,
        state=state,
        searches=len(asked),
        best=max((search.best.get(document.id, 0.0) for search in asked), default=0.0),
        offered=len(offered),
        cited=of_them_cited,
    )


def not_covered(
    rows: Sequence[CoverageRow],
    absent: Sequence[str],
    gaps: Sequence[str],
    searches: Sequence[Search],
    *,
    single_shot: bool,
) -> tuple[str, ...]:
    """Sentences that say what the answer does not rest on, and why."""
    sentences = [f"{name}: no document in the library bears this name." for name in absent]
    sentences += gaps
    for row in rows:
        if row.state == "nothing_found":
            near = sum(search.near.get(row.document_id, 0) for search in searches)
            times = "one search" if row.searches == 1 else f"{row.searches} searches"
            close = (
                f"{count(near, 'passage')} came near, the best at {row.best:.2f}" if near else "no passage came near"
            )
            sentences.append(f"{row.title}: nothing found on this in {times}; {close}.")
        elif row.state == "not_searched":
            why = "the single search did not touch it" if single_shot else "not searched before the run ended"
            sentences.append(f"{row.title}: {why}.")
    return tuple(sentences)
