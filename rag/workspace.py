"""The one facade: add, remove, search, ask. The only place that knows the concrete classes."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from rag.cases import CaseStore
from rag.catalogue import find
from rag.embeddings import Embeddings, embedder_of
from rag.errors import AgentDisabled, BadInput
from rag.index.store import Store
from rag.ingest.painter import Painter
from rag.ingest.pool import ReaderPool
from rag.ingest.request import DrawRequest
from rag.ingest.upload import Upload
from rag.intake import take_in
from rag.keeping import RunKeeper
from rag.notebook import NotebookStore, to_jupyter, to_markdown, to_text
from rag.ports import Embedder, Reasoner
from rag.reasoning import Choice, Reasoning
from rag.recorder import Recorder
from rag.retrieval import Retrieval
from rag.search.vocabulary import extend
from rag.settings import Settings
from rag.trace import SqliteTraceStore
from rag.types import (
    Card,
    Document,
    EmbeddingChange,
    EmbeddingProgress,
    Event,
    Exchange,
    Explanation,
    FileProgress,
    Mode,
    Notebook,
    Page,
    Passage,
    Query,
    RetrievalTest,
    ScorerName,
    SearchResult,
    Trace,
    TraceHead,
)
from rag.ways import WayStore

LONGEST = 4_000  # characters of a question
SAMPLES = Path(__file__).parents[1] / "samples"


class Workspace:
    """A library and all that can be done with it; for any thread. Documents are named by id or file name."""

    def __init__(self, settings: Settings, store: Store, embedder: Embedder | None, *, embed: bool = True) -> None:
        self.settings = settings
        self.closed = False
        self._store = store
        self._embeddings = Embeddings(settings, store, embedder, embed=embed)
        self._retrieval = Retrieval(store, self._embeddings.models, settings)
        self._pool = ReaderPool(
            workers=settings.workers,
            seconds=settings.file_seconds,
            megabytes=settings.file_megabytes,
            chunk_tokens=settings.chunk_tokens,
            ocr=settings.ocr,
        )
        self._painter = Painter()
        self._traces = SqliteTraceStore(store.connection)
        self._runs = RunKeeper(store, self._traces, settings)
        self._notebooks = NotebookStore(store.connection)
        self._cases = CaseStore(store.connection)
        self._reasoning = Reasoning(settings, WayStore(store.connection))

    @classmethod
    def open(cls, settings: Settings, *, embed: bool = True) -> "Workspace":
        """The library of `settings.data`, made where there is none; raises `BadLibrary`.

        With `embed` a thread computes missing vectors in the background; without, those there are used.
        """
        if settings.vocabulary:
            extend(Path(settings.vocabulary).expanduser())
        embedder = embedder_of(settings)
        store = Store.open(settings.data, model=embedder.name if embedder else None)
        return cls(settings, store, embedder, embed=embed)

    def close(self) -> None:
        """Ends the reading and drawing processes and the embedding thread."""
        self.closed = True
        self._pool.close()
        self._painter.close()
        self._embeddings.close()
        self._reasoning.close()
        self._store.close()

    def __enter__(self) -> "Workspace":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The library

    def add(
        self, files: Sequence[Upload], *, replace: bool = False, cancel: threading.Event | None = None
    ) -> Iterator[FileProgress]:
        """Several a file, as they happen; each file ends in "added", "duplicate" or "failed".

        A file of a known name and other bytes is a new version: kept beside the earlier ones, whose titles tell them
        apart, or with `replace` in their place. One that is `locked` is read once its upload bears the password.
        """
        for progress in take_in(self._store, self._pool, files, replace=replace, cancel=cancel):
            if progress.stage == "added":
                self._embeddings.wake()
            for document in progress.replaced:
                self._let_go(document)
            yield progress

    def add_samples(self) -> Iterator[FileProgress]:
        """The sample reports of invented companies."""
        return self.add([Upload(path.name, path.read_bytes()) for path in sorted(SAMPLES.glob("*.pdf"))])

    def documents(self) -> tuple[Document, ...]:
        """Oldest first."""
        trouble = self._embeddings.trouble
        documents = self._store.documents()
        return tuple(replace(each, trouble=trouble) if each.state == "embedding" else each for each in documents)

    def document(self, name: str) -> Document:
        """Raises `UnknownDocument`, or `AmbiguousDocument` with the ids that bear the name."""
        return find(self.documents(), name)

    def resolve(self, names: Sequence[str] | None) -> tuple[str, ...] | None:
        """Ids, each once; None stays None: the whole library."""
        if names is None:
            return None
        documents = self.documents()
        return tuple(dict.fromkeys(find(documents, name).id for name in names))

    def correct(self, document_id: str, card: Card) -> Document:
        """The document with this card instead of the one that was read."""
        return self._store.correct(document_id, card)

    def remove(self, name: str) -> Document:
        """The document that was removed with all its text, words and vectors; runs that quote it are emptied."""
        document = self.document(name)
        self._traces.forget(document.id)
        self._store.remove(document.id)
        self._let_go(document)  # and what a run kept in between
        return document

    def _let_go(self, document: Document) -> None:
        self._painter.forget(self._store.originals.path(document.id))
        self._traces.forget(document.id)

    def new_versions(self, files: Sequence[Upload]) -> tuple[Document, ...]:
        """The documents of which these files would be new versions: the same name, other bytes than any here."""
        fresh = {each.file for each in files if not self._store.by_sha256(each.sha256)}
        return tuple(document for document in self._store.documents() if document.file in fresh)

    def passages(self, document_id: str, *, page: int | None = None) -> tuple[Passage, ...]:
        return self._store.passages(document_id, page=page)

    def passage(self, passage_id: str) -> Passage:
        return self._store.passage(passage_id)

    def page(self, document_id: str, number: int) -> Page:
        return self._store.page(document_id, number)

    def page_image(
        self, document_id: str, number: int, *, mark: Passage | None = None, scale: float = 1.5
    ) -> bytes | None:
        """PNG of the page with the passage marked; None: the format has none. Raises `BadFile` where it fails."""
        if self._store.document(document_id).media != "pdf":
            return None
        page = self.page(document_id, number)
        return self._painter.draw(DrawRequest(self._store.original(document_id), page, mark, scale))

    def embedding(self) -> EmbeddingProgress:
        """How many passages have a vector, of those that should; while a change of the model is under way, its own."""
        return self._embeddings.progress()

    def embed_again(self) -> None:
        """Another try after an error; what has a vector keeps it."""
        self._embeddings.wake()

    def embedding_change(self) -> EmbeddingChange | None:
        """What is on offer, or under way, where the settings name another embedding model than the one that serves."""
        return self._embeddings.change()

    def change_embeddings(self) -> None:
        """Begins the change that is on offer: in the background, after a restart too, until the new vectors are whole.

        Then they serve and the old ones are dropped, in one transaction. Raises `BadInput` where none is on offer.
        """
        self._embeddings.begin_change()

    def keep_embeddings(self) -> None:
        """Gives the change up; what was made of it is dropped, and it is on offer again."""
        self._embeddings.give_up_change()

    def wait_for_embeddings(self, timeout: float | None = None) -> bool:
        """Whether all passages have the vector that they should; `timeout` in seconds."""
        return self._embeddings.wait(timeout)

    # Retrieval

    def scorers(self) -> tuple[ScorerName, ...]:
        return self._retrieval.names

    def search(self, query: Query, *, scorer: ScorerName = "hybrid") -> SearchResult:
        """Ranked passages, as the retrieval contract in `rag.ports.Retriever` promises; raises `BadInput`."""
        return self._retrieval.search(query, scorer)

    def explain(self, query: Query, passage_id: str) -> Explanation:
        """Why the query finds the passage or does not; its scope is the query's. Raises `UnknownDocument`."""
        return self._retrieval.explain(query, self.passage(passage_id))

    def retrieval_tests(self) -> tuple[RetrievalTest, ...]:
        """Oldest first."""
        return self._cases.all()

    def keep_test(self, query: Query, passage_id: str) -> RetrievalTest:
        """Remember that this query has to find the passage's page; forgotten with its document."""
        return self._cases.add(query, self.passage(passage_id))

    def forget_test(self, test_id: str) -> None:
        self._cases.remove(test_id)

    # Runs

    def ask(
        self,
        question: str,
        *,
        documents: Sequence[str] | None = None,
        mode: Mode = "agent",
        history: Sequence[Exchange] = (),
        reasoner: Reasoner | None = None,
        top_k: int | None = None,
        iteration_limit: int | None = None,
        cancel: threading.Event | None = None,
        owner: str | None = None,
    ) -> Iterator[Event]:
        """The run's events as they happen, `RunFinished` last; a trace is kept whatever becomes of it.

        `history` is the conversation so far, which the agent reads a follow-up from; `reasoner` decides instead of the
        one that the settings name. Raises `BadInput` at once where the question is blank or a document unknown, and
        `AgentDisabled`.
        """
        if not question.strip():
            raise BadInput("The question is blank. Ask something.")
        if len(question) > LONGEST:
            raise BadInput(f"The question has {len(question):,} characters; {LONGEST:,} are taken. Ask more shortly.")
        if mode == "agent" and not self.settings.agent_enabled:
            raise AgentDisabled("The agent is turned off (TRACEBOOK_AGENT_ENABLED). Ask single-shot, or search.")
        from rag.agent.loop import run
        from rag.agent.run import Bounds

        selection = self.resolve(documents)
        events = run(
            question,
            library=self._store,
            retriever=self._retrieval.for_answers,
            counts=self._retrieval.counts,
            selection=selection,
            mode=mode,
            reasoner=reasoner or (self._reasoning.reasoner() if mode == "agent" else None),
            history=history,
            bounds=Bounds(self.settings.token_budget, self.settings.run_seconds),
            top_k=top_k or self.settings.top_k,
            iteration_limit=iteration_limit or self.settings.iteration_limit,
            cancel=cancel,
        )
        titles = {document.id: document.title for document in self.documents()}
        return self._runs.kept(events, Recorder(question, mode, selection, titles), owner=owner)

    def reasoner(self) -> Choice:
        """Who decides, and why."""
        return self._reasoning.choice

    def test_model(self) -> str:
        """What the model says to a greeting; raises `ModelFailed` in plain words."""
        return self._reasoning.test()

    def history(self, run_ids: Sequence[str]) -> tuple[Exchange, ...]:
        """The conversation that these runs are, in their order, as `ask` takes it; unknown ones are left out."""
        traces = (self.trace(run_id) for run_id in run_ids)
        return tuple(Exchange(trace.asked or trace.question, trace.answer.text) for trace in traces if trace)

    def trace(self, run_id: str) -> Trace | None:
        return self._traces.load(run_id)

    def traces(self, *, limit: int = 50, owner: str | None = None) -> tuple[Trace, ...]:
        """Newest first; with an owner only theirs."""
        return self._traces.recent(limit=limit, owner=owner)

    def trace_heads(
        self, *, limit: int = 50, owner: str | None = None, runs: Sequence[str] | None = None
    ) -> tuple[TraceHead, ...]:
        """What lists show of runs, newest first; with `runs` only of those."""
        return self._traces.heads(limit=limit, owner=owner, runs=runs)

    def run_count(self) -> int:
        return self._traces.count()

    # Notebooks

    def notebook(self, notebook_id: str) -> Notebook | None:
        return self._notebooks.load(notebook_id)

    def notebooks(self, *, owner: str | None = None) -> tuple[Notebook, ...]:
        """Newest first; with an owner only theirs."""
        return self._notebooks.all(owner=owner)

    def save_notebook(self, notebook: Notebook, *, owner: str | None = None) -> None:
        self._notebooks.save(notebook, owner=owner)

    def delete_notebook(self, notebook_id: str) -> None:
        self._notebooks.delete(notebook_id)

    def export_notebook(self, notebook_id: str, form: Literal["markdown", "jupyter", "text"]) -> str:
        """The file's text; raises `BadInput` where there is no such notebook."""
        notebook = self.notebook(notebook_id)
        if not notebook:
            raise BadInput(f"There is no notebook {notebook_id!r}. It may have been deleted.")
        runs = {cell.run_id: self.trace(cell.run_id) for cell in notebook.cells if cell.run_id}
        traces = {run_id: trace for run_id, trace in runs.items() if trace}
        return {"markdown": to_markdown, "jupyter": to_jupyter, "text": to_text}[form](notebook, traces)


_shared: dict[Settings, Workspace] = {}
_opening = threading.Lock()


def shared(settings: Settings) -> Workspace:
    """The one workspace that all of this process use; opened at the first call, and again once it was closed."""
    with _opening:
        if not (workspace := opened(settings)):
            workspace = _shared[settings] = Workspace.open(settings)
        return workspace


def opened(settings: Settings) -> Workspace | None:
    """The shared workspace where it is open by now."""
    workspace = _shared.get(settings)
    return None if not workspace or workspace.closed else workspace
