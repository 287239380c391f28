"""Measures of retrieval and coverage: pure functions, each in [0, 1], one meaning a function.

A ranked list holds each item once, best first; `gold` is the set that counts. Recall@k and the reciprocal rank are
those of TREC (Voorhees, 1999, "The TREC-8 Question Answering Track Report").
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set

from rag.types import CoverageState

Pages = Mapping[str, Set[int]]  # file name -> page numbers


def hit_at(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """1.0 where one of the first k counts."""
    return float(any(item in gold for item in ranked[:k]))


def recall_at(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """Share of what counts that stands among the first k; 0.0 where nothing counts."""
    return sum(item in gold for item in ranked[:k]) / len(gold) if gold else 0.0


def reciprocal_rank(ranked: Sequence[Hashable], gold: Collection[Hashable]) -> float:
    """1 / rank of the first that counts, 0.0 where none does."""
    return next((1 / rank for rank, item in enumerate(ranked, 1) if item in gold), 0.0)


def coverage(found: Pages, wanted: Pages) -> float:
    """Share of the wanted documents of which any page was found."""
    return _share(document in found for document in wanted)


def page_coverage(found: Pages, wanted: Pages) -> float:
    """Share of the wanted documents of which a page that counts was found."""
    return _share(bool(found.get(document, set()) & pages) for document, pages in wanted.items())


def ledger_true(
    states: Mapping[str, CoverageState], expected: Collection[str], offered: Collection[str], cited: Collection[str]
) -> float:
    """1.0 where every document asked about has a row, and each row says what happened to it."""
    rows = all(document in states for document in (*expected, *offered, *cited))
    return float(rows and all(_true(state, name, offered, cited) for name, state in states.items()))


def number_right(value: object, accepted: Collection[object], *, tolerance: float = 0.01) -> bool:
    """Whether a number lies within the tolerance, a share, of one that is accepted."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    numbers = [each for each in accepted if isinstance(each, (int, float)) and not isinstance(each, bool)]
    return any(abs(value - number) <= tolerance * abs(number) for number in numbers)


def _true(state: CoverageState, document: str, offered: Collection[str], cited: Collection[str]) -> bool:
    if document in cited:
        return state == "cited"
    return state == "offered" if document in offered else state in ("nothing_found", "not_searched")


def _share(outcomes: Iterable[bool]) -> float:
    seen = list(outcomes)
    return sum(seen) / len(seen) if seen else 0.0
