"""In which currency and scale a report states its figures."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from rag.ports import PassageSource
from rag.types import Document

_UNIT = re.compile(
    r"(?:\(|\b(?:dollars|amounts?|figures?|tabular\s+amounts|usd|us\$|eur|euros?|gbp|chf|cad|aud)\b|[$€£]|\bin\b)[^()]{0,40}?\b"
    r"(?P<scale>thousand|million|billion)s?\b|(?P<short>(?-i:[$€£]|\b[A-Z]{3}\s?)['’]?(?:000s?|m|bn|mn)\b)",
    re.I,
)
_STATEMENTS = 8  # pages that are read for it
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "m": 1e6, "mn": 1e6, "bn": 1e9}
_SHORT = {"000": "thousand", "000s": "thousand", "m": "million", "mn": "million", "bn": "billion"}
# A bare "$" counts as US dollars where no other dollar is named.
_CURRENCIES = {
    "CAD": r"\bCAD\b|\bC\$|Canadian dollars?",
    "AUD": r"\bAUD\b|\bA\$|Australian dollars?",
    "CHF": r"\bCHF\b|Swiss francs?",
    "EUR": r"€|\bEUR\b|[Ee]uros?\b",
    "GBP": r"£|\bGBP\b|[Pp]ounds? sterling",
    "JPY": r"¥|\bJPY\b|\b[Yy]en\b",
    "USD": r"US\$|\bUSD\b|\b[Dd]ollars\b",
    "$": r"(?<![A-Z])\$",
}


class Denomination(NamedTuple):
    currency: str  # "USD", "" where no page names one
    scale: str  # "million", "" where no page states one


def denomination(pages: Iterable[str]) -> Denomination:
    """Of a report, from the text of its statements: what most of them say."""
    texts = list(pages)
    scales = [scale for text in texts if (scale := scale_of(text))]
    counts = {code: sum(len(re.findall(pattern, text)) for text in texts) for code, pattern in _CURRENCIES.items()}
    dollars = max(("CAD", "AUD", "USD"), key=lambda code: counts[code])
    counts[dollars if counts[dollars] else "USD"] += counts.pop("$")
    best = max(counts, key=lambda code: counts[code])
    return Denomination(best if counts[best] else "", max(scales, key=scales.count) if scales else "")


def denomination_of(document: Document, library: PassageSource) -> Denomination:
    """What the pages of its statements say, else its first pages."""
    passages = library.passages(document.id)
    numbers = list(dict.fromkeys(p.page for p in passages if p.statement)) or list({p.page for p in passages[:20]})
    return denomination(library.page(document.id, number).text for number in numbers[:_STATEMENTS])


def scale_of(text: str, at: int | None = None) -> str:
    """The scale that a page states nearest above the offset, else anywhere on it; "" where it states none."""
    above = [*_UNIT.finditer(text[:at])][-1:] if at is not None else []
    found = above or [*_UNIT.finditer(text)][:1]
    if not found:
        return ""
    if scale := found[0]["scale"]:
        return scale.lower()
    return _SHORT[re.sub(r"^(?:[$€£]|[A-Za-z]{3}\s?)['’]?", "", found[0]["short"]).lower()]
