"""Which embedding model's vectors serve a library, and which are to take their place."""

import sqlite3
from collections.abc import Callable
from typing import NamedTuple

from rag.index.vectors import unembedded

# Of vectors: those of a model that neither serves nor is to take over.
UNUSED = "model NOT IN (SELECT model FROM library UNION SELECT coalesce(next_model, model) FROM library)"


class Counted(NamedTuple):
    done: int  # passages that have their vector
    total: int


class Missing(NamedTuple):
    passages: int  # without a vector
    tokens: int  # of them and their heading trails; the latter at four characters a token


class Spaces:
    """What the library remembers of its embedding models, for all processes that have it open.

    One model serves. Another takes over once that was agreed on and every passage has its vector of it: in one
    transaction, with which the old vectors go. Until then nothing of it is served.
    """

    def __init__(self, connection: Callable[[], sqlite3.Connection], ours: str | None) -> None:
        """`ours` names the vectors that this process would have; None: none at all."""
        self._connection = connection
        self.ours = ours

    def serving(self) -> str | None:
        """The model that dense search goes by; ours where the library has none yet."""
        return self._read("model") or self.ours

    def agreed(self) -> str | None:
        """The model that is to take over; None: no change is under way."""
        return self._read("next_model")

    def wanted(self) -> str | None:
        """The model whose vectors this process makes: ours where it was agreed on, else the one that serves."""
        if self.ours is None:
            return None
        return self.ours if self.agreed() == self.ours else self.serving()

    def adopt(self) -> None:
        """Ours serves from now on where the library has no vector of the one that does: nobody has to be asked."""
        if self._read("model") == self.ours:
            return
        sql = """
            UPDATE library SET model = ?, next_model = NULL
            WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.model = library.model)"""
        with self._connection() as connection:
            connection.execute(sql, (self.ours,))

    def agree(self) -> None:
        """Ours is to take over; what was made of a third model is dropped."""
        with self._connection() as connection:
            connection.execute("UPDATE library SET next_model = ? WHERE model != ?", (self.ours, self.ours))
            connection.execute(f"DELETE FROM vectors WHERE {UNUSED}")

    def give_up(self) -> None:
        """No change is under way, and nothing of it is left."""
        with self._connection() as connection:
            connection.execute("UPDATE library SET next_model = NULL")
            connection.execute(f"DELETE FROM vectors WHERE {UNUSED}")

    def settle(self, model: str) -> bool:
        """Whether every passage has its vector of this model; where it is the one agreed on, it serves from then on."""
        with self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE")  # so that no upload comes between the look and the change
            if unembedded(connection, model, 1):
                return False
            sql = "UPDATE library SET model = next_model, next_model = NULL WHERE next_model = ?"
            if connection.execute(sql, (model,)).rowcount:
                connection.execute(f"DELETE FROM vectors WHERE {UNUSED}")
        return True

    def progress(self) -> Counted:
        """Of the model that is wanted; none at all where there is no such."""
        model = self.wanted()
        if model is None:
            return Counted(0, 0)
        sql = "SELECT (SELECT count(*) FROM vectors WHERE model = ?), (SELECT count(*) FROM passages)"
        return Counted(*self._connection().execute(sql, (model,)).fetchone())

    def missing(self, model: str) -> Missing:
        """What it takes to make this model's vectors whole."""
        sql = """
            SELECT count(*), coalesce(sum(tokens + length(headings) / 4), 0) FROM passages
            WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.row = passages.row AND model = ?)"""
        return Missing(*self._connection().execute(sql, (model,)).fetchone())

    def _read(self, column: str) -> str | None:
        found: str | None = self._connection().execute(f"SELECT {column} FROM library").fetchone()[0]
        return found
