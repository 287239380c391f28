"""Reads a figure out of passages: the row or sentence that states it, its value, unit and period."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rag.agent.sentences import sentences, shortened, topic_stems
from rag.search.rows import Row, label_fit, rows, section_fit, word_fit
from rag.search.support import stands_in
from rag.search.vocabulary import Figure, phrase_stems
from rag.types import Document, Hit, Page, Passage
from rag.words import stems

_YEAR = re.compile(r"(?<![\d,.])(?:19[89]|20[0-4])\d(?![\d,.%])")
_UNIT = re.compile(
    r"(?:\(|\b(?:dollars|amounts?|figures?|tabular\s+amounts|usd|us\$|eur|euros?|gbp|chf|cad|aud)\b|[$€£]|\bin\b)[^()]{0,40}?\b"
    r"(?P<scale>thousand|million|billion)s?\b|(?P<short>(?-i:[$€£]|\b[A-Z]{3}\s?)['’]?(?:000s?|m|bn|mn)\b)",
    re.I,
)
_AMOUNT = re.compile(
    r"(?P<sign>\()?[$€£¥]?\s?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\)?\s?(?P<scale>thousand|million|billion|m\b|bn\b)?\s?(?P<percent>%|percent)?",
    re.I,
)
# A bare "$" counts as US dollars where no other dollar is named.
_CURRENCIES = {
    "CAD": r"\bCAD\b|\bC\$|Canadian dollars?",
    "AUD": r"\bAUD\b|\bA\$|Australian dollars?",
    "CHF": r"\bCHF\b|Swiss francs?",
    "EUR": r"€|\bEUR\b|[Ee]uros?\b",
    "GBP": r"£|\bGBP\b|[Pp]ounds? sterling",
    "JPY": r"¥|\bJPY\b|\b[Yy]en\b",
    "USD": r"US\$|\bUSD\b|(?<![A-Z])\$|\b[Dd]ollars\b",
}
_COUNTED = re.compile(
    r"\b(?:employees|people|staff|headcount|customers|stores|shops|shares|sites|plants|locations|units|members)\b", re.I
)
_RATE = re.compile(r"%|\brates?\b|percent|margin|share of|growth", re.I)
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "m": 1e6, "mn": 1e6, "bn": 1e9}
LEAST_FIT = 0.4  # least fit of a row's label, or of a sentence's words
_NEAR = 1_500  # characters above a row in which the heads of its columns stand


class Reading(NamedTuple):
    """A figure as one passage states it."""

    passage: Passage
    label: str  # the row's label, or the sentence
    shown: str  # the value as printed: "(1,125)"
    value: float  # in plain units; per share or per cent as printed
    unit: str  # "million", "per share", "%", "" where the page says none
    period: str  # "2022", "" where no column head tells
    currency: str  # "USD", "" where the page names none
    fit: float  # (0, 2]; how well label and statement are what was asked
    is_row: bool  # a row of a table, or a sentence


def read_figure(
    document: Document,
    hits: Sequence[Hit],
    topic: str,
    figure: Figure | None,
    page: Callable[[int], Page],
    *,
    year: int | None = None,
) -> list[Reading]:
    """Readings of the figure in the document's passages for `year` (the document's own where None), best first."""
    wanted = year or document.card.fiscal_year
    if not figure and _COUNTED.search(topic):
        counts = [r for hit in hits for r in _counts(hit.passage, topic, wanted)]
        return sorted(counts, key=lambda r: (-round(r.fit, 1), -r.value))
    readings = [r for hit in hits for r in _row_readings(hit.passage, topic, figure, page, document, wanted)]
    if not readings or max(r.fit for r in readings) < 0.6:
        readings += [r for hit in hits for r in _prose_readings(hit.passage, topic, figure, wanted)]
    return sorted(readings, key=lambda r: (-r.fit, r.passage.id))


def _row_readings(
    passage: Passage,
    topic: str,
    figure: Figure | None,
    page: Callable[[int], Page],
    document: Document,
    year: int | None,
) -> Iterator[Reading]:
    text = page(passage.page).text
    for printed in rows(passage.text):
        row = without_note_number(printed, text, passage.start + printed.start)
        fit = _fit(row, topic, figure)
        values = [value for value in row.values if value is not None]
        if (
            fit < LEAST_FIT
            or not values
            or _YEAR.fullmatch(row.printed[0])
            or (row.percent and not _RATE.search(topic))
        ):
            continue
        if figure:
            fit += (passage.statement == figure.statement) - 0.3 * bool(
                passage.statement and passage.statement != figure.statement
            )
        at = passage.start + row.start
        column, period = _column(text, at, row, year, document)
        value = row.values[column] if column < len(row.values) else None
        if value is None:
            continue
        counted = not figure and bool(_COUNTED.search(topic))
        unit = (
            "per share" if figure and figure.per_share else "%" if row.percent else "" if counted else _unit(text, at)
        )
        if figure and figure.statement == "cash flow":
            value = abs(value)  # an outflow's brackets are its direction, not the figure's sign
        label = f"{row.section}: {row.label}" if figure and label_fit(row, figure.lines) < LEAST_FIT else row.label
        money = "" if row.percent else currency(text, at)
        yield Reading(
            passage, label, row.printed[column], value * _SCALES.get(unit, 1.0), unit, period, money, fit, True
        )


def _fit(row: Row, topic: str, figure: Figure | None) -> float:
    if not figure:
        return word_fit(row.label, topic_stems(topic))
    if not figure.per_share:
        return label_fit(row, figure.lines)
    small = all(abs(v) < 10_000 and (v != int(v) or v == 0) for v in row.values[:2] if v is not None)
    return max(label_fit(row, figure.lines), 0.8 * section_fit(row, figure.lines)) if small else 0.0


def without_note_number(row: Row, text: str, at: int) -> Row:
    """The row without the number of the note that stands before its values, as in IFRS statements."""
    first, rest = row.printed[0], [v for v in row.values[1:] if v is not None]
    is_note = re.fullmatch(r"\d{1,2}(?:\.\d)?", first) and rest and all(abs(v) > 99 or v != int(v) for v in rest)
    if is_note and re.search(r"\bnotes?\b", text[max(0, at - _NEAR) : at], re.I):
        return row._replace(values=row.values[1:], printed=row.printed[1:])
    return row


def currency(text: str, at: int) -> str:
    """The currency that the page names most often above the row, else on it; "" where it names none."""
    for part in (text[:at], text):
        counts = {code: len(re.findall(pattern, part)) for code, pattern in _CURRENCIES.items()}
        best = max(counts, key=lambda code: counts[code])
        if counts[best]:
            return best
    return ""


def _column(text: str, at: int, row: Row, year: int | None, document: Document) -> tuple[int, str]:
    """Which value of the row is the year's, and that year; else the first, and the year above it."""
    heads = column_years(text, at, len(row.values))
    for wanted in _heads_of(year, document):
        if wanted in heads:
            named = wanted if year is None or wanted == str(year) else f"year ended {wanted}"
            return heads.index(wanted), named
    return 0, heads[0] if heads else ""


