"""How a question wants to be answered, told apart from what it asks."""

import re
from typing import NamedTuple

from rag.types import Statement

# Sentences that tell how to answer, or define a term, and ask nothing.
_TELLS = re.compile(
    r"""^\W*(?:(?:please|also|and)\s+)?(?:
        answer|round|base|calculate|compute|give|provide|respond|address|state|express|report|show|use|assume|imagine|pretend|
        define|consider|note|keep|include|exclude|return|format|write|help|act\s+as|you\s+are|we\s+(?:need|want|would\s+like)\s+to|
        i\s+(?:need|want)\s+(?:you\s+)?to|if\b[^,]*\b(?:not|n/a|unavailable|no\s)|[\w\s()&-]{0,60}\b(?:is|are)\s+defined\s+as|
        [\w\s()&-]{0,60}\bhere\s+is\s+defined|let\b
    )\b""",
    re.I | re.X,
)
# What leads up to the question within its own sentence: "According to the balance sheet, how much …"
_LEAD = re.compile(
    r"""^(?:[^?]*?\b(?:question|ask(?:ed)?)\b[^?:]*:\s*
        |(?:by|using|when|according|based|basing|in\s+agreement|in\s+line|given\s+the|drawing|relying|assum\w+)\b[^?]*?,\s*
         (?=(?:what|how|which|who|when|where|why|is|are|was|were|did|does|do|has|have|had|can|could)\b)
        |(?:please\s+)?(?:tell\s+me|answer|help\s+me\s+find)[^?,:]*[,:]\s*)""",
    re.I | re.X,
)
_ASIDE = re.compile(
    r"\((?:[^()]*\b(?:usd|millions?|billions?|thousands|percents?|units|decimals?|nearest|rounded|exact\s+number)\b[^()]*)\)",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[?!])\s+|(?<=[^\W\d_]{2}[.:])\s+(?=[A-Z])|(?<=[)\d%]\.)\s+(?=[A-Z])")
_SCALE = re.compile(
    r"\b(?:in|to)\s+(?:units\s+of\s+)?(?:[A-Z]{3}\s+|US\$\s*|\$\s*)?(thousands?|millions?|billions?)\b", re.I
)
_WORDS = {"no": 0, "zero": 0, "one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_PLACES = rf"(?P<places>{'|'.join(_WORDS)}|[0-6])[\s-]+decimals?(?:[\s-]+(?:places?|points?|digits?))?"
# To the nearest what, and how many decimals that is: a pattern and its number, or the scale that it means.
_UNITS: tuple[tuple[str, int | str], ...] = (
    (r"thousandths?", 3),
    (r"hundredths?|cents?|penny", 2),
    (r"tenths?", 1),
    (r"(?:[$€£]\s*)?(?:1\s+)?thousands?", "thousand"),
    (r"(?:[$€£]\s*)?(?:1\s+)?millions?", "million"),
    (r"(?:[$€£]\s*)?(?:1\s+)?billions?", "billion"),
    (r"hundreds?", -2),
    (r"(?:whole\s+)?(?:number|integer|unit|dollar|euro|pound|per\s?cent|percentage\s+point)s?|whole", 0),
)
_UNIT = "|".join(pattern for pattern, _ in _UNITS)
_NEAREST = (
    rf"(?:the\s+)?nearest\s+(?P<unit>0?\.0*1|{_UNIT})\b(?:\s+of\s+(?:a|one)\s+(?:per\s?cent|percentage\s+point)s?)?"
)
_DECIMALS = re.compile(rf"\b(?:{_PLACES}|{_NEAREST}|without\s+decimals)\b", re.I)
# The same within the question that it belongs to: "What was the margin, rounded to one decimal place?"
_ROUNDED = re.compile(
    rf",?\s*\b(?:and\s+)?(?:(?:please\s+)?round(?:ed|ing)?(?:\s+off|\s+it|\s+(?:your|the)\s+answer)?\s+to|to|with)"
    rf"\s+(?:an?\s+)?(?:{_PLACES}|{_NEAREST})\b",
    re.I,
)
_NAMES: tuple[tuple[str, Statement], ...] = (
    (r"\bbalance\s+sheets?\b|\bstatements?\s+of\s+financial\s+position\b", "balance"),
    (r"\bcash\s*flows?\s+statements?\b|\bstatements?\s+of\s+cash\s*flows?\b", "cash flow"),
    (
        r"\b(?:income|p\s?&\s?l|profit\s+(?:and|&)\s+loss)\s+statements?\b|\bstatements?\s+of\s+(?:income|operations|earnings)\b",
        "income",
    ),
)


def strip_instructions(question: str) -> str:
    """What the question asks, without how to answer it and without definitions; all of it where that is all."""
    sentences = [s.strip() for s in _SENTENCE.split(question) if s.strip()]
    asking = [s for s in (_ASIDE.sub(" ", _LEAD.sub("", s)) for s in sentences) if "?" in s or not _TELLS.match(s)]
    with_mark = [s for s in asking if "?" in s]
    asked = " ".join(_ROUNDED.sub("", " ".join(with_mark or asking)).split())
    return asked if any(map(str.isalnum, asked)) else question


def named_statements(question: str) -> tuple[Statement, ...]:
    """The financial statements that the question names, whether it asks for them or for an answer from them."""
    return tuple(kind for pattern, kind in _NAMES if re.search(pattern, question, re.I))


_POWERS = {"thousand": 3, "million": 6, "billion": 9}


class Form(NamedTuple):
    """How a number is to be given."""

    scale: str  # "million", "" where the question asks for none
    decimals: int | None  # below 0: to the nearest ten, hundred, …; None: as they come


def asked_form(question: str) -> Form:
    """The scale and the decimals that the question asks for."""
    found, match = _SCALE.search(question), _DECIMALS.search(question)
    scale = found[1].casefold().removesuffix("s") if found else ""
    if not match:
        return Form(scale, None)
    if places := (match["places"] or "").casefold():
        return Form(scale, _WORDS[places] if places in _WORDS else int(places))
    nearest = _nearest((match["unit"] or "whole").casefold())
    if isinstance(nearest, int):
        return Form(scale, nearest)
    return Form(scale or nearest, _POWERS[scale or nearest] - _POWERS[nearest])


def _nearest(unit: str) -> int | str:
    """Its decimals, or the scale that it is: 2 of "cent" and of "0.01", "million" of "$1 million"."""
    if "." in unit:
        return len(unit.partition(".")[2])
    return next(means for pattern, means in _UNITS if re.fullmatch(pattern, unit))
