"""Themes over reports: a table whose cells are citations, then each shared theme in the reports' own words."""

from collections.abc import Mapping, Sequence

from rag.agent.answers.draft import Draft, capital, in_words
from rag.agent.run import Run
from rag.agent.sentences import opening, quotation, topic_stems
from rag.agent.themes import MOST, ThemeFound
from rag.search.planned import known_entry
from rag.search.vocabulary import Theme
from rag.types import Hit, Search
from rag.words import listed

MANY = 6  # reports up to which the table has a column for each
QUOTED = 8  # shared themes that are quoted report by report; the table has all


def common_answer(run: Run, themes: Sequence[ThemeFound]) -> Draft:
    """Shared themes by how many reports hold them, then those of one report alone."""
    draft = Draft(run)
    held = {theme: _holding(run, theme) for theme in themes}
    several = min(2, len(run.documents))
    shared = sorted((t for t in themes if len(held[t]) >= several), key=lambda t: (-len(held[t]), -t.weight))
    own = [t for t in themes if 0 < len(held[t]) < several]
    draft.count(_lead(draft, len(run.documents), [held[t] for t in shared]))
    _table(draft, [*shared, *own], held)
    for theme in shared[:QUOTED]:
        missing = [d.title for d in run.documents if d.id not in held[theme]]
        reach = (
            "all reports"
            if not missing
            else f"{len(held[theme])} reports"
            if len(missing) > MANY
            else f"not in {listed(missing)}"
        )
        draft.quotes(
            (
                f"{run.by_id[i].title}: {_quote(theme, hit)} {run.mark(hit.passage.id)}"
                for i, hit in held[theme].items()
            ),
            title=f"**{capital(theme.name)}** ({reach}) {draft.marks(held[theme].values())}",
        )
    return draft


def _table(draft: Draft, themes: Sequence[ThemeFound], held: Mapping[ThemeFound, Mapping[str, Hit]]) -> None:
    """A column for each report; where they are many, a count and the citations in one cell."""
    documents = draft.run.documents
    if len(documents) > MANY:
        rows = ([capital(t.name), f"{len(held[t])} of {len(documents)}", draft.marks(held[t].values())] for t in themes)
        draft.table(["Theme", "Reports", "Where"], ["---", "--:", "---"], rows, counted=True)
        return
    draft.table(
        ["Theme", *(d.title for d in documents)],
        ["---", *(":-:" for _ in documents)],
        (
            [capital(t.name), *(draft.marks([held[t][d.id]]) if d.id in held[t] else "—" for d in documents)]
            for t in themes
        ),
        counted=True,
    )


def search_for(run: Run, query: str) -> Search | None:
    """The run's search with this query."""
    return next((search for search in run.searches if search.query == query), None)


def _lead(draft: Draft, documents: int, shared: Sequence[Mapping[str, Hit]]) -> str:
    if not shared:
        return "No theme is shared by several of the reports in scope."
    marks = draft.marks(shared[0].values())
    count = f"At least {in_words(len(shared))}" if len(shared) >= MOST else capital(in_words(len(shared)))
    if documents == 1:
        return f"{count} {'theme stands' if len(shared) == 1 else 'themes stand'} out in the report {marks}."
    everywhere = sum(len(holding) == documents for holding in shared)
    recur = "theme recurs" if len(shared) == 1 else "themes recur"
    some = f"{count} {recur} in more than one of the {in_words(documents)} reports"
    return f"{some}, and {in_words(everywhere)} in all {marks}."


def _holding(run: Run, theme: ThemeFound) -> dict[str, Hit]:
    """The best passage of each document on the theme: of the search for it, else of what was read before."""
    search = search_for(run, theme.query)
    hits = search.hits if search else [hit for hit in run.evidence if hit.passage.id in theme.passages]
    best: dict[str, Hit] = {}
    for hit in sorted(hits, key=lambda hit: (not _says(theme, hit), -hit.score)):  # what can be quoted comes first
        best.setdefault(hit.passage.document_id, hit)
    return {d.id: best[d.id] for d in run.documents if d.id in best}


def _quote(theme: ThemeFound, hit: Hit) -> str:
    return _says(theme, hit) or opening(hit.passage)


def _says(theme: ThemeFound, hit: Hit) -> str:
    """The passage's sentence on the theme; "" where its words are spread over several."""
    entry = known_entry(theme.query)
    phrases = entry.phrases if isinstance(entry, Theme) else ()
    return quotation(hit.passage, phrases, topic_stems(theme.name))
