"""Reads a figure out of passages: the row or sentence that states it, its value, unit and period."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rag.agent.sentences import sentences, shortened, topic_stems
from rag.search.rows import Row, label_fit, rows, word_fit
from rag.search.vocabulary import Figure
from rag.types import Document, Hit, Page, Passage
from rag.words import stems

_YEAR = re.compile(r"(?<![\d,.])(?:19[89]|20[0-4])\d(?![\d,.%])")
_UNIT = re.compile(
    r"(?:\(|\b(?:dollars|amounts?|figures?|tabular\s+amounts|usd|us\$|eur|euros?|gbp|chf|cad|aud)\b|[$€£]|\bin\b)[^()]{0,40}?\b"
    r"(?P<scale>thousand|million|billion)s?\b|(?P<short>[$€£](?:000s?|m|bn|mn)\b|[$€£]['’]000)",
    re.I,
)
_AMOUNT = re.compile(r"(?P<sign>\()?[$€£¥]?\s?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\)?\s?(?P<scale>thousand|million|billion|m\b|bn\b)?\s?(?P<percent>%|percent)?", re.I)
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "m": 1e6, "mn": 1e6, "bn": 1e9}
LEAST_FIT = 0.34  # least fit of a row's label, or of a sentence's words
_NEAR = 1_500  # characters above a row in which the heads of its columns stand


class Reading(NamedTuple):
    """A figure as one passage states it."""

    passage: Passage
    label: str  # the row's label, or the sentence
    shown: str  # the value as printed: "(1,125)"
    value: float  # in plain units; per share or per cent as printed
    unit: str  # "million", "per share", "%", "" where the page says none
    period: str  # "2022", "" where no column head tells
    fit: float  # (0, 2]; how well label and statement are what was asked


def read_figure(
    document: Document, hits: Sequence[Hit], topic: str, figure: Figure | None, page: Callable[[int], Page], *, year: int | None = None
) -> list[Reading]:
    """Readings of the figure in the document's passages for `year` (the document's own where None), best first."""
    wanted = year or document.card.fiscal_year
    readings = [r for hit in hits for r in _row_readings(hit.passage, topic, figure, page, document, wanted)]
    if not readings or max(r.fit for r in readings) < 0.6:
        readings += [r for hit in hits for r in _prose_readings(hit.passage, topic, figure, wanted)]
    return sorted(readings, key=lambda r: (-r.fit, r.passage.id))


def _row_readings(
    passage: Passage, topic: str, figure: Figure | None, page: Callable[[int], Page], document: Document, year: int | None
) -> Iterator[Reading]:
    for row in rows(passage.text):
        fit = label_fit(row, figure.lines) if figure else word_fit(row.label, topic_stems(topic))
        values = [v for v in row.values if v is not None]
        if fit < LEAST_FIT or not values or (row.percent and "%" not in topic and "rate" not in topic):
            continue
        if figure and figure.per_share and not all(abs(v) < 10_000 and v != int(v) or v == 0 for v in values[:2]):
            continue
        if figure:
            fit += (passage.statement == figure.statement) - 0.3 * bool(passage.statement and passage.statement != figure.statement)
        text = page(passage.page).text
        column, period = _column(text, passage.start + row.start, row, year, document)
        value = row.values[column] if column < len(row.values) else None
        if value is None:
            continue
        unit = "per share" if figure and figure.per_share else "%" if row.percent else _unit(text, passage.start + row.start)
        if figure and figure.statement == "cash flow" and figure.lines and value < 0:
            value = abs(value)  # an outflow's brackets are its direction, not the figure's sign
        yield Reading(passage, row.label, row.printed[column], value * _SCALES.get(unit, 1.0), unit, period, fit)


def _column(text: str, at: int, row: Row, year: int | None, document: Document) -> tuple[int, str]:
    """Which value of the row is the year's, and the period that its column's head names."""
    heads = column_years(text, at, len(row.values))
    ends = document.card.period_end[:4] if document.card.period_end else ""
    for wanted in (str(year or ""), ends if year == document.card.fiscal_year else ""):
        if wanted and wanted in heads:
            return heads.index(wanted), wanted
    return 0, heads[0] if heads else ""


def column_years(text: str, at: int, columns: int) -> list[str]:
    """The years that head the columns of the row at this offset: the nearest line or two above that name as many."""
    gathered: list[str] = []
    skipped = 0
    for line in reversed(text[max(0, at - _NEAR) : at].splitlines()):
        head = re.split(r"\d{1,3},\d{3}|\d\.\d", line)
        years = _YEAR.findall(head[0]) if len(head) == 1 or len(_YEAR.findall(head[0])) > 1 else []
        if years:
            gathered, skipped = years + gathered, 0
            if len(gathered) >= columns:
                return gathered[:columns] if len(years) >= columns else gathered[-columns:]
        elif gathered:
            skipped += 1
            if skipped > 3 or len(head) > 1:
                break
    return gathered


def _unit(text: str, at: int) -> str:
    """The scale that the page states nearest above the row, else anywhere on it."""
    found = [*_UNIT.finditer(text[:at])][-1:] or [*_UNIT.finditer(text)][:1]
    if not found:
        return ""
    if scale := found[0]["scale"]:
        return scale.lower()
    short = re.sub(r"[$€£'’]", "", found[0]["short"].lower())
    return {"000": "thousand", "000s": "thousand", "m": "million", "mn": "million", "bn": "billion"}[short]


def _prose_readings(passage: Passage, topic: str, figure: Figure | None, year: int | None) -> Iterator[Reading]:
    """Sentences that hold the words of the topic and an amount."""
    wanted = [topic_stems(topic), *(topic_stems(ask) for ask in (figure.asks if figure else ()))]
    for sentence in sentences(passage):
        held = set(stems(sentence))
        share = max((len(set(words) & held) / len(set(words)) for words in wanted if words), default=0.0)
        amounts = [m for m in _AMOUNT.finditer(sentence) if not _YEAR.fullmatch(m["digits"]) and (m["scale"] or m["percent"] or "$" in m.group() or "," in m["digits"])]
        if share < 0.6 or not amounts:
            continue
        match = _nearest_year(sentence, amounts, year)
        scale = (match["scale"] or "").lower()
        unit = {"m": "million", "bn": "billion"}.get(scale, scale) or ("%" if match["percent"] else "")
        value = float(match["digits"].replace(",", "")) * _SCALES.get(unit, 1.0)
        period = str(year) if year and str(year) in sentence else ""
        yield Reading(passage, shortened(sentence), match.group().strip(), value, unit, period, 0.5 * share + 0.1 * bool(period))


def _nearest_year(sentence: str, amounts: list[re.Match[str]], year: int | None) -> re.Match[str]:
    """The amount that stands nearest to the year, the first where the sentence does not name it."""
    at = sentence.find(str(year)) if year else -1
    return amounts[0] if at < 0 else min(amounts, key=lambda m: abs(m.start() - at))
