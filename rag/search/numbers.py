"""The numbers and years that a query bears, and how many of them a passage holds."""

import re
from collections.abc import Collection, Mapping

from rag.ports import WordCounts
from rag.search.support import rarity
from rag.words import tokens

# One digit alone counts things ("the 5 largest"); it is a number to look for as a share or as the name of a part.
_NUMBER = re.compile(
    r"""(?P<part>\b(?:item|note|page|section|exhibit)\s+)?(?<![\w.,-])(?P<digits>\d[\d,]*(?:\.\d+)?(?-i:[A-C])?)(?![\w-]|[.,]\d)
        (?P<share>\s?(?:%|per\s?cent\b))?""",
    re.I | re.X,
)
_FISCAL = re.compile(r"\bFY\s?['’]?(?P<year>\d\d(?:\d\d)?)\b", re.I)


def asked_numbers(text: str) -> tuple[str, ...]:
    """Folded, in order, each once: "12450", "1p5", "8" of "8 %", "1a" of "Item 1A", "2022" of "FY22"."""
    years = ((m.start(), m["year"] if len(m["year"]) == 4 else f"20{m['year']}") for m in _FISCAL.finditer(text))
    plain = (
        (m.start(), word)
        for m in _NUMBER.finditer(text)
        for word in tokens(m["digits"])
        if len(word) > 1 or m["part"] or m["share"]
    )
    return tuple(dict.fromkeys(word for _, word in sorted((*years, *plain))))


class Numbers:
    """The numbers of a query, ready to be looked for in many passages."""

    def __init__(self, held: Mapping[str, Collection[str]], counts: WordCounts) -> None:
        """`held` has the ids of the passages that hold each number."""
        self._held = held
        self._weights = {number: rarity(number, counts) for number in held}

    def __bool__(self) -> bool:
        return bool(self._held)

    def score(self, passage_id: str) -> float:
        """Share of the numbers that the passage holds, each weighted by how rare it is, in [0, 1]."""
        held = sum(weight for number, weight in self._weights.items() if passage_id in self._held[number])
        return held / sum(self._weights.values())
