"""A figure document by document, with value, unit, period and page."""

from collections.abc import Sequence
from typing import NamedTuple

from rag.agent.answers.draft import Draft, capital, in_words, listed
from rag.agent.answers.fact import fact_answer
from rag.agent.figures import Reading, Wanted, read_figure
from rag.agent.run import Run
from rag.search.question import Asked
from rag.search.support import rarity
from rag.search.vocabulary import Ratio
from rag.types import Document
from rag.words import content_words, stem

_LABEL = 90  # characters of a row's label that a table shows
_HEAD = ["Report", "As the report labels it", "Value", "Unit", "Period", "Page"]
_ALIGN = ["---", "---", "--:", "---", "---", "--:"]


class Stated(NamedTuple):
    """What a report states of one figure for one year."""

    document: Document
    name: str
    year: int | None
    readings: Sequence[Reading]  # best first; empty: not stated in the passages found


def figure_answer(run: Run, asked: Asked) -> Draft:
    """A table with a row for each report, figure and year; where several state one figure, they are put in order."""
    wanted = [Wanted(figure.name, figure) for figure in asked.figures] or [_unknown(run, asked.topic)]
    stated = _all(run, wanted)
    if asked.figures and not any(s.readings for s in stated):  # its own words may head a row: "change in inventory"
        wanted = [_unknown(run, asked.topic)]
        stated = _all(run, wanted)
    found = [s for s in stated if s.readings]
    draft = Draft(run)
    if not found:
        draft.count(f"No row of a table states {asked.topic}; this is what the passages say of it:")
        fact = fact_answer(run, asked)
        draft.paragraphs += fact.paragraphs
        draft.counted += fact.counted
        draft.unanswered = True
        return draft
    for one in wanted:
        _lead(draft, [s for s in stated if s.name == _name(one)])
    draft.table(_HEAD, _ALIGN, (_row(run, s) for s in stated), counted=False)
    if asked.ratio:
        computed = _ratio(draft, asked.ratio, found)
        draft.unanswered = bool(asked.ratio.formula) and not computed
    for one in wanted:
        _order(draft, [s for s in found if s.name == _name(one)])
    if asked.compared and (run.scope.absent or run.scope.gaps or len(found) < len(stated)):
        draft.unanswered = True
        draft.count("The comparison cannot be made: not all that it names is stated in this library.")
    elif len(stated) == 1 and not run.scope.gaps:
        draft.value = found[0].readings[0].value
    return draft


def _unknown(run: Run, topic: str) -> Wanted:
    rarest = max(content_words(topic), key=lambda word: rarity(word, run.counts), default=None)
    return Wanted(topic, None, stem(rarest) if rarest else None)


def _all(run: Run, wanted: Sequence[Wanted]) -> list[Stated]:
    return [_stated(run, d, w, year) for w in wanted for d in run.documents for year in _years(run, d)]


def _name(wanted: Wanted) -> str:
    return wanted.topic


def _years(run: Run, document: Document) -> list[int | None]:
    """The years to read of this report: those asked for that it can state and that no report of its own states."""
    own = document.card.fiscal_year
    others = {
        d.card.fiscal_year for d in run.documents if d.card.company == document.card.company and d is not document
    }
    asked = [y for y in run.scope.years if not own or (own - 2 <= y <= own and (y == own or y not in others))]
    return list(asked) or [None]


def _stated(run: Run, document: Document, wanted: Wanted, year: int | None) -> Stated:
    readings = read_figure(document, run.offered(document.id), wanted, run.library, year=year)
    return Stated(document, _name(wanted), year, readings)


def _lead(draft: Draft, stated: Sequence[Stated]) -> None:
    found = [s for s in stated if s.readings]
    if not found:
        draft.count(f"{capital(stated[0].name)} is not stated in the passages found.")
        return
    best = [s.readings[0] for s in found]
    marks = "".join(dict.fromkeys(draft.run.mark(reading.passage.id) for reading in best))
    documents = {s.document.id for s in stated}
    if len(documents) == 1:
        said = listed([_said(reading) for reading in best])
        draft.count(f"{found[0].document.title} states {found[0].name} of {said} {marks}.")
    else:
        some = len({s.document.id for s in found})
        draft.count(f"{capital(in_words(some))} of {in_words(len(documents))} reports state {found[0].name} {marks}.")


