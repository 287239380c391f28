"""Answers written by rules: out of the passages' own sentences and rows, each with its mark."""

from collections.abc import Sequence

from rag.agent.figures import Reading, read_figure
from rag.agent.run import Run
from rag.agent.sentences import best_sentences, topic_stems
from rag.agent.themes import ThemeFound
from rag.search.planned import known_entry
from rag.search.question import Asked
from rag.search.vocabulary import Figure, Theme
from rag.types import Document, Hit, Search
from rag.words import content_words, stem

CITED = 2  # passages of one report that an answer cites
SENTENCES = 6  # sentences of an answer to a question of fact


def theme_answer(run: Run, asked: Asked) -> str:
    """Which reports speak of a theme, in their own words, and what they share."""
    speaking = [d for d in run.documents if run.offered(d.id)]
    silent = [d for d in run.documents if d not in speaking]
    if not speaking:
        return f"No report in scope speaks of {asked.topic}."
    marks = "".join(run.mark(run.offered(d.id)[0].passage.id) for d in speaking)
    paragraphs = [f"{_count(len(speaking), len(run.documents))} of {asked.topic}. {marks}".replace(". [", " [") + "."]
    quotes = {d.id: _quotes(run, d, asked) for d in speaking}
    paragraphs.append("\n".join(f"- **{d.title}**: {_joined(quotes[d.id])}" for d in speaking))
    if len(speaking) > 1:
        paragraphs.append(_overlap(run, speaking, quotes, asked))
    if silent:
        paragraphs.append(f"Silent on it: {_list([d.title for d in silent])}.")
    return "\n\n".join(paragraphs)


def _quotes(run: Run, document: Document, asked: Asked) -> list[tuple[str, Hit]]:
    """The document's best sentences on the topic, from different pages."""
    entry = asked.theme or known_entry(asked.topic)
    phrases = entry.phrases if isinstance(entry, Theme) else ()
    chosen: list[tuple[str, Hit]] = []
    pages: set[int] = set()
    for hit in run.offered(document.id):
        if hit.passage.page in pages:
            continue
        sentence = best_sentences(hit.passage, phrases, topic_stems(asked.topic)) or [_opening(hit)]
        if sentence[0] not in [text for text, _ in chosen]:
            chosen.append((sentence[0], hit))
            pages.add(hit.passage.page)
        if len(chosen) == CITED:
            break
    return [(f"{text} {run.mark(hit.passage.id)}", hit) for text, hit in chosen]


def _opening(hit: Hit) -> str:
    """The passage's first words, where no sentence of it can be told apart."""
    words = hit.passage.text.split()
    return " ".join(words[:40]) + (" …" if len(words) > 40 else "")


def _joined(quotes: Sequence[tuple[str, Hit]]) -> str:
    return " ".join(text for text, _ in quotes)


def _overlap(run: Run, speaking: Sequence[Document], quotes: dict[str, list[tuple[str, Hit]]], asked: Asked) -> str:
    """The words, beyond the topic itself, in which the quoted passages of several reports meet."""
    topic = set(topic_stems(asked.topic))
    bags = {
        d.id: {
            stem(w): w for _, hit in quotes[d.id] for w in content_words(hit.passage.text) if w.isalpha() and len(w) > 4
        }
        for d in speaking
    }
    shared: dict[str, list[str]] = {}
    for document_id, bag in bags.items():
        for root in bag:
            shared.setdefault(root, []).append(document_id)
    total = run.counts.passages_in_all()
    several = [
        r
        for r, ids in shared.items()
        if len(ids) > 1 and r not in topic and run.counts.passages_with(bags[ids[0]][r]) < 0.05 * total + 1
    ]
    several.sort(key=lambda r: (-len(shared[r]), run.counts.passages_with(bags[shared[r][0]][r]), r))
    words = [bags[shared[r][0]][r] for r in several[:6]]
    marks = "".join(run.mark(quotes[d.id][0][1].passage.id) for d in speaking)
    if not words:
        return f"They overlap on {asked.topic}, each in its own words {marks}."
    return f"They overlap on {asked.topic}; words that recur between them: {', '.join(words)} {marks}."


