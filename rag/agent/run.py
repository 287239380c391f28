"""The state of one run: what was asked, which documents it is about, what was found so far."""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from rag.agent.coverage import ledger
from rag.agent.denomination import Denomination, denomination_of
from rag.ports import Catalogue, PassageSource, Retriever, WordCounts
from rag.search.scope import Scope
from rag.types import AnswerDelta, CoverageRow, Document, Hit, Noted, Search, Spent, Step, Thinking, Usage


class Library(Catalogue, PassageSource, Protocol):
    """A library's documents and their text."""


@dataclass(frozen=True)
class Bounds:
    """How much a run may take of a language model; rules need none."""

    tokens: int | None = None  # in and out, over all calls; None: as many as it takes
    seconds: float | None = None


UNBOUND = Bounds()


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
    bounds: Bounds = UNBOUND
    restated: str = ""  # the question as it stands alone, where it was a follow-up
    began: float = field(default_factory=time.monotonic)
    steps: list[Step] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)  # of the model, that of the decision under way included
    notes: list[str] = field(default_factory=list)  # of the decision under way
    streamed: str = ""  # of the answer, as far as it went out while it was written
    found: dict[str, Hit] = field(default_factory=dict)  # offered passages by id, in the order of their offering
    numbers: Mapping[str, int] = field(default_factory=dict)  # theirs, by id: from 1, in that order
    _money: dict[str, Denomination] = field(default_factory=dict)  # by document id

    @property
    def asked(self) -> str:
        """The question as it stands alone."""
        return self.restated or self.question

    @property
    def documents(self) -> tuple[Document, ...]:
        """Those in scope."""
        return tuple(d for d in self.selection if d.id in self.scope.documents)

    @cached_property
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

    @property
    def swept(self) -> bool:
        return any(step.kind == "sweep" for step in self.steps)

    @property
    def must_sweep(self) -> bool:
        """Whether documents have to be searched before an answer may go out."""
        return bool(self.open) and not self.swept

    @property
    def tokens_left(self) -> int | None:
        """None: as many as it takes."""
        return None if self.bounds.tokens is None else max(0, self.bounds.tokens - self.usage.tokens)

    @property
    def seconds_left(self) -> float:
        spent = time.monotonic() - self.began
        return float("inf") if self.bounds.seconds is None else max(0.0, self.bounds.seconds - spent)

    def coverage(self, cited: Sequence[str] = ()) -> tuple[CoverageRow, ...]:
        """The ledger, `cited` being ids of passages that the answer cites."""
        read = [passage for step in self.steps for passage in step.observation.passages]
        return ledger(self.documents, self.searches, self.evidence, cited, read)

    def mark(self, passage_id: str) -> str:
        """ "[n]", by which an answer cites an offered passage."""
        return f"[{self.numbers[passage_id]}]"

    def offered(self, document_id: str) -> tuple[Hit, ...]:
        """Passages offered of one document, best first."""
        return tuple(sorted((h for h in self.evidence if h.passage.document_id == document_id), key=lambda h: -h.score))

    def money_of(self, document: Document) -> Denomination:
        """In which currency and scale the document states its figures; read once."""
        if document.id not in self._money:
            self._money[document.id] = denomination_of(document, self.library)
        return self._money[document.id]

    def hear(self, event: Thinking) -> None:
        """Keeps what happens while a decision is made, for the step that follows."""
        match event:
            case Noted():
                self.notes.append(event.text)
            case Spent():
                self.usage += event.usage
            case AnswerDelta():
                self.streamed = event.text if event.anew else self.streamed + event.text

    def thought(self) -> tuple[Usage, tuple[str, ...]]:
        """What the decision under way has taken, once."""
        taken = Usage(
            self.usage.prompt_tokens - sum(step.usage.prompt_tokens for step in self.steps),
            self.usage.completion_tokens - sum(step.usage.completion_tokens for step in self.steps),
        )
        notes, self.notes = tuple(self.notes), []
        return taken, notes

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
        self.numbers = {passage_id: number for number, passage_id in enumerate(self.found, 1)}


def in_turn(lists: Sequence[Sequence[Hit]]) -> list[Hit]:
    """The first of each list, then the second of each, so that no search crowds another out."""
    longest = max(map(len, lists), default=0)
    return [hits[rank] for rank in range(longest) for hits in lists if rank < len(hits)]
