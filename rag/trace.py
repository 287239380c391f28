"""Past runs: a trace as JSON and back, and the store that keeps them in the library's SQLite file."""

import json
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from rag import markdown
from rag.errors import BadInput
from rag.types import Answer, Trace, TraceHead
from rag.wire import from_json, to_json

__all__ = ["SqliteTraceStore", "quoted", "to_json", "to_markdown", "trace_from_json", "without_quotes"]

_TABLE = """
CREATE TABLE IF NOT EXISTS traces (
    run_id TEXT PRIMARY KEY, owner TEXT, started_at TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS traces_by_time ON traces (started_at);
"""
# What lists show, apart from the bodies, and read out of them by SQLite: older runs get theirs without a parse here.
_HEADS = """
CREATE TABLE IF NOT EXISTS trace_heads (
    run_id TEXT PRIMARY KEY, question TEXT, status TEXT, mode TEXT, reasoner TEXT, evidence TEXT, cited INTEGER,
    documents INTEGER, started_at TEXT NOT NULL, seconds REAL, owner TEXT
);
CREATE INDEX IF NOT EXISTS trace_heads_by_time ON trace_heads (started_at);
"""
_HEAD = """
INSERT OR REPLACE INTO trace_heads
SELECT run_id, body ->> 'question', body ->> 'status', body ->> 'mode', body ->> 'reasoner',
    body ->> '$.answer.evidence',
    (SELECT count(*) FROM json_each(body, '$.coverage') WHERE value ->> 'state' = 'cited'),
    json_array_length(body, '$.coverage'), started_at, body ->> 'seconds', owner
FROM traces WHERE
"""
_OLDER = "run_id NOT IN (SELECT run_id FROM trace_heads) AND json_valid(body)"
_PASSAGE = re.compile(r'"([0-9a-f]{16}):\d+"')
_FORGOTTEN = "This run quoted a report that was deleted since; its steps and its answer went with it. Ask again."


def trace_from_json(value: Mapping[str, Any]) -> Trace:
    """The trace that `to_json` made `value` of; raises `BadInput`."""
    return from_json(Trace, value)


def to_markdown(trace: Trace) -> str:
    """The whole run for people: answer, citations, ledger, then each step."""
    title = f"# {markdown.escape(trace.question)}"
    return "\n\n".join((title, markdown.head(trace), markdown.answer(trace), "## Steps", markdown.steps(trace))) + "\n"


def quoted(trace: Trace) -> set[str]:
    """Ids of the documents whose passages stand in the run, in its answer or a step."""
    return set(_PASSAGE.findall(_written(trace)))


def without_quotes(trace: Trace) -> Trace:
    """The run's question, status and ledger, when a report that it quotes was deleted."""
    return replace(trace, steps=(), retrieved=(), answer=Answer(_FORGOTTEN))


class SqliteTraceStore:
    """The `TraceStore` in a table of its own.

    `connection` gives the calling thread's connection to the library's file.
    """

    def __init__(self, connection: Callable[[], sqlite3.Connection]) -> None:
        self._connection = connection
        connection().executescript(_TABLE)
        connection().executescript(_HEADS)
        if connection().execute(f"SELECT 1 FROM traces WHERE {_OLDER} LIMIT 1").fetchone():
            with connection() as opened:  # a lock, so it is only asked for where there is something to write
                opened.execute(f"{_HEAD} {_OLDER}")

    def save(self, trace: Trace, *, owner: str | None = None) -> None:
        with self._connection() as connection:
            connection.execute(
                "INSERT INTO traces (run_id, owner, started_at, body) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (run_id) DO UPDATE SET body = excluded.body",
                (trace.run_id, owner, trace.started_at, _written(trace)),
            )
            connection.execute(f"{_HEAD} run_id = ?", (trace.run_id,))

    def load(self, run_id: str) -> Trace | None:
        row = self._connection().execute("SELECT body FROM traces WHERE run_id = ?", (run_id,)).fetchone()
        return _read(row[0]) if row else None

    def recent(self, *, limit: int = 50, owner: str | None = None) -> tuple[Trace, ...]:
        rows = self._connection().execute(
            "SELECT body FROM traces WHERE ? IS NULL OR owner = ? ORDER BY started_at DESC, rowid DESC LIMIT ?",
            (owner, owner, limit),
        )
        return tuple(_read(row[0]) for row in rows.fetchall())

    def heads(
        self, *, limit: int = 50, owner: str | None = None, runs: Sequence[str] | None = None
    ) -> tuple[TraceHead, ...]:
        """As `recent`, without reading whole runs; with `runs` only those."""
        rows = self._connection().execute(
            """SELECT run_id, question, status, mode, reasoner, evidence, cited, documents, started_at, seconds
            FROM trace_heads WHERE (:owner IS NULL OR owner = :owner)
            AND (:runs IS NULL OR run_id IN (SELECT value FROM json_each(:runs)))
            ORDER BY started_at DESC, rowid DESC LIMIT :limit""",
            {"owner": owner, "limit": limit, "runs": None if runs is None else json.dumps(list(runs))},
        )
        return tuple(TraceHead(*row) for row in rows.fetchall())

    def count(self) -> int:
        return int(self._connection().execute("SELECT count(*) FROM traces").fetchone()[0])

    def quotes(self) -> set[str]:
        """Ids of the documents that stored runs quote."""
        bodies = self._connection().execute("SELECT body FROM traces")
        return {id for (body,) in bodies for id in _PASSAGE.findall(body)}

    def forget(self, document_id: str) -> None:
        """Empties the runs that quote this document: question, status and ledger stay, steps and answer go."""
        with self._connection() as connection:
            quoting = connection.execute(
                "SELECT run_id, body FROM traces WHERE instr(body, ?)", (f'"{document_id}:',)
            ).fetchall()
            for run_id, body in quoting:
                emptied = _written(without_quotes(_read(body)))
                connection.execute("UPDATE traces SET body = ? WHERE run_id = ?", (emptied, run_id))
                connection.execute(f"{_HEAD} run_id = ?", (run_id,))
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