def common_answer(run: Run, themes: Sequence[ThemeFound]) -> str:
    """Themes over reports as a table whose cells are citations, then each shared theme in the reports' words."""
    held = {theme.name: _holding(run, theme) for theme in themes}
    shared = [t for t in themes if len(held[t.name]) > 1]
    own = [t for t in themes if len(held[t.name]) == 1]
    if not shared:
        return "No theme is shared by several of the reports in scope."
    documents = run.documents
    everywhere = sum(len(held[t.name]) == len(documents) for t in shared)
    first = "".join(run.mark(h.passage.id) for h in held[shared[0].name].values())
    lead = (
        f"{_number(len(shared))} {'theme recurs' if len(shared) == 1 else 'themes recur'} in more than one of the "
        f"{len(documents)} reports; {everywhere if everywhere else 'none'} of them in all {first}."
    )
    head = "| Theme | " + " | ".join(_cell(d.title) for d in documents) + " |"
    rule = "|---|" + ":-:|" * len(documents)
    rows = [
        f"| {_cell(_capital(t.name))} | "
        + " | ".join(_mark_or_dash(run, held[t.name].get(d.id)) for d in documents)
        + " |"
        for t in (*shared, *own)
    ]
    paragraphs = [lead, "\n".join((head, rule, *rows))]
    paragraphs += [_theme_paragraph(run, theme, held[theme.name]) for theme in shared]
    return "\n\n".join(paragraphs)


def _holding(run: Run, theme: ThemeFound) -> dict[str, Hit]:
    """The best offered passage of each document on the theme: from the search for it, else from what was read."""
    search = search_for(run, theme.query)
    hits = search.hits if search else [hit for hit in run.evidence if hit.passage.id in theme.passages]
    best: dict[str, Hit] = {}
    for hit in sorted(hits, key=lambda hit: -hit.score):
        best.setdefault(hit.passage.document_id, hit)
    return {d.id: best[d.id] for d in run.documents if d.id in best}


def _theme_paragraph(run: Run, theme: ThemeFound, holding: dict[str, Hit]) -> str:
    entry = known_entry(theme.query)
    phrases = entry.phrases if isinstance(entry, Theme) else ()
    parts = []
    for document_id, hit in holding.items():
        sentence = best_sentences(hit.passage, phrases, topic_stems(theme.query)) or [_opening(hit)]
        parts.append(f"- {run.by_id[document_id].title}: {sentence[0]} {run.mark(hit.passage.id)}")
    missing = [d.title for d in run.documents if d.id not in holding]
    reach = "all reports" if not missing else f"not in {_list(missing)}"
    marks = "".join(run.mark(hit.passage.id) for hit in holding.values())
    return f"**{_capital(theme.name)}** ({reach}) {marks}\n" + "\n".join(parts)


def figure_answer(run: Run, asked: Asked) -> tuple[str, float | None]:
    """The figure document by document, with value, unit, period and page; and its value where there is but one."""
    year = run.scope.years[0] if len(run.scope.years) == 1 else None
    stated = [(d, _readings(run, d, asked, year)) for d in run.documents]
    found = [(d, readings) for d, readings in stated if readings]
    if not found:
        return fact_answer(run, asked), None
    name = asked.figure.name if asked.figure else asked.topic
    head = "| Report | As the report labels it | Value | Unit | Period | Page |\n|---|---|--:|---|---|--:|"
    rows = [_figure_row(run, d, readings) for d, readings in stated]
    paragraphs = [_figure_lead(run, name, found), "\n".join((head, *rows))]
    if len(found) > 1:
        paragraphs.append(_ranking(run, name, found))
    return "\n\n".join(paragraphs), found[0][1][0].value if len(stated) == 1 else None


def _readings(run: Run, document: Document, asked: Asked, year: int | None) -> list[Reading]:
    own = document.card.fiscal_year
    wanted = year if year and own and year <= own else None
    return read_figure(
        document,
        run.offered(document.id),
        asked.topic,
        asked.figure,
        lambda n: run.library.page(document.id, n),
        year=wanted,
    )


