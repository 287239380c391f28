"""The sentences that say most of what is asked, each report given its share."""

import re
from typing import NamedTuple

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
    quotes = {d.id: _quotes(run, d, asked) for d in run.documents if run.offered(d.id)}
    holding = [document for document in run.documents if run.offered(document.id)]
    most = min(EACH, max(1, SENTENCES // max(1, len(holding))))
    telling = [d for d in holding if quotes[d.id]]
    if telling:
        best = max((quotes[d.id][0] for d in telling), key=lambda quote: quote.share)
        draft.said, draft.number = best.share, bool(re.search(r"\d", best.text))
        draft.quotes(f"**{d.title}**: {' '.join(q.marked for q in quotes[d.id][:most])}" for d in telling)
    elif holding:
        draft.said, draft.unanswered = 0.0, True
        draft.count("No sentence of the passages found says this; the nearest passages begin:")
        draft.quotes(f"**{d.title}**: {_nearest(run, d)}" for d in holding[:SENTENCES])
    return draft


class _Quote(NamedTuple):
    share: float  # of what is asked
    text: str
    marked: str  # the text with its mark


def _nearest(run: Run, document: Document) -> str:
    passage = run.offered(document.id)[0].passage
    return f"{opening(passage)} {run.mark(passage.id)}"


def _quotes(run: Run, document: Document, asked: Asked) -> list[_Quote]:
    """The most telling sentences, best first; none where none tells."""
    section = vocabulary().section(asked.topic)
    asked_for = {stem(word): rarity(word, run.counts) for word in content_words(asked.topic)}
    related = content_words(" ".join(section.related)) if section else []
    weights = {stem(word): RELATED * rarity(word, run.counts) for word in related} | asked_for
    whole = sum(asked_for.values())
    hits = run.offered(document.id)
    scored: dict[str, tuple[float, str]] = {}
    for hit in hits:
        for share, sentence in telling_sentences(hit.passage, weights, whole, number=asked.intent == "figure"):
            if share >= LEAST and share > scored.get(sentence, (0.0, ""))[0]:
                scored[sentence] = share, run.mark(hit.passage.id)
    ranked = sorted(scored.items(), key=lambda item: -item[1][0])
    best = ranked[0][1][0] if ranked else 0.0
    return [_Quote(share, text, f"{text} {mark}") for text, (share, mark) in ranked if share >= NEAR * best]
