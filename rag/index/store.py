"""The library's one truth: documents, pages, passages, search words and vectors in one SQLite file."""

import json
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rag.errors import BadLibrary, UnknownDocument
from rag.index import records, vectors
from rag.index.originals import Originals
from rag.index.schema import connect, prepare
from rag.index.spaces import Spaces
from rag.ingest.searching import search_texts
from rag.types import Card, Document, Page, ParsedDocument, Passage, SearchText

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FILE = "library.sqlite"


class Span(NamedTuple):
    """The rows that a document has in every index."""

    document_id: str
    first: int
    stop: int  # one past the last


class Added(NamedTuple):
    document: Document
    replaced: tuple[Document, ...]


class Store:
    """Catalogue and passage source of one library's folder; for any thread, and for several processes at once."""

    def __init__(self, folder: Path, *, model: str | None = None) -> None:
        self.folder = folder
        self.model = model
        self.spaces = Spaces(self.connection, model)
        self.originals = Originals(folder / "files")
        self._connections: dict[threading.Thread, sqlite3.Connection] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(cls, folder: Path, *, model: str | None = None) -> "Store":
        """The library in this folder, made where there is none.

        `model` names the vectors that are wanted; None: no document waits for any. Raises `BadLibrary`.
        """
        store = cls(folder, model=model)
        prepare(folder / FILE, originals=bool(store.originals))
        store.drop_orphans()
        return store

    @classmethod
    def existing(cls, folder: Path) -> "Store":
        """The library in this folder as it lies there, but in today's format; raises `BadLibrary` where there is none.

        Nothing else is put in order at the start, so that it can be looked at.
        """
        if not (folder / FILE).is_file():
            raise BadLibrary(f"There is no library in {str(folder)!r}. --data names its folder.")
        prepare(folder / FILE, originals=True)
        return cls(folder)

    def drop_orphans(self) -> None:
        """Removes the files that an interrupted upload or removal left behind."""
        with self.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")  # so nobody else is in the middle of an upload
            self.originals.keep_only({row[0] for row in connection.execute("SELECT id FROM documents")})

    def drop_indexes(self) -> None:
        """Removes the index files; the next search makes its own anew."""
        for derived in self.folder.glob("*.faiss"):
            derived.unlink(missing_ok=True)

    def close(self) -> None:
        """Lets go of the connections; one that another thread is working with closes when that is done with it."""
        with self._lock:
            for thread, connection in self._connections.items():
                if thread is threading.current_thread() or not thread.is_alive():
                    connection.close()  # under a statement of another thread it would tear down the process
            self._connections.clear()

    def connection(self) -> sqlite3.Connection:
        """This thread's connection; `with store.connection() as c:` commits at its end, or undoes all on an error."""
        thread = threading.current_thread()
        with self._lock:
            if thread not in self._connections:
                for dead in [other for other in self._connections if not other.is_alive()]:
                    self._connections.pop(dead).close()
                self._connections[thread] = connect(self.folder / FILE)
            return self._connections[thread]

    def version(self) -> int:
        """Rises with every document added, corrected or removed, by whomever."""
        return int(self.connection().execute("SELECT version FROM library").fetchone()[0])

    # Documents

    def add(self, parsed: ParsedDocument, data: bytes) -> Document:
        """The stored document, searchable by word; the one already there where the same bytes are stored.

        One transaction, the original bytes included. Raises `ValueError` where the parts do not fit together.
        """
        return self._add(parsed, data, replace=False).document

    def replace(self, parsed: ParsedDocument, data: bytes) -> Added:
        """As `add`, and in the same transaction the documents that bear its file name go, as `remove` has it."""
        added = self._add(parsed, data, replace=True)
        for document in added.replaced:
            self.originals.remove(document.id)
        if added.replaced:
            self._wipe()
        return added

    def _add(self, parsed: ParsedDocument, data: bytes, *, replace: bool) -> Added:
        records.check(parsed)
        try:
            with self.connection() as connection:
                connection.execute("BEGIN IMMEDIATE")
                if there := self.by_sha256(parsed.sha256):
                    return Added(there, ())
                earlier = self._documents("WHERE file = ? ORDER BY number", parsed.file) if replace else ()
                for document in earlier:
                    _delete(connection, self.span(document.id))
                _insert(connection, parsed)
                self.originals.put(parsed.id, data)
        except BaseException:
            self.drop_orphans()
            raise
        return Added(self.document(parsed.id), earlier)

    def remove(self, document_id: str) -> None:
        """Deletes its text, words, vectors and file; nothing of them stays on the disk."""
        span = self.span(document_id)
        with self.connection() as connection:
            _delete(connection, span)
        self.originals.remove(document_id)
        self._wipe()

    def _wipe(self) -> None:
        """Takes what was deleted out of the files that are written now and then."""
        self.drop_indexes()
        self.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()  # the log holds the text, too

    def correct(self, document_id: str, card: Card) -> Document:
        """The document with this card instead of the one that was read from it; its passages are found by it, too."""
        with self.connection() as connection:
            connection.execute("UPDATE documents SET card = ? WHERE id = ?", (records.card_to_json(card), document_id))
            passages = self.passages(document_id)
            pages = [self.page(document_id, number) for number in sorted({passage.page for passage in passages})]
            _rewrite(connection, self.span(document_id), search_texts(passages, pages, card))
        return self.document(document_id)

    def documents(self) -> tuple[Document, ...]:
        return self._documents("ORDER BY number")

    def document(self, document_id: str) -> Document:
        for document in self._documents("WHERE id = ?", document_id):
            return document
        raise _unknown_document(document_id)

    def by_sha256(self, sha256: str) -> Document | None:
        return next(iter(self._documents("WHERE sha256 = ?", sha256)), None)

    def _documents(self, clause: str, *values: str) -> tuple[Document, ...]:
        counted = "(SELECT count(*) FROM vectors WHERE model = ? AND row >= first AND row < first + passages)"
        sql = f"SELECT {records.DOCUMENT}, {counted} FROM documents {clause}"
        model = self.spaces.serving() if self.model else None
        rows = self.connection().execute(sql, (model, *values)).fetchall()
        return tuple(records.document(row[:-1], row[-1], waits=self.model is not None) for row in rows)

    def spans(self) -> tuple[Span, ...]:
        """Oldest document first, so with rising rows."""
        sql = "SELECT id, first, first + passages FROM documents ORDER BY number"
        return tuple(Span(*row) for row in self.connection().execute(sql))

    def span(self, document_id: str) -> Span:
        sql = "SELECT id, first, first + passages FROM documents WHERE id = ?"
        for row in self.connection().execute(sql, (document_id,)):
            return Span(*row)
        raise _unknown_document(document_id)

    # Text

    def passages(self, document_id: str, *, page: int | None = None) -> tuple[Passage, ...]:
        """In reading order; of one page or of all."""
        span = self.span(document_id)
        clause = "row >= ? AND row < ? AND ? IN (passages.page, 0) ORDER BY row"
        return tuple(self._passages(clause, (*span[1:], page or 0)).values())

    def passage(self, passage_id: str) -> Passage:
        row = self.row(passage_id)
        return self._passages("row = ?", (row,))[row]

    def passages_at(self, rows: Sequence[int]) -> dict[int, Passage]:
        """The passages of these rows by row; those removed meanwhile are left out."""
        return self._passages("row IN (SELECT value FROM json_each(?))", (json.dumps(list(rows)),))

    def row(self, passage_id: str) -> int:
        """The row that a passage has in every index."""
        document_id, _, ordinal = passage_id.rpartition(":")
        for span in self.spans():
            if span.document_id == document_id and ordinal.isdecimal() and int(ordinal) < span.stop - span.first:
                return span.first + int(ordinal)
        raise UnknownDocument(f"The library has no passage {passage_id!r}. List a document's passages for their ids.")

    def _passages(self, clause: str, values: Sequence[object]) -> dict[int, Passage]:
        sql = f"""
            SELECT {records.PASSAGE} FROM passages JOIN documents ON documents.number = passages.document
            JOIN pages ON pages.document = passages.document AND pages.number = passages.page WHERE {clause}"""
        return {row[0]: records.passage(row) for row in self.connection().execute(sql, tuple(values))}

    def page(self, document_id: str, number: int) -> Page:
        self.span(document_id)
        sql = f"SELECT {records.PAGE} FROM pages JOIN documents ON documents.number = document"
        for row in self.connection().execute(f"{sql} WHERE id = ? AND pages.number = ?", (document_id, number)):
            return records.page(row)
        raise UnknownDocument(f"Document {document_id!r} has no page {number!r}.")

    def file(self, document_id: str) -> bytes:
        """The bytes as they were uploaded."""
        return self.originals.read(self.span(document_id).document_id)

    def original(self, document_id: str) -> Path:
        """Where they lie; raises `BadLibrary` where they are gone."""
        return self.originals.existing(self.span(document_id).document_id)

    # Vectors

    def unembedded(self, limit: int, *, model: str | None = None) -> list[vectors.Unembedded]:
        """Passages that wait for a vector, oldest document first: of this model, else of the one that is wanted."""
        model = model or self.spaces.wanted()
        return vectors.unembedded(self.connection(), model, limit) if model else []

    def save_vectors(self, model: str, passage_ids: Sequence[str], matrix: "NDArray[np.float32]") -> None:
        """Row i of the matrix belongs to passage i; those of documents removed meanwhile are dropped."""
        with self.connection() as connection:
            vectors.save(connection, model, passage_ids, matrix)

    def vector_rows(self, model: str, *, up_to: int) -> "NDArray[np.int64]":
        """The rows of the vectors of this name whose number is at most `up_to`."""
        return vectors.rows(self.connection(), model, up_to)

    def vectors(self, model: str, *, after: int = 0, most: int = -1) -> vectors.Vectors:
        """All vectors of this name, or `most` of those that came after a certain number, the oldest first."""
        return vectors.load(self.connection(), model, after, most)


