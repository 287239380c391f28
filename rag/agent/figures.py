"""Reads a figure out of passages: the row or sentence that states it, its value, unit and period."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rag.agent.columns import YEAR, find_column, without_note_number
from rag.agent.denomination import SCALES, Denomination, scale_of
from rag.agent.prose import COUNTED, RATE, said_amounts, said_counts
from rag.agent.sentences import shortened, topic_stems
from rag.ingest.statements import table_head
from rag.ports import PassageSource
from rag.search.rows import Row, label_fit, rows, section_fit, word_fit
from rag.search.vocabulary import Figure
from rag.types import Document, Hit, Passage
from rag.words import stem

LEAST_FIT = 0.4  # least fit of a row's label with a known line
LEAST_WORDS = 0.5  # the same for a figure that no vocabulary knows
CERTAIN = 0.6  # best fit from which no sentence is asked besides
_APART = {
    frozenset({"balance", "cash flow"}),
    frozenset({"balance", "income"}),
}  # the same words there mean other lines


class Reading(NamedTuple):
    """A figure as one passage states it."""

    passage: Passage
    label: str  # the row's label, or the sentence
    shown: str  # the value as printed: "(1,125)"
    value: float  # in plain units; per share or per cent as printed
    unit: str  # "million", "per share", "%", "" where the page says none
    period: str  # "2022", "three months 2023"; "" where no column head tells
    currency: str  # "USD", "" where the report names none
    fit: float  # (0, 2]; how well label and statement are what was asked
    is_row: bool  # a row of a table, or a sentence


@dataclass(frozen=True)
class Wanted:
    """The figure that is looked for."""

    topic: str  # in the question's words
    figure: Figure | None = None  # None: the vocabulary does not know it
    rarest: str | None = None  # the topic's rarest word (stem), without which a row of an unknown figure is another one
    span: str = ""  # the part of a year that is asked for: "six months"


def read_figure(
    document: Document,
    hits: Sequence[Hit],
    wanted: Wanted,
    library: PassageSource,
    money: Denomination,
    *,
    year: int | None = None,
) -> list[Reading]:
    """Readings in these passages of the document, for `year` (the document's own where None), best first.

    `money` is the document's, for figures that name no currency or scale of their own.
    """
    year = year or document.card.fiscal_year
    passages = [hit.passage for hit in hits]
    if not wanted.figure and COUNTED.search(wanted.topic):
        counts = [r for p in passages for r in _counts(p, wanted.topic, year)]
        if counts:
            return sorted(counts, key=lambda r: (-round(r.fit, 1), -r.value))
    readings = [r for p in passages for r in _rows(p, wanted, library, document, money, year)]
    if not readings or max(r.fit for r in readings) < CERTAIN:
        own = document.card.fiscal_year in (None, year)
        readings += [r for p in passages for r in _amounts(p, wanted, money, year) if own or r.period]
    return sorted(readings, key=lambda r: (-r.fit, r.passage.id))


def _rows(
    passage: Passage, wanted: Wanted, library: PassageSource, document: Document, money: Denomination, year: int | None
) -> Iterator[Reading]:
    figure = wanted.figure
    fits = [(row, fit) for row in rows(passage.text) if (fit := _fit(row, wanted, passage))]
    if not fits:
        return
    head, text = _with_head(document, passage.page, library)
    for printed, fit in fits:
        at = len(head) + passage.start + printed.start
        row = without_note_number(printed, text, at)
        column, period = find_column(text, at, row, year, document, span=wanted.span)
        value = row.values[column] if column < len(row.values) else None
        if value is None or YEAR.fullmatch(row.printed[column]):
            continue
        counted = not figure and bool(COUNTED.search(wanted.topic))
        unit = (
            "%"
            if row.percent
            else ""
            if counted
            else "per share"
            if figure and figure.per_share
            else scale_of(text, at) or money.scale
        )
        if figure and figure.outflow:
            value = abs(value)  # brackets tell its direction there, not its sign
        outside = figure and figure.statement and passage.statement != figure.statement and passage.headings
        label = f"{row.section}: {row.label}" if figure and label_fit(row, figure.lines) < LEAST_FIT else row.label
        label = f"{label} (under “{passage.headings[-1]}”)" if outside else label
        code = "" if row.percent or counted else money.currency
        yield Reading(passage, label, row.printed[column], value * SCALES.get(unit, 1.0), unit, period, code, fit, True)


def _with_head(document: Document, number: int, library: PassageSource) -> tuple[str, str]:
    """What heads the page before, where this page goes on with its statement; and both texts as one."""
    page = library.page(document.id, number)
    before = library.page(document.id, number - 1) if page.statement and number > 1 else None
    head = f"{table_head(before.text)}\n" if before and before.statement == page.statement else ""
    return head, head + page.text


def _fit(row: Row, wanted: Wanted, passage: Passage) -> float:
    """How well the row is what was asked, (0, 2]; 0.0: it is not."""
    figure, values = wanted.figure, [value for value in row.values if value is not None]
    if not values:
        return 0.0
    if not figure:
        if row.percent and not RATE.search(wanted.topic):
            return 0.0
        stems = {stem(w) for w in row.label.casefold().split()} | set(topic_stems(row.label))
        fit = word_fit(row.label, topic_stems(wanted.topic))
        return fit if fit >= LEAST_WORDS and (not wanted.rarest or wanted.rarest in stems) else 0.0
    if row.percent != figure.rate or frozenset({passage.statement, figure.statement}) in _APART:
        return 0.0
    fit = label_fit(row, figure.lines)
    if figure.per_share:
        small = all(abs(v) < 10_000 and (v != int(v) or v == 0) for v in values[:2])
        fit = max(fit, 0.8 * section_fit(row, figure.lines)) if small else 0.0
    if fit < LEAST_FIT:
        return 0.0
    order = next((i for i, line in enumerate(figure.lines) if label_fit(row, (line,)) >= fit), len(figure.lines))
    return (
        fit + (passage.statement == figure.statement) - 0.005 * order
    )  # of lines that fit alike, the one listed first


def _amounts(passage: Passage, wanted: Wanted, money: Denomination, year: int | None) -> Iterator[Reading]:
    for said in said_amounts(passage, wanted.topic, wanted.figure, year):
        fit = 0.5 * said.share + 0.1 * said.named
        code = money.currency if said.money else ""
        period = str(year) if said.named else ""
        yield Reading(passage, shortened(said.sentence), said.shown, said.value, said.unit, period, code, fit, False)


def _counts(passage: Passage, topic: str, year: int | None) -> Iterator[Reading]:
    for said in said_counts(passage, topic, year):
        fit = 0.5 + 0.3 * said.share + 0.1 * said.named
        period = str(year) if said.named else ""
        yield Reading(passage, shortened(said.sentence), said.shown, said.value, "", period, "", fit, False)
