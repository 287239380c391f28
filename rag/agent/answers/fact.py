"""The sentences that say most of what is asked, each report given its share."""

from rag.agent.answers.draft import Draft
from rag.agent.run import Run
from rag.agent.sentences import opening, telling_sentences
from rag.search.question import Asked
from rag.search.support import RELATED, rarity
from rag.search.vocabulary import vocabulary
from rag.types import Document
from rag.words import content_words, stem

SENTENCES = 6  # of an answer
EACH = 3  # of one report at most
LEAST = 0.25  # least share of what is asked, by weight, that a quoted sentence says
NEAR = 0.6  # and least share of what the best one says


def fact_answer(run: Run, asked: Asked) -> Draft:
    """A quotation list; empty where nothing was found."""
    draft = Draft(run)
    holding = [document for document in run.documents if run.offered(document.id)]
    most = min(EACH, max(1, SENTENCES // max(1, len(holding))))
    lines = [f"**{d.title}**: {' '.join(_quotes(run, d, asked)[:most])}" for d in holding]
    if lines:
        draft.quotes(lines)
    return draft


def _quotes(run: Run, document: Document, asked: Asked) -> list[str]:
    """The most telling sentences, each with its mark, best first; the best passage's first where none tells."""
    section = vocabulary().section(asked.topic)
    related = content_words(" ".join(section.related)) if section else []
    weights = {stem(word): RELATED * rarity(word, run.counts) for word in related}
    weights |= {stem(word): rarity(word, run.counts) for word in content_words(asked.topic)}
    hits = run.offered(document.id)
    scored: dict[str, tuple[float, str]] = {}
    for hit in hits:
        for share, sentence in telling_sentences(hit.passage, weights, number=asked.intent == "figure"):
            if share >= LEAST and share > scored.get(sentence, (0.0, ""))[0]:
                scored[sentence] = share, run.mark(hit.passage.id)
    ranked = sorted(scored.items(), key=lambda item: -item[1][0])
    best = ranked[0][1][0] if ranked else 0.0
    quotes = [f"{sentence} {mark}" for sentence, (share, mark) in ranked if share >= NEAR * best]
    return quotes or [f"{opening(hits[0].passage)} {run.mark(hits[0].passage.id)}"]
