"""A figure document by document, with value, unit, period and page."""

from collections.abc import Sequence
from typing import NamedTuple

from rag.agent.answers.draft import Draft, capital, in_words, listed
from rag.agent.answers.fact import fact_answer
from rag.agent.figures import Reading, read_figure
from rag.agent.run import Run
from rag.search.question import Asked
from rag.types import Document

_LABEL = 90  # characters of a row's label that a table shows
_HEAD = ["Report", "As the report labels it", "Value", "Unit", "Period", "Page"]
_ALIGN = ["---", "---", "--:", "---", "---", "--:"]


class Stated(NamedTuple):
    document: Document
    readings: Sequence[Reading]  # best first; empty: not stated in the passages found


def figure_answer(run: Run, asked: Asked) -> Draft:
    """A table with a row for each report; where several state it, they are put in order."""
    year = run.scope.years[0] if len(run.scope.years) == 1 else None
    stated = [Stated(d, _readings(run, d, asked, year)) for d in run.documents]
    found = [s for s in stated if s.readings]
    name = asked.figure.name if asked.figure else asked.topic
    if not found:
        draft = Draft(run)
        draft.count(f"No row of a table states {name}; this is what the passages say of it:")
        fact = fact_answer(run, asked)
        draft.paragraphs += fact.paragraphs
        draft.counted += fact.counted
        return draft
    draft = Draft(run, value=found[0].readings[0].value if len(stated) == 1 else None)
    _lead(draft, name, stated, found)
    draft.table(_HEAD, _ALIGN, (_row(run, s) for s in stated), counted=False)
    if len(found) > 1:
        _order(draft, found)
    return draft


def _readings(run: Run, document: Document, asked: Asked, year: int | None) -> list[Reading]:
    own = document.card.fiscal_year
    wanted = year if year and (own is None or year <= own) else None
    hits = run.offered(document.id)
    return read_figure(
        document, hits, asked.topic, asked.figure, lambda n: run.library.page(document.id, n), year=wanted
    )


def _lead(draft: Draft, name: str, stated: Sequence[Stated], found: Sequence[Stated]) -> None:
    best = [s.readings[0] for s in found]
    marks = "".join(draft.run.mark(reading.passage.id) for reading in best)
    if len(stated) == 1:
        period = f" for {best[0].period}" if best[0].period else ""
        draft.count(f"{found[0].document.title} states {name}{period} of {_spoken(best[0])} {marks}.")
    else:
        draft.count(f"{capital(in_words(len(found)))} of {in_words(len(stated))} reports state {name} {marks}.")


def _row(run: Run, stated: Stated) -> list[str]:
    if not stated.readings:
        return [stated.document.title, "not stated in the passages found", "—", "—", "—", "—"]
    best, year = stated.readings[0], stated.document.card.fiscal_year
    also = [r for r in stated.readings[1:] if r.passage.page != best.passage.page and r.value == best.value][:1]
    marks = "".join(run.mark(reading.passage.id) for reading in (best, *also))
    label = best.label if best.is_row else "in a sentence"
    label = label if len(label) <= _LABEL else f"{label[:_LABEL].rsplit(' ', 1)[0]} …"
    unit = " ".join(filter(None, (best.currency, best.unit))) or "—"
    period = best.period or (f"fiscal {year}" if year else "—")
    return [stated.document.title, label, f"{best.shown} {marks}", unit, period, best.passage.label]


def _order(draft: Draft, found: Sequence[Stated]) -> None:
    """The reports by their figure, where all state it in one currency."""
    best = [(s.document.title, s.readings[0]) for s in found]
    currencies = sorted({reading.currency for _, reading in best if reading.currency})
    if len(currencies) > 1:
        marks = "".join(draft.run.mark(reading.passage.id) for _, reading in best)
        draft.count(f"Not put in order, since the reports state it in {listed(currencies)} {marks}.")
        return
    ordered = sorted(best, key=lambda pair: -pair[1].value)
    parts = [f"{title} with {_spoken(reading)} {draft.run.mark(reading.passage.id)}" for title, reading in ordered]
    draft.count(f"From the highest to the lowest: {', '.join(parts)}.")


def _spoken(reading: Reading) -> str:
    if not reading.unit or reading.unit in reading.shown:
        return reading.shown
    return reading.shown + ("%" if reading.unit == "%" else f" {reading.unit}")
