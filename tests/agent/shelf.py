"""A real library over small reports written in a test, without vectors; and whole runs over it."""

from dataclasses import replace

from rag.agent.loop import run
from rag.agent.run import Run
from rag.index.bm25 import Bm25Scorer
from rag.index.store import Store
from rag.ingest.parse import parse
from rag.ingest.upload import Upload
from rag.search.hybrid import HybridRetriever
from rag.search.scope import find_scope
from rag.types import Card, Document, Hit, Observation, Page, Passage, RunFinished, Search, Step, Trace


def passage(text: str, ordinal: int = 0, *, document: str = "d", page: int = 1, headings=(), statement=None) -> Passage:
    return Passage(
        f"{document}:{ordinal}", document, page, str(page), 0, len(text), text, tuple(headings), statement, 10
    )


def hit(text: str, ordinal: int = 0, *, score: float = 0.8, **where) -> Hit:
    return Hit(passage(text, ordinal, **where), score)


class Book:
    """One document, each of its pages a passage: the port `PassageSource`."""

    def __init__(self, document: Document, *pages: str, statement=None, headings=()) -> None:
        self.document = document
        self.read = tuple(
            passage(text, n, document=document.id, page=n + 1, statement=statement, headings=headings)
            for n, text in enumerate(pages)
        )

    def passages(self, document_id: str, *, page: int | None = None) -> tuple[Passage, ...]:
        return tuple(p for p in self.read if page in (None, p.page))

    def passage(self, passage_id: str) -> Passage:
        return next(p for p in self.read if p.id == passage_id)

    def page(self, document_id: str, number: int) -> Page:
        return Page(number, str(number), self.read[number - 1].text, statement=self.read[number - 1].statement)


class Shelf:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.words = Bm25Scorer(store)
        self.retriever = HybridRetriever(self.words, None, counts=self.words)

    def add(self, file: str, text: str | bytes, **card) -> Document:
        """A report; what `card` gives stands instead of what was read."""
        data = text.encode() if isinstance(text, str) else text
        parsed = parse(Upload(file, data), chunk_tokens=256, report=lambda done, total: None)
        self.store.add(replace(parsed, card=replace(parsed.card, **card)), data)
        return self.store.document(parsed.id)

    def company(self, name: str, text: str, year: int = 2023, *, file: str | None = None) -> Document:
        """A 10-K of this company."""
        return self.add(file or f"{name.lower()}.txt", text, **vars(Card(name, (), "10-K", year)))

    def events(self, question: str, **options) -> list:
        given = {"library": self.store, "retriever": self.retriever, "counts": self.words, "selection": None}
        return list(run(question, **given | options))

    def ask(self, question: str, **options) -> Trace:
        last = self.events(question, **options)[-1]
        assert isinstance(last, RunFinished)
        return last.trace

    def state(self, question: str, *, iterations: int = 5) -> Run:
        """A run before its first step."""
        documents = self.store.documents()
        scope = find_scope(question, documents, holds=lambda word: self.words.passages_with(word) > 0)
        return Run(question, self.store, self.retriever, self.words, documents, scope, 5, iterations)


def step(observation: Observation, *, number: int = 1, kind="action", decision=None) -> Step:
    return Step(number, kind, decision, "", observation, "2026-01-01T00:00:00Z", 0.0)


def search(query: str, documents, hits=(), *, near=None) -> Search:
    best = dict.fromkeys(documents, 0.0)
    for each in hits:
        best[each.passage.document_id] = max(best[each.passage.document_id], each.score)
    return Search(query, tuple(documents), tuple(hits), best, near or {})


def actions(trace: Trace) -> list[str]:
    """What each step did."""
    return [step.decision.action if step.decision else step.kind for step in trace.steps]


def states(trace: Trace) -> dict[str, str]:
    """The ledger: the first word of each title, and the document's state."""
    return {row.title.split()[0]: row.state for row in trace.coverage}
