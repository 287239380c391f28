"""The best sentences of the passages found, each report given its share."""

from rag.agent.answers.draft import Draft
from rag.agent.run import Run
from rag.agent.sentences import opening, quotation, topic_stems
from rag.search.planned import known_entry
from rag.search.question import Asked
from rag.search.vocabulary import Figure, Theme

SENTENCES = 6  # of an answer


def fact_answer(run: Run, asked: Asked) -> Draft:
    """A quotation list; nothing where nothing was found."""
    draft = Draft(run)
    words = topic_stems(asked.topic)
    entry = known_entry(asked.topic)
    phrases = entry.phrases if isinstance(entry, Theme) else entry.lines if isinstance(entry, Figure) else ()
    share = max(1, SENTENCES // max(1, len({hit.passage.document_id for hit in run.evidence})))
    lines = []
    for document in run.documents:
        quotes: dict[str, str] = {}
        for hit in run.offered(document.id)[:share]:
            passage = hit.passage
            text = quotation(passage, phrases, words) or quotation(passage, (), words) or opening(passage)
            quotes.setdefault(text, run.mark(passage.id))
        if quotes:
            lines.append(f"**{document.title}**: {' '.join(f'{text} {mark}' for text, mark in quotes.items())}")
    if lines:
        draft.quotes(lines)
    return draft