def _figure_row(run: Run, document: Document, readings: Sequence[Reading]) -> str:
    if not readings:
        return f"| {_cell(document.title)} | not stated in the passages found | — | — | — | — |"
    best = readings[0]
    also = next((r for r in readings[1:] if r.passage.page != best.passage.page and r.value == best.value), None)
    marks = run.mark(best.passage.id) + (run.mark(also.passage.id) if also else "")
    label = _cell(best.label) if best.is_row else "in a sentence"
    label = label if len(label) <= 90 else f"{label[:87].rstrip()} …"
    period = best.period or (f"fiscal {document.card.fiscal_year}" if document.card.fiscal_year else "—")
    unit = " ".join(filter(None, (best.currency, best.unit))) or "—"
    return f"| {_cell(document.title)} | {label} | {best.shown} {marks} | {unit} | {period} | {best.passage.label} |"


def _figure_lead(run: Run, name: str, found: Sequence[tuple[Document, list[Reading]]]) -> str:
    if len(found) == 1 and len(run.documents) == 1:
        document, readings = found[0]
        best = readings[0]
        period = f" for {best.period}" if best.period else ""
        return f"{document.title} states {name}{period} of {best.shown}{_spoken(best)} {run.mark(best.passage.id)}."
    marks = "".join(run.mark(readings[0].passage.id) for _, readings in found)
    return f"{len(found)} of {len(run.documents)} reports state {name} {marks}."


def _ranking(run: Run, name: str, found: Sequence[tuple[Document, list[Reading]]]) -> str:
    """The reports in order of their figure, where all state it in one currency."""
    best = [(d, readings[0]) for d, readings in found]
    currencies = sorted({reading.currency for _, reading in best if reading.currency})
    if len(currencies) > 1:
        marks = "".join(run.mark(reading.passage.id) for _, reading in best)
        return f"Not ranked, since the reports state it in {_list(currencies)} {marks}."
    ordered = sorted(best, key=lambda pair: -pair[1].value)
    parts = [f"{d.title} with {r.shown}{_spoken(r)} {run.mark(r.passage.id)}" for d, r in ordered]
    return f"From the highest to the lowest: {', '.join(parts)}."


def _spoken(reading: Reading) -> str:
    if not reading.unit or reading.unit in reading.shown:
        return ""
    return "%" if reading.unit == "%" else f" {reading.unit}"


def fact_answer(run: Run, asked: Asked) -> str:
    """The best sentences of the passages found, each report given its share."""
    if not run.evidence:
        return "Nothing in the documents in scope was found on this."
    words = topic_stems(asked.topic)
    entry = known_entry(asked.topic)
    phrases = entry.phrases if isinstance(entry, Theme) else entry.lines if isinstance(entry, Figure) else ()
    lines = []
    share = max(1, SENTENCES // max(1, len({h.passage.document_id for h in run.evidence})))
    for document in run.documents:
        quotes: list[str] = []
        for hit in run.offered(document.id)[:share]:
            sentence = (
                best_sentences(hit.passage, phrases, words) or best_sentences(hit.passage, (), words) or [_opening(hit)]
            )
            if not any(sentence[0] in quote for quote in quotes):
                quotes.append(f"{sentence[0]} {run.mark(hit.passage.id)}")
        if quotes:
            lines.append(f"- **{document.title}**: {' '.join(quotes)}")
    return "\n".join(lines)


def summary_answer(run: Run) -> str:
    """Each summarised report by its own sentences, in the report's order."""
    from rag.agent.summary import summarise

    parts = []
    for step in run.steps:
        passages = step.observation.passages
        if passages:
            title = run.by_id[passages[0].document_id].title
            lines = [f"- {sentence} {run.mark(passage.id)}" for passage, sentence in summarise(passages)]
            parts.append("\n".join((f"**{title}**", *lines)))
    return "\n\n".join(parts) or "No report in scope could be summarised."


def _count(some: int, all_: int) -> str:
    return f"{'The one report in scope speaks' if some == all_ == 1 else f'{some} of {all_} reports speak'}"


def _number(n: int) -> str:
    return (
        ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")[n] if n <= 10 else str(n)
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _list(values: Sequence[str]) -> str:
    *most, last = values
    return f"{', '.join(most)} and {last}" if most else last


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())


def _mark_or_dash(run: Run, hit: Hit | None) -> str:
    return run.mark(hit.passage.id) if hit else "—"


def search_for(run: Run, query: str) -> Search | None:
    """The run's search with this query."""
    return next((search for search in run.searches if search.query == query), None)
