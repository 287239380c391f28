"""In which way each language model is asked for its decisions, kept in the library once it was found out."""

import sqlite3
from collections.abc import Callable
from typing import get_args

from rag.types import Way

_TABLE = "CREATE TABLE IF NOT EXISTS ways (model TEXT PRIMARY KEY, way TEXT NOT NULL)"


class WayStore:
    """The `WayMemory` in a table of its own."""

    def __init__(self, connection: Callable[[], sqlite3.Connection]) -> None:
        self._connection = connection
        connection().executescript(_TABLE)

    def way(self, model: str) -> Way | None:
        row = self._connection().execute("SELECT way FROM ways WHERE model = ?", (model,)).fetchone()
        return next((way for way in get_args(Way) if row and way == row[0]), None)

    def remember(self, model: str, way: Way) -> None:
        with self._connection() as connection:
            connection.execute("INSERT OR REPLACE INTO ways VALUES (?, ?)", (model, way))

    def forget(self, model: str) -> None:
        """So that it is found out anew."""
        with self._connection() as connection:
            connection.execute("DELETE FROM ways WHERE model = ?", (model,))
