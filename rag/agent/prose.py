"""Figures that a sentence states: "capital expenditures of $116 million in 2019", "1,649 full-time employees"."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rag.agent.columns import YEAR
from rag.agent.denomination import SCALES
from rag.agent.sentences import headed_sentences, sentences, topic_stems
from rag.search.rows import DIGITS
from rag.search.support import stands_in
from rag.search.vocabulary import Figure, phrase_stems
from rag.types import Passage
from rag.words import stems

_AMOUNT = re.compile(
    rf"(?P<sign>\()?(?P<money>[$€£¥])?\s?(?P<digits>{DIGITS})(?![\w-]*(?-i:[A-Z]))\)?"
    r"\s?(?P<scale>thousand|million|billion|(?-i:m|bn)\b)?\s?(?P<percent>%|percent|per\s+cent)?",
    re.I,
)
RATE = re.compile(r"%|\brates?\b|percent|margin|share\s+of|growth|yield|ratio", re.I)
COUNTED = re.compile(
    r"\b(?:employees|people|staff|headcount|customers|stores|shops|shares|sites|plants|locations|members|warehouses|"
    r"restaurants|hotels|branches|aircraft|vehicles|patents)\b",
    re.I,
)
_PEOPLE = "(?:employees|people|staff|persons|associates|team\\s+members)"
_ALIKE = dict.fromkeys(("employees", "people", "staff", "headcount"), _PEOPLE)  # one count under several words
_AHEAD = re.compile(
    r"\b(?:will|plans?|intends?|expects?|between|to\s+(?:open|close)|\d+\s+(?:to|or|and)\s+\d+)\b", re.I
)
_IN_PARTS = re.compile(r"\d\s+[\w-]+(?:\s+[\w-]+)?\s+(?:and|or|,)\s*$")  # "1,200 large and", before "400 small stores"
_NEAR = 90  # characters between the name of a known figure and its amount
_YEAR_NEAR = 60  # and between an amount and the year that it belongs to
_PARTED = re.compile(r"\b(?:and|while|whereas)\b|;")  # "$5 million and in 2022 …": what follows is another year's
_SHORT = 12  # words of a sentence that leans on its heading
_CALENDAR = re.compile(r"\bcalendar\s+year\b", re.I)  # another count of years than the report's own
_OTHER_YEAR = 0.2
LEAST = 0.6  # share of a topic's words that a sentence must hold


class Said(NamedTuple):
    """A figure as a sentence states it."""

    sentence: str
    shown: str
    value: float  # in plain units; per cent as printed
    unit: str  # "million", "%", ""
    named: bool  # whether the sentence names the year
    money: str  # the sign before it: "$", ""
    share: float  # how much of what is asked the sentence says, (0, 1]


def said_amounts(passage: Passage, topic: str, figure: Figure | None, year: int | None) -> Iterator[Said]:
    """Sentences that hold the topic and an amount that belongs to the year; none where they name other years alone.

    A short sentence under a heading speaks of what the heading names: "Sales", then "Fiscal 2023: 910 million."
    """
    rate = bool(figure and figure.rate) or bool(RATE.search(topic))
    for heading, sentence in headed_sentences(passage):
        under = heading if figure and len(sentence.split()) <= _SHORT else ""
        share = _share(f"{under}: {sentence}", topic, figure) - _OTHER_YEAR * bool(_CALENDAR.search(sentence))
        amounts = [m for m in _AMOUNT.finditer(sentence) if _is_amount(m) and bool(m["percent"]) == rate]
        if figure:
            amounts = [m for m in amounts if _near_name(sentence, m, figure, under)]
        match = _of_year(sentence, amounts, year) if share >= LEAST else None
        if match:
            scale = (match["scale"] or "").casefold()
            unit = "%" if match["percent"] else {"m": "million", "bn": "billion"}.get(scale, scale)
            sign = -1 if match["sign"] and ")" in match.group() else 1
            value = sign * float(match["digits"].replace(",", "")) * SCALES.get(unit, 1.0)
            named = bool(year) and str(year) in sentence
            yield Said(sentence, match.group().strip(), value, unit, named, match["money"] or "", share)


def said_counts(passage: Passage, topic: str, year: int | None) -> Iterator[Said]:
    """Numbers that stand before the things that the topic counts."""
    thing = _ALIKE.get(COUNTED.findall(topic)[-1].casefold(), COUNTED.findall(topic)[-1].casefold())
    number = re.compile(
        rf"(?<![\w.,$€£¥-])(\d{{1,3}}(?:,\d{{3}})+|\d+)\s+((?:[^\W\d][\w-]*\s+){{0,3}}?){thing}\b", re.I
    )
    words = set(topic_stems(topic))
    for sentence in sentences(passage):
        found = [*number.finditer(sentence)]
        if (
            len(found) > 1
            or _AHEAD.search(sentence)
            or any(m[2] and _IN_PARTS.search(sentence[: m.start()]) for m in found)
        ):
            continue  # parts of a count, a range, or what is planned
        for match in found:
            if not YEAR.fullmatch(match[1]):
                share = len(words & set(stems(sentence))) / len(words) - 0.1 * len(match[2].split())
                value = float(match[1].replace(",", ""))
                yield Said(sentence, match[1], value, "", bool(year) and str(year) in sentence, "", share)


def _share(sentence: str, topic: str, figure: Figure | None) -> float:
    held = stems(sentence)
    if figure:
        return float(any(stands_in(phrase_stems(ask), held) for ask in (*figure.asks, *figure.lines[:2])))
    wanted = set(topic_stems(topic))
    return len(wanted & set(held)) / len(wanted) if wanted else 0.0


def _is_amount(match: re.Match[str]) -> bool:
    if YEAR.fullmatch(match["digits"]):
        return False
    return bool(match["scale"] or match["percent"] or match["money"] or "," in match["digits"])


def _near_name(sentence: str, amount: re.Match[str], figure: Figure, heading: str) -> bool:
    """Whether the figure's name stands shortly before the amount, or heads the sentence."""
    before = stems(f"{heading} {sentence[max(0, amount.start() - _NEAR) : amount.start()]}")
    return any(stands_in(phrase_stems(ask), before) for ask in (*figure.asks, *figure.lines[:2]))


def _of_year(sentence: str, amounts: list[re.Match[str]], year: int | None) -> re.Match[str] | None:
    """The first amount whose own year this is.

    That is the next one after it, before another amount or another statement begins; else the last before.
    """
    years = [*YEAR.finditer(sentence)]
    if not amounts or not years or year is None:
        return amounts[0] if amounts else None
    if len(years) == len(amounts) > 1 and (
        years[-1].end() < amounts[0].start() or amounts[-1].end() < years[0].start()
    ):
        paired = zip(years, amounts, strict=True)  # "in 2016 and 2017 … $3.9 billion and $6.4 billion"
        return next((amount for own, amount in paired if own.group() == str(year)), None)
    ends = [amount.start() for amount in amounts[1:]] + [len(sentence)]
    for amount, end in zip(amounts, ends, strict=True):
        parted = _PARTED.search(sentence, amount.end())
        end = min(end, amount.end() + _YEAR_NEAR, parted.start() if parted else end)
        after = [y for y in years if amount.end() <= y.start() < end]
        before = [y for y in years if y.end() <= amount.start()]
        own = after[0] if after else before[-1] if before else None
        if own and own.group() == str(year):
            return amount
    return None
