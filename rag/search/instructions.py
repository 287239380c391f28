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
    r"\((?:[^()]*\b(?:usd|millions?|billions?|thousands|percents?|units|decimal|exact\s+number)\b[^()]*)\)", re.I
)
_SENTENCE = re.compile(r"(?<=[?!])\s+|(?<=[^\W\d_]{2}[.:])\s+(?=[A-Z])|(?<=[)\d%]\.)\s+(?=[A-Z])")
_SCALE = re.compile(
    r"\b(?:in|to)\s+(?:units\s+of\s+)?(?:[A-Z]{3}\s+|US\$\s*|\$\s*)?(thousands?|millions?|billions?)\b", re.I
)
_DECIMALS = re.compile(r"\b(?:to|with)\s+(one|two|three|four|[0-4])\s+decimals?\b", re.I)
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
    return " ".join(" ".join(with_mark or asking).split()) or question


def named_statements(question: str) -> tuple[Statement, ...]:
    """The financial statements that the question names, whether it asks for them or for an answer from them."""
    return tuple(kind for pattern, kind in _NAMES if re.search(pattern, question, re.I))


class Form(NamedTuple):
    """How a number is to be given."""

    scale: str  # "million", "" where the question asks for none
    decimals: int | None  # None: as they come


def asked_form(question: str) -> Form:
    """The scale and the decimals that the question asks for."""
    scale = _SCALE.search(question)
    decimals = _DECIMALS.search(question)
    words = {"one": 1, "two": 2, "three": 3, "four": 4}
    places = (words.get(decimals[1].casefold()) or int(decimals[1])) if decimals else None
    return Form(scale[1].casefold().removesuffix("s") if scale else "", places)