def _heads_of(year: int | None, document: Document) -> list[str]:
    """How a column of this fiscal year may be headed; by the date of its end first, as fiscal 2025 may end in 2026."""
    own, ends = document.card.fiscal_year, document.card.period_end
    if year is None:
        return [ends[:4]] if ends else []
    by_date = [str(year + int(ends[:4]) - own)] if own and ends and int(ends[:4]) > own else []
    return [*by_date, str(year)]


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
    short = re.sub(r"^(?:[$€£]|[A-Za-z]{3}\s?)['’]?", "", found[0]["short"]).lower()
    return {"000": "thousand", "000s": "thousand", "m": "million", "mn": "million", "bn": "billion"}[short]


def _prose_readings(passage: Passage, topic: str, figure: Figure | None, year: int | None) -> Iterator[Reading]:
    """Sentences that hold the words of the topic and an amount."""
    wanted = topic_stems(topic)
    for sentence in sentences(passage):
        held = stems(sentence)
        if figure:
            share = float(any(stands_in(phrase_stems(ask), held) for ask in (*figure.asks, figure.lines[0])))
        else:
            share = len(set(wanted) & set(held)) / len(set(wanted)) if wanted else 0.0
        amounts = [
            m
            for m in _AMOUNT.finditer(sentence)
            if not _YEAR.fullmatch(m["digits"])
            and (m["scale"] or m["percent"] or "$" in m.group() or "," in m["digits"])
        ]
        amounts = [m for m in amounts if bool(m["percent"]) == bool(_RATE.search(topic))]
        if share < 0.6 or not amounts:
            continue
        match = _nearest_year(sentence, amounts, year)
        scale = (match["scale"] or "").lower()
        unit = {"m": "million", "bn": "billion"}.get(scale, scale) or ("%" if match["percent"] else "")
        sign = -1 if match["sign"] and ")" in match.group() else 1
        value = sign * float(match["digits"].replace(",", "")) * _SCALES.get(unit, 1.0)
        period = str(year) if year and str(year) in sentence else ""
        money = "" if unit == "%" else currency(match.group(), 0) or currency(sentence, 0)
        fit = 0.5 * share + 0.1 * bool(period)
        yield Reading(passage, shortened(sentence), match.group().strip(), value, unit, period, money, fit, False)


def _counts(passage: Passage, topic: str, year: int | None) -> Iterator[Reading]:
    """Numbers of things: "186 stores", "1,649 full-time employees"; a sentence that names the year counts more."""
    thing = _COUNTED.findall(topic)[-1].casefold()
    words = set(topic_stems(topic))
    for sentence in sentences(passage):
        for match in re.finditer(
            rf"(?<![\w.,$€£¥-])(\d{{1,3}}(?:,\d{{3}})+|\d+)\s+((?:[^\W\d][\w-]*\s+){{0,3}}?){thing}\b", sentence, re.I
        ):
            if _YEAR.fullmatch(match[1]):
                continue
            named = str(year) if year and str(year) in sentence else ""
            fit = (
                0.5
                + 0.3 * len(words & set(stems(sentence))) / len(words)
                + 0.1 * bool(named)
                - 0.05 * len(match[2].split())
            )
            yield Reading(
                passage, shortened(sentence), match[1], float(match[1].replace(",", "")), "", named, "", fit, False
            )


def _nearest_year(sentence: str, amounts: list[re.Match[str]], year: int | None) -> re.Match[str]:
    """The amount that stands nearest to the year, the first where the sentence does not name it."""
    at = sentence.find(str(year)) if year else -1
    return amounts[0] if at < 0 else min(amounts, key=lambda m: max(at - m.end(), m.start() - at - 4))
