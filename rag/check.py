"""Whether a stored library is whole: its text, words, vectors, files and counts, each against the others."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING

from rag.index.flat import file_of, is_whole
from rag.index.records import length
from rag.index.spaces import UNUSED
from rag.index.store import Store
from rag.ingest.searching import search_texts
from rag.trace import SqliteTraceStore
from rag.types import Document, Fault, SearchText
from rag.words import count

if TYPE_CHECKING:
    from numpy.typing import NDArray

READ = 10_000  # vectors that are looked at once
_NORM = 1e-3  # a vector's length may differ from 1 by so much
_ADD_AGAIN = "Delete the document and add its file again, or restore a backup."

# Of a row of `documents`: how many pages and tokens are stored of it, and whether it says so.
PAGES = "(SELECT count(*) FROM pages WHERE document = documents.number)"
TOKENS = "(SELECT coalesce(sum(tokens), 0) FROM passages WHERE document = documents.number)"
COUNTED = f"pages = {PAGES} AND tokens = {TOKENS}"
_PLACED = """
    SELECT passages = (SELECT count(*) FROM passages WHERE document = documents.number)
    AND passages = (SELECT count(*) FROM passages WHERE document = documents.number
        AND row >= first AND row < first + documents.passages)
    FROM documents WHERE id = ?"""
_OFF = """
    SELECT count(*) FROM passages
    LEFT JOIN pages ON pages.document = passages.document AND pages.number = passages.page
    WHERE passages.document = (SELECT number FROM documents WHERE id = ?)
    AND (text IS NULL OR instr(text, char(0)) OR NOT (0 <= start AND start < stop AND stop <= length(text)))"""


def check(store: Store) -> tuple[Fault, ...]:
    """All that is wrong, () where nothing is; changes nothing, and may run while the library is in use."""
    traces = SqliteTraceStore(store.connection)
    try:
        with store.connection() as connection:
            connection.execute("BEGIN")  # what others write meanwhile is not seen
            documents = store.documents()
            found = [*_database(connection), *_documents(store), *_words(connection), *_vectors(store)]
            if gone := traces.quotes() - {document.id for document in documents}:
                found.append(Fault(f"Stored runs quote {count(len(gone), 'document')} deleted since.", repairable=True))
        return (*found, *_keyword_index(store), *_indexes(store), *_files(store, documents), *_orphans(store))
    except sqlite3.OperationalError:  # locked for too long, or no room: that says nothing of the library
        raise
    except sqlite3.DatabaseError as error:
        return (Fault(f"The database is damaged ({error}). Restore a backup.", repairable=False),)


def _database(connection: sqlite3.Connection) -> Iterator[Fault]:
    for (line,) in connection.execute("PRAGMA integrity_check(5)"):
        if line != "ok" and "fts5" not in line.lower():  # the full-text index is looked at by itself
            yield Fault(f"The database says: {line}. Restore a backup.", repairable=False)
    loose = Counter(row[0] for row in connection.execute("PRAGMA foreign_key_check"))
    for table, rows in sorted(loose.items()):
        yield Fault(f"{count(rows, 'row')} of the table {table!r} belong to nothing.", repairable=True)
    sql = "SELECT next_row > (SELECT coalesce(max(row), 0) FROM passages) FROM library"
    if not connection.execute(sql).fetchone()[0]:
        yield Fault("The next free row is one in use.", repairable=True)


def _documents(store: Store) -> Iterator[Fault]:
    for document in store.documents():
        if lost := text_lost(store, document):
            yield Fault(f"{_named(document)} has {lost}. {_ADD_AGAIN}", repairable=False)
            continue
        sql = f"SELECT {COUNTED} FROM documents WHERE id = ?"
        if not store.connection().execute(sql, (document.id,)).fetchone()[0]:
            yield Fault(f"{_named(document)} has other pages or tokens than its counts say.", repairable=True)
        if words_stored(store, document) != words_derived(store, document):
            yield Fault(f"{_named(document)} has other keyword rows than its text gives.", repairable=True)


def text_lost(store: Store, document: Document) -> str | None:
    """Which passages of a document are not what stands on its pages; None: all are."""
    (placed,) = store.connection().execute(_PLACED, (document.id,)).fetchone()
    if not placed:
        return "passages missing"
    (off,) = store.connection().execute(_OFF, (document.id,)).fetchone()
    return f"{count(off, 'passage')} that no page holds" if off else None


def words_stored(store: Store, document: Document) -> dict[int, tuple[SearchText, int]]:
    """What the keyword index holds of a document by row, and its length in words."""
    sql = "SELECT row, body, heading, words FROM passages JOIN search ON search.rowid = row WHERE row >= ? AND row < ?"
    found = store.connection().execute(sql, store.span(document.id)[1:])
    return {row: (SearchText(body, heading), words) for row, body, heading, words in found}


def words_derived(store: Store, document: Document) -> dict[int, tuple[SearchText, int]]:
    """What it should hold."""
    passages = store.passages(document.id)
    pages = [store.page(document.id, number) for number in sorted({passage.page for passage in passages})]
    derived = enumerate(search_texts(passages, pages, document.card), store.span(document.id).first)
    return {row: (text, length(text)) for row, text in derived}


def _words(connection: sqlite3.Connection) -> Iterator[Fault]:
    stray = "SELECT count(*) FROM search WHERE rowid NOT IN (SELECT row FROM passages)"
    (rows,) = connection.execute(stray).fetchone()
    if rows:
        yield Fault(f"{count(rows, 'keyword row')} of no passage.", repairable=True)


def _vectors(store: Store) -> Iterator[Fault]:
    sql = f"SELECT model, count(*) FROM vectors WHERE {UNUSED} GROUP BY model"
    for model, rows in store.connection().execute(sql).fetchall():
        yield Fault(f"{count(rows, 'vector')} of {model!r}, a model that serves no more.", repairable=True)
    if bad := bad_vectors(store):
        yield Fault(f"{count(len(bad), 'vector')} of another length than 1, or of other dimensions.", repairable=True)


def bad_vectors(store: Store) -> list[int]:
    """Numbers of the vectors that no search can compare with the others of their model."""
    import numpy as np

    connection, bad = store.connection(), []
    for (model,) in connection.execute("SELECT DISTINCT model FROM vectors").fetchall():
        lengths = "SELECT length(vector) FROM vectors WHERE model = ? GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"
        (length,) = connection.execute(lengths, (model,)).fetchone()
        other = "SELECT number FROM vectors WHERE model = ? AND (length(vector) != ? OR length(vector) % 4)"
        bad += [number for (number,) in connection.execute(other, (model, length))]
        alike = "SELECT number, vector FROM vectors WHERE model = ? AND length(vector) = ? AND length(vector) % 4 = 0"
        found = connection.execute(alike, (model, length))
        while batch := found.fetchmany(READ):
            matrix = np.frombuffer(b"".join(vector for _, vector in batch), np.float32).reshape(len(batch), -1)
            numbers: NDArray[np.int64] = np.array([number for number, _ in batch], np.int64)
            bad += numbers[~(abs(np.linalg.norm(matrix, axis=1) - 1) <= _NORM)].tolist()  # NaN, too
    return bad


def _keyword_index(store: Store) -> Iterator[Fault]:
    if error := keyword_error(store):
        yield Fault(f"The keyword index is damaged ({error}).", repairable=True)


def keyword_error(store: Store) -> sqlite3.DatabaseError | None:
    """What SQLite says of a keyword index that is damaged."""
    try:
        with store.connection() as connection:
            connection.execute("INSERT INTO search (search) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        return error
    return None


def _indexes(store: Store) -> Iterator[Fault]:
    for path in bad_indexes(store):
        yield Fault(f"{path.name} is no whole index of the vectors that serve.", repairable=True)


def bad_indexes(store: Store) -> list[Path]:
    """Index files that are damaged, or of a model that serves no more."""
    model = store.spaces.serving()
    good = file_of(store.folder, model) if model else None
    with suppress(FileNotFoundError):  # another process has just dropped it
        return [path for path in store.folder.glob("*.faiss") if path != good or not is_whole(path, str(model))]
    return bad_indexes(store)


def _files(store: Store, documents: Sequence[Document]) -> Iterator[Fault]:
    for document in documents:
        try:
            with store.originals.path(document.id).open("rb") as file:
                whole = file_digest(file, "sha256").hexdigest() == document.sha256
        except OSError:
            whole = False
        if not whole and store.by_sha256(document.sha256):  # else deleted meanwhile
            yield Fault(f"The file of {_named(document)} is missing or changed. {_ADD_AGAIN}", repairable=False)


def _orphans(store: Store) -> Iterator[Fault]:
    with store.connection() as connection:
        connection.execute("BEGIN IMMEDIATE")  # so that nobody is in the middle of an upload
        orphans = store.originals.names() - {span.document_id for span in store.spans()}
    if orphans:
        yield Fault(f"{count(len(orphans), 'file')} of no document.", repairable=True)


def _named(document: Document) -> str:
    return f"{document.file!r} ({document.id})"