def _delete(connection: sqlite3.Connection, span: Span) -> None:
    connection.execute("DELETE FROM search WHERE rowid >= ? AND rowid < ?", span[1:])
    connection.execute("DELETE FROM documents WHERE id = ?", (span.document_id,))
    connection.execute("INSERT INTO search (search) VALUES ('optimize')")  # else words stay in old segments
    connection.execute("UPDATE library SET version = version + 1")


def _insert(connection: sqlite3.Connection, parsed: ParsedDocument) -> None:
    (first,) = connection.execute("SELECT next_row FROM library").fetchone()
    added_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    document = records.document_row(parsed, first, added_at)
    number = connection.execute(f"INSERT INTO documents VALUES (NULL{', ?' * len(document)})", document).lastrowid
    assert number is not None
    pages, passages = records.page_rows(parsed, number), records.passage_rows(parsed, number, first)
    connection.executemany("INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?)", pages)
    connection.executemany("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", passages)
    words = ((row, text.heading, text.body) for row, text in enumerate(parsed.search, first))
    connection.executemany("INSERT INTO search (rowid, heading, body) VALUES (?, ?, ?)", words)
    connection.execute("UPDATE library SET version = version + 1, next_row = ?", (first + len(parsed.passages),))


def _rewrite(connection: sqlite3.Connection, span: Span, search: Iterable[SearchText]) -> None:
    """The document's search words anew."""
    for row, text in enumerate(search, span.first):
        connection.execute("UPDATE search SET heading = ?, body = ? WHERE rowid = ?", (text.heading, text.body, row))
        connection.execute("UPDATE passages SET words = ? WHERE row = ?", (records.length(text), row))
    connection.execute("UPDATE library SET version = version + 1")


def _unknown_document(document_id: str) -> UnknownDocument:
    return UnknownDocument(f"The library has no document {document_id!r}. List the documents for their ids.")
