"""Past runs: a trace as JSON and back, and the store that keeps them in the library's SQLite file."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from rag import markdown
from rag.errors import BadInput
from rag.types import Answer, Trace
from rag.wire import from_json, to_json

__all__ = ["SqliteTraceStore", "to_json", "to_markdown", "trace_from_json"]

_TABLE = """
CREATE TABLE IF NOT EXISTS traces (
    run_id TEXT PRIMARY KEY, owner TEXT, started_at TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS traces_by_time ON traces (started_at);
"""
_FORGOTTEN = "This run quoted a report that was deleted since; its steps and its answer went with it. Ask again."


def trace_from_json(value: Mapping[str, Any]) -> Trace:
    """The trace that `to_json` made `value` of; raises `BadInput`."""
    return from_json(Trace, value)


def to_markdown(trace: Trace) -> str:
    """The whole run for people: answer, citations, ledger, then each step."""
    title = f"# {markdown.escape(trace.question)}"
    return "\n\n".join((title, markdown.head(trace), markdown.answer(trace), "## Steps", markdown.steps(trace))) + "\n"


class SqliteTraceStore:
    """The `TraceStore` in a table of its own.

    `connection` gives the calling thread's connection to the library's file.
    """

    def __init__(self, connection: Callable[[], sqlite3.Connection]) -> None:
        self._connection = connection
        connection().executescript(_TABLE)

    def save(self, trace: Trace, *, owner: str | None = None) -> None:
        with self._connection() as connection:
            connection.execute(
                "INSERT INTO traces VALUES (?, ?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET body = excluded.body",
                (trace.run_id, owner, trace.started_at, _written(trace)),
            )

    def load(self, run_id: str) -> Trace | None:
        row = self._connection().execute("SELECT body FROM traces WHERE run_id = ?", (run_id,)).fetchone()
        return _read(row[0]) if row else None

    def recent(self, *, limit: int = 50, owner: str | None = None) -> tuple[Trace, ...]:
        rows = self._connection().execute(
            "SELECT body FROM traces WHERE ? IS NULL OR owner = ? ORDER BY started_at DESC, rowid DESC LIMIT ?",
            (owner, owner, limit),
        )
        return tuple(_read(row[0]) for row in rows.fetchall())

    def forget(self, document_id: str) -> None:
        """Empties the runs that quote this document: question, status and ledger stay, steps and answer go."""
        with self._connection() as connection:
            quoting = connection.execute(
                "SELECT run_id, body FROM traces WHERE instr(body, ?)", (f'"{document_id}:',)
            ).fetchall()
            for run_id, body in quoting:
                emptied = replace(_read(body), steps=(), retrieved=(), answer=Answer(_FORGOTTEN))
                connection.execute("UPDATE traces SET body = ? WHERE run_id = ?", (_written(emptied), run_id))
        _read.cache_clear()


def _written(trace: Trace) -> str:
    return json.dumps(to_json(trace), ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=64)
def _read(body: str) -> Trace:
    """A list of runs is drawn at every click, so the newest stay read."""
    try:
        return trace_from_json(json.loads(body))
    except json.JSONDecodeError as error:
        raise BadInput(f"A stored run cannot be read: {error}.") from error
