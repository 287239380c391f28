"""Runs the retrieval tests that are kept in a library."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from rag.types import RetrievalTest
from rag.workspace import Workspace

DEPTH = 200  # passages among which a page that is not found is looked for


class CaseOutcome(NamedTuple):
    case: RetrievalTest
    rank: int | None  # of the first passage of the page; None: not among the first DEPTH

    @property
    def passed(self) -> bool:
        return self.rank is not None and self.rank <= self.case.query.k


def run_cases(workspace: Workspace, cases: Iterable[RetrievalTest]) -> Iterator[CaseOutcome]:
    """One outcome a test, as each is done, by the scorer that answers use."""
    for case in cases:
        rank = _rank(workspace, case, case.query.k)
        deeper = None if rank else _rank(workspace, case, max(DEPTH, case.query.k))
        # A longer list may rank it higher than the short one, which did not hold it.
        yield CaseOutcome(case, rank or (deeper and max(deeper, case.query.k + 1)))


def _rank(workspace: Workspace, case: RetrievalTest, k: int) -> int | None:
    hits = workspace.search(replace(case.query, k=k)).hits
    there = (case.document_id, case.page)
    return next((n for n, hit in enumerate(hits, 1) if (hit.passage.document_id, hit.passage.page) == there), None)
