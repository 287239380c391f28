"""How the server is: each dependency's state, and counts."""

import socket
import sqlite3
import time
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.responses import Response

from rag.api.answers import Dependencies, Dependency, Health, HealthReport, Stats
from rag.api.operation import Call, Operation, as_response
from rag.errors import TracebookError
from rag.reasoning import Choice, choose
from rag.settings import Settings
from rag.types import Query
from rag.workspace import Workspace

_FRESH = 15  # seconds for which the state of the model's server holds
_BROKEN = (TracebookError, sqlite3.Error, OSError)
_PATIENCE = 1.0  # seconds for a connection to it
_SHUT = Dependency("failed", "The library cannot be opened. The server's log says why.")


def operations(settings: Settings) -> tuple[Operation, ...]:
    return (
        Operation(
            "GET",
            "/api/system/health",
            health,
            "The state of store, index, embedder and model server. Needs no key.",
            answers=HealthReport,
            waits=True,
            shut=lambda: _report(settings, Dependencies(_SHUT, _SHUT, _SHUT, _model(choose(settings)))),
        ),
        Operation("GET", "/api/system/stats", stats, "Counts of documents, passages, vectors and runs.", answers=Stats),
    )


def health(call: Call) -> Response:
    library, model = call.library, _model(call.library.reasoner())
    return _report(library.settings, Dependencies(_store(library), _index(library), _embedder(library), model))


def _report(settings: Settings, dependencies: Dependencies) -> Response:
    down = "failed" in (dependencies.store.state, dependencies.index.state)
    degraded = "failed" in (dependencies.embedder.state, dependencies.model.state)
    status: Health = "down" if down else "degraded" if degraded else "ok"
    return as_response(HealthReport(status, settings.agent_enabled, dependencies), 503 if down else 200)


def stats(call: Call) -> Stats:
    documents = call.library.documents()
    return Stats(
        documents=len(documents),
        pages=sum(document.pages for document in documents),
        passages=sum(document.passages for document in documents),
        tokens=sum(document.tokens for document in documents),
        vectors=sum(document.embedded for document in documents),
        runs=call.library.run_count(),
        running=call.runner.running,
        conversations=len(call.library.notebooks()),
    )


def _store(library: Workspace) -> Dependency:
    try:
        return Dependency("ok", f"{len(library.documents())} documents.")
    except _BROKEN:
        return Dependency("failed", "The store cannot be read.")


def _index(library: Workspace) -> Dependency:
    try:
        library.search(Query("report", k=1), scorer="bm25")
        return Dependency("ok", "It answers.")
    except _BROKEN:
        return Dependency("failed", "The index cannot be searched.")


def _embedder(library: Workspace) -> Dependency:
    progress = library.embedding()
    if library.settings.embeddings == "off":
        return Dependency("off", "Keywords alone find.")
    if progress.error:
        return Dependency("failed", "No vectors can be had; keywords find.")
    if progress.done < progress.total:
        return Dependency("working", f"{progress.done} of {progress.total} passages have a vector.")
    return Dependency("ok", f"{progress.total} passages have a vector.")


def _model(choice: Choice) -> Dependency:
    if not choice.endpoint:
        return Dependency("off", "Rules decide.")
    address = choice.endpoint.azure or choice.endpoint.base_url or "https://api.openai.com"
    reached = _reaches(address, int(time.monotonic() / _FRESH))
    return Dependency("ok", "Its server answers.") if reached else Dependency("failed", "Its server does not answer.")


@lru_cache(maxsize=4)
def _reaches(url: str, _period: int) -> bool:
    """Whether a connection comes about; nothing is asked, so nothing is paid."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=_PATIENCE).close()
    except OSError:
        return False
    return True
