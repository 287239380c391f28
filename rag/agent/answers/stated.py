"""What each report states of each figure that is asked for, by year."""

from collections.abc import Sequence
from typing import NamedTuple

from rag.agent.columns import asked_span
from rag.agent.figures import Reading, Wanted, read_figure
from rag.agent.run import Run
from rag.search.question import Asked
from rag.search.support import rarity
from rag.types import Document
from rag.words import content_words, stem


class Stated(NamedTuple):
    """What one report states of one figure for one year."""

    document: Document
    name: str
    year: int | None
    readings: Sequence[Reading]  # best first; empty: not stated in the passages found


def read_stated(run: Run, asked: Asked) -> list[Stated]:
    """By figure, then report, then year; a figure that no list knows is looked for in the question's own words."""
    span = asked_span(run.asked)
    known = _all(run, [Wanted(figure.name, figure, span=span) for figure in asked.figures])
    if any(stated.readings for stated in known):
        return known
    words = content_words(asked.topic)  # its own words may head a row, too: "change in inventory"
    rarest = max(words, key=lambda word: rarity(word, run.counts), default=None)
    return _all(run, [Wanted(asked.topic, None, stem(rarest) if rarest else None, span)])


def _all(run: Run, wanted: Sequence[Wanted]) -> list[Stated]:
    return [_stated(run, d, w, year) for w in wanted for d in run.documents for year in _years(run, d)]


def _years(run: Run, document: Document) -> list[int | None]:
    """The years to read of this report: those asked for that it can state and that no report of its own states."""
    own = document.card.fiscal_year
    others = {
        d.card.fiscal_year for d in run.documents if d.card.company == document.card.company and d is not document
    }
    years = run.scope.years_of.get(document.id, run.scope.years)
    asked = [y for y in years if not own or (own - 2 <= y <= own and (y == own or y not in others))]
    return list(asked) or [None]


def _stated(run: Run, document: Document, wanted: Wanted, year: int | None) -> Stated:
    hits, money = run.offered(document.id), run.money_of(document)
    readings = read_figure(document, hits, wanted, run.library, money, year=year)
    return Stated(document, wanted.topic, year, readings)


def spoken(reading: Reading) -> str:
    """The value as printed, with its unit: "(1,125) million"."""
    if not reading.unit or reading.unit in reading.shown:
        return reading.shown
    return reading.shown + ("%" if reading.unit == "%" else f" {reading.unit}")