def _said(reading: Reading) -> str:
    return f"{spoken(reading)} for {reading.period}" if reading.period else spoken(reading)


def _row(run: Run, stated: Stated) -> list[str]:
    if not stated.readings:
        return [stated.document.title, f"{stated.name}: not stated in the passages found", "—", "—", "—", "—"]
    best, year = stated.readings[0], stated.document.card.fiscal_year
    also = [r for r in stated.readings[1:] if r.passage.page != best.passage.page and r.value == best.value][:1]
    marks = "".join(run.mark(reading.passage.id) for reading in (best, *also))
    label = best.label if len(best.label) <= _LABEL else f"{best.label[:_LABEL].rsplit(' ', 1)[0]} …"
    label = label if best.is_row else f"in a sentence: {label}"
    unit = " ".join(filter(None, (best.currency, best.unit))) or "—"
    period = best.period or (f"fiscal {year}" if year else "—")
    return [stated.document.title, label, f"{best.shown} {marks}", unit, period, best.passage.label]


def _ratio(draft: Draft, ratio: Ratio, found: Sequence[Stated]) -> list[float]:
    """What the ratio comes to, for each report and year that states both of its figures."""
    computed = []
    groups: dict[tuple[str, int | None], dict[str, Reading]] = {}
    for s in found:
        groups.setdefault((s.document.id, s.year), {})[s.name] = s.readings[0]
    for (document_id, _), readings in groups.items():
        value = ratio.compute({name: reading.value for name, reading in readings.items()})
        if value is not None:
            computed.append(value)
            parts = [
                f"{name} {spoken(r)} {draft.run.mark(r.passage.id)}"
                for name, r in readings.items()
                if name in ratio.formula
            ]
            shown = f"{value:,.0f}" if " - " in ratio.formula else f"{value:.1%}" if abs(value) < 1 else f"{value:.2f}"
            period = next((r.period for r in readings.values() if r.period), "")
            when = f" for {period}" if period else ""
            title, how = draft.run.by_id[document_id].title, f"{ratio.formula} from {listed(parts)}"
            draft.count(f"{title}: {ratio.name}{when} is {shown}, computed as {how}.")
    if not ratio.formula:
        draft.count(f"{capital(ratio.name)} is made of these lines; it needs more than these, so it is not computed.")
    elif not computed:
        draft.count(f"{capital(ratio.name)} cannot be computed: no report in scope states all of its lines.")
    return computed


def _order(draft: Draft, found: Sequence[Stated]) -> None:
    """The reports by one figure, where all state it in one currency, one unit and for a like span of time."""
    best = [(s.document.title, s.readings[0]) for s in found]
    if len({s.document.id for s in found}) < 2:
        return
    marks = "".join(draft.run.mark(reading.passage.id) for _, reading in best)
    currencies = sorted({reading.currency for _, reading in best if reading.currency})
    kinds = {(r.unit == "%", "month" in r.period or "quarter" in r.period) for _, r in best}
    if len(currencies) > 1 or len(kinds) > 1:
        why = f"in {listed(currencies)}" if len(currencies) > 1 else "in different units or for different spans of time"
        draft.count(f"Not put in order, since the reports state it {why} {marks}.")
        return
    ordered = sorted(best, key=lambda pair: -pair[1].value)
    parts = [f"{title} with {spoken(reading)} {draft.run.mark(reading.passage.id)}" for title, reading in ordered]
    draft.count(f"From the highest to the lowest: {', '.join(parts)}.")


def spoken(reading: Reading) -> str:
    """The value as printed, with its unit: "(1,125) million"."""
    if not reading.unit or reading.unit in reading.shown:
        return reading.shown
    return reading.shown + ("%" if reading.unit == "%" else f" {reading.unit}")
