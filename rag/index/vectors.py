"""The vectors table: what waits for a vector, and the vectors as arrays."""

import json
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from rag.errors import EmbeddingFailed

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


def save(connection: sqlite3.Connection, model: str, passage_ids: Iterable[str], matrix: "NDArray[np.float32]") -> None:
    """Dropped where the passage is gone, or has one from another process; the first model of a library serves it.

    Raises `EmbeddingFailed` where the dimensions are not those of the vectors that the library has of the model.
    """
    newest = "SELECT length(vector) / 4 FROM vectors WHERE model = ? ORDER BY number DESC LIMIT 1"
    for (dimensions,) in connection.execute(newest, (model,)).fetchall():
        same_dimensions(model, dimensions, matrix.shape[1])
    sql = """
        INSERT OR IGNORE INTO vectors (row, model, vector)
        SELECT row, ?, ? FROM passages JOIN documents ON number = document WHERE id = ? AND row = first + ?"""
    places = ((id.rpartition(":"), vector) for id, vector in zip(passage_ids, matrix, strict=True))
    rows = ((model, vector.tobytes(), document, int(ordinal)) for (document, _, ordinal), vector in places)
    connection.executemany(sql, rows)
    connection.execute("UPDATE library SET model = ? WHERE model IS NULL", (model,))


def same_dimensions(model: str, stored: int, given: int) -> None:
    """Raises `EmbeddingFailed` where a model gives vectors of another length than before."""
    if stored != given:
        raise EmbeddingFailed(
            f"The embedding model {model!r} gives {given} dimensions, but its vectors in the library have {stored}: "
            "another model goes by its name now. Name the old one, or give the new one a name of its own."
        )


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
