"""What code makes of stated figures: their order, their change over the years, the ratio that they come to."""

from collections.abc import Sequence
from itertools import pairwise

from rag.agent.answers.draft import Draft, capital
from rag.agent.answers.form import Shown, in_form
from rag.agent.answers.stated import Stated, spoken
from rag.agent.figures import Reading, Wanted, read_figure
from rag.search.instructions import Form, asked_form
from rag.search.vocabulary import Ratio, vocabulary
from rag.types import Document
from rag.words import listed


def say_change(draft: Draft, found: Sequence[Stated]) -> None:
    """From year to year, for each company and figure that is stated for several whole years."""
    form = asked_form(draft.run.asked)
    by_company: dict[tuple[str, str], dict[int, Stated]] = {}
    for stated in found:
        year = stated.year or stated.document.card.fiscal_year
        if year and not part_of_a_year(stated):
            company = stated.document.card.company or stated.document.id
            by_company.setdefault((company, stated.name), {}).setdefault(year, stated)
    for several in by_company.values():
        for (was, before), (year, after) in pairwise(sorted(several.items())):
            old, new = before.readings[0], after.readings[0]
            if old.value and old.unit == new.unit and old.is_row and new.is_row:
                change = in_form(100 * (new.value - old.value) / abs(old.value), "%", form, usual=1).text
                change = change if change.startswith("-") else f"+{change}"
                marks = "".join(dict.fromkeys(draft.run.mark(r.passage.id) for r in (old, new)))
                years = f"from {old.period or was} to {new.period or year}"
                draft.count(f"{after.document.title}: {after.name} changed by {change} {years} {marks}.")


def say_order(draft: Draft, found: Sequence[Stated], *, least: bool = False) -> Document | None:
    """Puts the reports in order, where currency, unit and span of time allow it; gives the first."""
    if len({s.document.id for s in found}) < 2:
        return None
    best = [(s.document, s.readings[0]) for s in found]
    marks = "".join(draft.run.mark(reading.passage.id) for _, reading in best)
    currencies = sorted({reading.currency for _, reading in best if reading.currency})
    kinds = {(s.readings[0].unit == "%", part_of_a_year(s)) for s in found}
    if len(currencies) > 1 or len(kinds) > 1:
        why = f"in {listed(currencies)}" if len(currencies) > 1 else "in different units or for different spans of time"
        draft.count(f"Not put in order, since the reports state it {why} {marks}.")
        return None
    ordered = sorted(best, key=lambda pair: pair[1].value, reverse=not least)
    parts = [f"{d.title} with {spoken(reading)} {draft.run.mark(reading.passage.id)}" for d, reading in ordered]
    direction = "From the lowest to the highest" if least else "From the highest to the lowest"
    draft.count(f"{direction}: {', '.join(parts)}.")
    return ordered[0][0]


def part_of_a_year(stated: Stated) -> bool:
    """Whether the figure is of a quarter or another part of a year, so that it stands beside no whole year."""
    period = stated.readings[0].period
    return stated.document.card.interim or "month" in period or "quarter" in period


def say_ratio(draft: Draft, ratio: Ratio, found: Sequence[Stated], *, least: bool = False) -> Document | None:
    """What it comes to for each report and year that states its figures, in order; gives the first report.

    The draft takes the value where there is but one, and is unanswered where no report states all that it takes.
    """
    groups: dict[tuple[str, int | None], dict[str, Reading]] = {}
    for s in found:
        groups.setdefault((s.document.id, s.year), {})[s.name] = s.readings[0]
    form = asked_form(draft.run.asked)
    computed: list[tuple[float, str, float]] = []  # exactly, of which report, as it is given
    for (document_id, year), readings in groups.items():
        before = _year_before(draft, ratio, document_id, year)
        values = {name: reading.value for name, reading in readings.items()}
        if before and ratio.averaged in values:
            values[ratio.averaged] = (values[ratio.averaged] + before.value) / 2
        value = ratio.compute(values) if before or not ratio.averaged else None
        if value is not None:
            shown = _shown(ratio, value, form)
            computed.append((value, document_id, shown.value))
            draft.count(_computed(draft, ratio, document_id, readings, before, shown.text))
    if not ratio.formula:
        draft.count(f"{capital(ratio.name)} is made of these lines; it needs more than these, so it is not computed.")
    elif not computed:
        draft.unanswered = True
        draft.count(f"{capital(ratio.name)} cannot be computed: no report in scope states all of its lines.")
    elif len(groups) == 1:
        draft.value = computed[0][2]
    ordered = sorted(computed, reverse=not least)
    return draft.run.by_id[ordered[0][1]] if ordered else None


def _year_before(draft: Draft, ratio: Ratio, document_id: str, year: int | None) -> Reading | None:
    """The figure that is averaged, as the same report states it for the year before."""
    document = draft.run.by_id[document_id]
    this = year or document.card.fiscal_year
    figure = next((f for f in vocabulary().figures if f.name == ratio.averaged), None)
    if not figure or not this:
        return None
    hits, wanted = draft.run.offered(document_id), Wanted(figure.name, figure)
    readings = read_figure(document, hits, wanted, draft.run.library, draft.run.money_of(document), year=this - 1)
    return next((reading for reading in readings if str(this - 1) in reading.period), None)


def _shown(ratio: Ratio, value: float, form: Form) -> Shown:
    if ratio.percent:
        return in_form(100 * value, "%", form, usual=1)
    if " - " in ratio.formula:
        return in_form(value, "", form, usual=2 if form.scale else 0)
    return in_form(value, "", form._replace(scale=""), usual=2)


def _computed(
    draft: Draft, ratio: Ratio, document_id: str, readings: dict[str, Reading], before: Reading | None, shown: str
) -> str:
    parts = [
        f"{name} {spoken(r)} {draft.run.mark(r.passage.id)}" for name, r in readings.items() if name in ratio.formula
    ]
    if before:
        parts.append(f"{spoken(before)} the year before {draft.run.mark(before.passage.id)}")
    period = next((r.period for r in readings.values() if r.period), "")
    when = f" for {period}" if period else ""
    title = draft.run.by_id[document_id].title
    return f"{title}: {ratio.name}{when} is {shown}, computed as {ratio.formula} from {listed(parts)}."
