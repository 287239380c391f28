"""The vectors table: what waits for a vector, and the vectors as arrays."""

import json
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Unembedded(NamedTuple):
    passage_id: str
    text: str  # what the embedder reads


class Vectors(NamedTuple):
    rows: "NDArray[np.int64]"  # shape (n,), the passages' rows
    matrix: "NDArray[np.float32]"  # shape (n, dimensions)
    last: int  # number of the newest of them, to ask for those after it; 0 where there is none


def unembedded(connection: sqlite3.Connection, model: str, limit: int) -> list[Unembedded]:
    sql = """
        SELECT id || ':' || (row - first), headings, substr(pages.text, start + 1, stop - start)
        FROM passages JOIN documents ON documents.number = passages.document
        JOIN pages ON pages.document = passages.document AND pages.number = passages.page
        WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.row = passages.row AND model = ?)
        ORDER BY row LIMIT ?"""
    # A passage is embedded with its heading trail: "Risk factors > Cyber security", then the text.
    return [
        Unembedded(id, "\n".join(filter(None, (" > ".join(json.loads(headings)), text))))
        for id, headings, text in connection.execute(sql, (model, limit))
    ]


def save(connection: sqlite3.Connection, model: str, vectors: Iterable[tuple[str, "NDArray[np.float32]"]]) -> None:
    """Of passage ids and their vectors; dropped where the passage is gone, or has one from another process."""
    sql = """
        INSERT OR IGNORE INTO vectors (row, model, vector)
        SELECT row, ?, ? FROM passages JOIN documents ON number = document WHERE id = ? AND row = first + ?"""
    places = ((id.rpartition(":"), vector) for id, vector in vectors)
    rows = ((model, vector.tobytes(), document, int(ordinal)) for (document, _, ordinal), vector in places)
    connection.executemany(sql, rows)


def load(connection: sqlite3.Connection, model: str, after: int, most: int) -> Vectors:
    import numpy as np

    sql = "SELECT number, row, vector FROM vectors WHERE model = ? AND number > ? ORDER BY number LIMIT ?"
    found = connection.execute(sql, (model, after, most)).fetchall()
    matrix = np.frombuffer(b"".join(vector for _, _, vector in found), np.float32)
    return Vectors(
        np.array([row for _, row, _ in found], np.int64),
        matrix.reshape(len(found), -1) if found else np.empty((0, 0), np.float32),
        found[-1][0] if found else 0,
    )


def rows(connection: sqlite3.Connection, model: str, up_to: int) -> "NDArray[np.int64]":
    import numpy as np

    sql = "SELECT row FROM vectors WHERE model = ? AND number <= ? ORDER BY number"
    return np.array([row for (row,) in connection.execute(sql, (model, up_to))], np.int64)
