"""A figure document by document, with value, unit, period and page."""

from collections.abc import Sequence

from rag.agent.answers.draft import Draft, capital, some_of
from rag.agent.answers.fact import fact_answer
from rag.agent.answers.form import decimals_of, in_form
from rag.agent.answers.stated import Stated, read_stated, spoken
from rag.agent.answers.verdict import say_change, say_order, say_ratio
from rag.agent.figures import Reading
from rag.agent.run import Run
from rag.agent.sentences import quoted
from rag.search.instructions import Form, asked_form
from rag.search.question import Asked
from rag.words import listed

SAID = 0.5  # share of what is asked that a sentence with a number says at least to be its answer
_LABEL = 90  # characters of a row's label that a table shows
_HEAD = ["Report", "As the report labels it", "Value", "Unit", "Period", "Page"]
_ALIGN = ["---", "---", "--:", "---", "---", "--:"]


def figure_answer(run: Run, asked: Asked) -> Draft:
    """A table with a row for each report, figure and year, and what follows from them: order, change, ratio."""
    stated = read_stated(run, asked)
    found = [s for s in stated if s.readings]
    draft, form = Draft(run), asked_form(run.asked)
    if not found:
        return _unstated(draft, asked)
    names = list(dict.fromkeys(s.name for s in stated))
    for name in names:
        _lead(draft, [s for s in stated if s.name == name])
    draft.table(_HEAD, _ALIGN, (_row(run, s) for s in stated), counted=False)
    _say_own_years(draft, found)
    say_change(draft, found)
    if asked.ratio:
        first = say_ratio(draft, asked.ratio, found, least=asked.least)
    else:
        firsts = [say_order(draft, [s for s in found if s.name == name], least=asked.least) for name in names]
        first = firsts[0] if len(names) == 1 else None
    if asked.compared and (run.scope.absent or run.scope.gaps or len(found) < len(stated)):
        draft.unanswered = True
        draft.count("The comparison cannot be made: not all that it names is stated in this library.")
    elif asked.compared and first:
        draft.value = first.card.company
    elif len(stated) == 1 and not run.scope.gaps:
        draft.value = in_form(found[0].readings[0].value, found[0].readings[0].unit, form, usual=2).value
    if not asked.ratio:
        _as_asked(draft, found, form)
    return draft


def _say_own_years(draft: Draft, found: Sequence[Stated]) -> None:
    """Where a company's year ends in another one's calendar: when, and what it states of the calendar's year."""
    for document in dict.fromkeys(stated.document for stated in found):
        card = document.card
        if card.interim or not (card.fiscal_year and card.period_end) or card.period_end[:4] == str(card.fiscal_year):
            continue
        said = f"In {document.title} fiscal {card.fiscal_year} is the year that ended on {card.period_end}."
        others = [r for s in found if s.document == document for r in s.readings[1:]]
        if other := next((r for r in others if "calendar year" in r.label.casefold()), None):
            said += f" Of the calendar year it says {spoken(other)} {draft.run.mark(other.passage.id)}."
        draft.count(said)


def _as_asked(draft: Draft, found: Sequence[Stated], form: Form) -> None:
    """The values in the scale and with the decimals that the question asks for, where they are not the report's own."""
    given = [_in_form(draft, s, form, named=len(found) > 1) for s in found if _differs(s.readings[0], form)]
    if given:
        draft.count(f"As asked for: {listed(given)}.")


def _differs(reading: Reading, form: Form) -> bool:
    rescaled = form.scale not in ("", reading.unit) and reading.unit not in ("%", "per share")
    return rescaled or form.decimals not in (None, decimals_of(reading.shown))


def _in_form(draft: Draft, stated: Stated, form: Form, *, named: bool) -> str:
    """ "USD 1.6 billion [1]", and where several are given of what."""
    reading = stated.readings[0]
    what = " ".join(filter(None, (stated.document.title, stated.name, reading.period))) + ": " if named else ""
    money = f"{reading.currency} " if reading.currency else ""
    shown = in_form(reading.value, reading.unit, form, usual=2).text
    return f"{what}{money}{shown} {draft.run.mark(reading.passage.id)}"


def _unstated(draft: Draft, asked: Asked) -> Draft:
    fact = fact_answer(draft.run, asked)
    said = fact.said or 0.0
    if asked.amount:
        draft.count(f"No row of a table states {asked.topic or 'it'}; this is what the passages say of it:")
        draft.unanswered = not (fact.number and said >= SAID)
    draft.paragraphs += fact.paragraphs
    draft.counted += fact.counted
    draft.said = said
    return draft


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
        state = "states" if some == 1 else "state"
        draft.count(f"{some_of(some, len(documents))} {state} {found[0].name} {marks}.")


def _said(reading: Reading) -> str:
    return f"{spoken(reading)} for {reading.period}" if reading.period else spoken(reading)


def _row(run: Run, stated: Stated) -> list[str]:
    if not stated.readings:
        return [stated.document.title, f"{stated.name}: not stated in the passages found", "—", "—", "—", "—"]
    best, year = stated.readings[0], stated.document.card.fiscal_year
    also = [r for r in stated.readings[1:] if r.passage.page != best.passage.page and r.value == best.value][:1]
    marks = "".join(run.mark(reading.passage.id) for reading in (best, *also))
    label = quoted(best.label)
    label = label if len(label) <= _LABEL else f"{label[:_LABEL].rsplit(' ', 1)[0]} …"
    label = label if best.is_row else f"in a sentence: {label}"
    unit = " ".join(filter(None, (best.currency, best.unit))) or "—"
    whole = year and not stated.document.card.interim
    period = best.period or (f"fiscal {year}" if whole else "—")
    return [stated.document.title, label, f"{best.shown} {marks}", unit, period, best.passage.place]
