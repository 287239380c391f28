"""The state of one run: what was asked, which documents it is about, what was found so far."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from rag.agent.coverage import ledger
from rag.ports import Catalogue, PassageSource, Retriever, WordCounts
from rag.search.scope import Scope
from rag.types import CoverageRow, Document, Hit, Search, Step


class Library(Catalogue, PassageSource, Protocol):
    """A library's documents and their text."""


@dataclass
class Run:
    """Grows step by step; a reasoner reads it (`ports.RunView`), only the loop writes it."""

    question: str
    library: Library
    retriever: Retriever
    counts: WordCounts
    selection: tuple[Document, ...]  # what may be searched
    scope: Scope
    top_k: int  # passages of each document that a search may offer
    iterations_left: int
    cancel: threading.Event = field(default_factory=threading.Event)  # set by whoever stops the run
    steps: list[Step] = field(default_factory=list)
    found: dict[str, Hit] = field(default_factory=dict)  # offered passages by id, in the order of their offering

    @property
    def documents(self) -> tuple[Document, ...]:
        """Those in scope."""
        return tuple(d for d in self.selection if d.id in self.scope.documents)

    @property
    def by_id(self) -> Mapping[str, Document]:
        return {document.id: document for document in self.selection}

    @property
    def evidence(self) -> tuple[Hit, ...]:
        return tuple(self.found.values())

    @property
    def searches(self) -> tuple[Search, ...]:
        return tuple(search for step in self.steps for search in step.observation.searches)

    @property
    def open(self) -> tuple[str, ...]:
        """Documents in scope that no search or summary has asked yet."""
        return tuple(row.document_id for row in self.coverage() if row.state == "not_searched")

    def coverage(self, cited: Sequence[str] = ()) -> tuple[CoverageRow, ...]:
        """The ledger, `cited` being ids of passages that the answer cites."""
        read = [passage for step in self.steps for passage in step.observation.passages]
        return ledger(self.documents, self.searches, self.evidence, cited, read)

    def mark(self, passage_id: str) -> str:
        """ "[n]", by which an answer cites an offered passage."""
        return f"[{list(self.found).index(passage_id) + 1}]"

    def offered(self, document_id: str) -> tuple[Hit, ...]:
        """Passages offered of one document, best first."""
        return tuple(sorted((h for h in self.evidence if h.passage.document_id == document_id), key=lambda h: -h.score))

    def take(self, step: Step) -> None:
        """Adds a step, what it found to the evidence, and what it searched to the scope."""
        self.steps.append(step)
        searched = {i for search in step.observation.searches for i in search.documents}
        searched |= {passage.document_id for passage in step.observation.passages}
        if new := searched - set(self.scope.documents):
            kept = tuple(d.id for d in self.selection if d.id in new or d.id in self.scope.documents)
            self.scope = replace(self.scope, documents=kept)
        for hit in in_turn([search.hits for search in step.observation.searches]):
            known = self.found.get(hit.passage.id)
            self.found[hit.passage.id] = known if known and known.score >= hit.score else hit
        for passage in step.observation.passages:
            self.found.setdefault(passage.id, Hit(passage, 1.0))


def in_turn(lists: Sequence[Sequence[Hit]]) -> list[Hit]:
    """The first of each list, then the second of each, so that no search crowds another out."""
    longest = max(map(len, lists), default=0)
    return [hits[rank] for rank in range(longest) for hits in lists if rank < len(hits)]
