"""Retrieval tests: queries with the page that each has to find, kept in the library."""

import json
import secrets
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime

from rag.types import Passage, Query, RetrievalTest
from rag.wire import from_json, to_json

_TABLE = """
CREATE TABLE IF NOT EXISTS cases (
    id TEXT PRIMARY KEY, document TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE, page INTEGER NOT NULL,
    query TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE (document, page, query)
);
"""


class CaseStore:
    """Tests in a table of their own; one goes with the document that it expects."""

    def __init__(self, connection: Callable[[], sqlite3.Connection]) -> None:
        self._connection = connection
        connection().executescript(_TABLE)

    def add(self, query: Query, passage: Passage) -> RetrievalTest:
        """The test that this query finds the passage's page; the one already there where it is kept a second time."""
        body = json.dumps(to_json(query), ensure_ascii=False)
        row = (secrets.token_urlsafe(8), passage.document_id, passage.page, body, datetime.now(UTC).isoformat())
        with self._connection() as connection:
            connection.execute("INSERT INTO cases VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
        return next(
            case
            for case in self.all()
            if (case.document_id, case.page, case.query) == (passage.document_id, passage.page, query)
        )

    def all(self) -> tuple[RetrievalTest, ...]:
        """Oldest first."""
        sql = "SELECT id, query, document, page, created_at FROM cases ORDER BY created_at, rowid"
        rows = self._connection().execute(sql).fetchall()
        return tuple(RetrievalTest(id, from_json(Query, json.loads(query)), *rest) for id, query, *rest in rows)

    def remove(self, case_id: str) -> None:
        with self._connection() as connection:
            connection.execute("DELETE FROM cases WHERE id = ?", (case_id,))
