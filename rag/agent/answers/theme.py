"""Which reports speak of a theme, in their own words, and what they share."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rag.agent.answers.draft import Draft, some_of
from rag.agent.run import Run
from rag.agent.sentences import opening, quotation, topic_stems
from rag.search.planned import known_entry
from rag.search.question import Asked
from rag.search.support import passage_stems
from rag.search.vocabulary import Theme
from rag.types import Document, Hit
from rag.words import content_words, listed, stem, stems

CITED = 2  # passages of one report that an answer cites
RECURRING = 6  # words that an answer names as shared
_RARE = 0.05  # share of the library's passages up to which a word says something


class Quote(NamedTuple):
    text: str
    hit: Hit


def theme_answer(run: Run, asked: Asked) -> Draft:
    """A line on how many speak, a quotation of each that does, what recurs between them, and who is silent."""
    draft = Draft(run)
    quotes = {d.id: theme_quotes(run, d, asked.topic, asked.theme) for d in run.documents if run.offered(d.id)}
    speaking = [d for d in run.documents if d.id in quotes]
    silent = [d.title for d in run.documents if d.id not in quotes]
    first = [quotes[d.id][0].hit for d in speaking]
    if asked.silent and silent:
        draft.count(f"Silent on {asked.topic}: {listed(silent)}.")
    some = some_of(len(speaking), len(run.documents))
    draft.count(f"{some} {'speaks' if len(speaking) == 1 else 'speak'} of {asked.topic} {draft.marks(first)}.")
    draft.quotes(
        f"**{d.title}**: {' '.join(f'{q.text} {run.mark(q.hit.passage.id)}' for q in quotes[d.id])}" for d in speaking
    )
    if len(speaking) > 1:
        words = recurring_words(run, {d.id: quotes[d.id] for d in speaking}, asked.topic)
        said = f"words that recur between them: {', '.join(words)}" if words else "each says it in its own words"
        draft.count(f"They overlap on {asked.topic}; {said} {draft.marks(first)}.")
    if silent and not asked.silent:
        draft.count(f"Silent on it: {listed(silent)}.")
    return draft


def theme_quotes(run: Run, document: Document, topic: str, theme: Theme | None) -> list[Quote]:
    """The document's best sentences on the topic, each from another page."""
    entry = theme or known_entry(topic)
    phrases = entry.phrases if isinstance(entry, Theme) else ()
    own = set(topic_stems(topic))
    # What is asked by its own name goes before what other words may stand for.
    hits = sorted(run.offered(document.id), key=lambda hit: not own <= set(passage_stems(hit.passage)))
    quotes: list[Quote] = []
    for hit in hits:
        headed = bool(own) and own <= set(stems(" ".join(hit.passage.headings)))
        text = quotation(hit.passage, phrases, topic_stems(topic)) or (opening(hit.passage) if headed else "")
        fresh = hit.passage.page not in {q.hit.passage.page for q in quotes} and text not in {q.text for q in quotes}
        if text and fresh and len(quotes) < CITED:
            quotes.append(Quote(text, hit))
    return quotes or [Quote(opening(hits[0].passage), hits[0])]


def recurring_words(run: Run, quotes: Mapping[str, Sequence[Quote]], topic: str) -> list[str]:
    """Words, beyond the topic and not common in the library, that the quoted passages of several reports hold."""
    known = set(topic_stems(topic))
    bags = {
        document_id: {
            stem(w): w for q in of_one for w in content_words(q.hit.passage.text) if w.isalpha() and len(w) > 4
        }
        for document_id, of_one in quotes.items()
    }
    held: dict[str, list[str]] = {}
    for bag in bags.values():
        for root, word in bag.items():
            held.setdefault(root, []).append(word)
    limit = 1 + _RARE * run.counts.passages_in_all()
    several = [words for root, words in held.items() if len(words) > 1 and root not in known]
    rare = [words for words in several if run.counts.passages_with(words[0]) < limit]
    rare.sort(key=lambda words: (-len(words), run.counts.passages_with(words[0]), words[0]))
    return [words[0] for words in rare[:RECURRING]]
