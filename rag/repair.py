"""What can be derived anew of a stored library, made anew from what is whole."""

import json
import sqlite3

from rag.check import (
    COUNTED,
    PAGES,
    TOKENS,
    bad_indexes,
    bad_vectors,
    check,
    keyword_error,
    text_lost,
    words_derived,
    words_stored,
)
from rag.index.spaces import UNUSED
from rag.index.store import Store
from rag.trace import SqliteTraceStore
from rag.types import Document, Fault


def repair(store: Store) -> tuple[Fault, ...]:
    """What is still wrong afterwards.

    Counts, keyword rows and index files are made anew; vectors that are wrong are dropped, to be embedded again; files
    of no document go, and runs that quote what was deleted are emptied. Text and original files are left as they are.
    """
    traces = SqliteTraceStore(store.connection)
    try:
        if keyword_error(store):
            with store.connection() as connection:
                connection.execute("INSERT INTO search (search) VALUES ('rebuild')")
        with store.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            _drop_loose_rows(connection)
            _count(connection)
            for document in store.documents():
                _rewrite_words(connection, store, document)
            connection.execute("DELETE FROM search WHERE rowid NOT IN (SELECT row FROM passages)")
            bad = json.dumps(bad_vectors(store))
            connection.execute("DELETE FROM vectors WHERE number IN (SELECT value FROM json_each(?))", (bad,))
            connection.execute(f"DELETE FROM vectors WHERE {UNUSED}")
            connection.execute("UPDATE library SET version = version + 1")
        for path in bad_indexes(store):
            path.unlink(missing_ok=True)
        for document_id in traces.quotes() - {span.document_id for span in store.spans()}:
            traces.forget(document_id)
        store.drop_orphans()
    except sqlite3.DatabaseError:
        pass  # too damaged; `check` says how
    return check(store)


def _drop_loose_rows(connection: sqlite3.Connection) -> None:
    for table, row, *_ in connection.execute("PRAGMA foreign_key_check").fetchall():
        connection.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (row,))


def _count(connection: sqlite3.Connection) -> None:
    connection.execute(f"UPDATE documents SET pages = {PAGES}, tokens = {TOKENS} WHERE NOT ({COUNTED})")
    connection.execute("UPDATE library SET next_row = max(next_row, (SELECT coalesce(max(row), 0) + 1 FROM passages))")


def _rewrite_words(connection: sqlite3.Connection, store: Store, document: Document) -> None:
    if text_lost(store, document) or words_stored(store, document) == (wanted := words_derived(store, document)):
        return
    connection.execute("DELETE FROM search WHERE rowid >= ? AND rowid < ?", store.span(document.id)[1:])
    for row, (text, words) in wanted.items():
        connection.execute("INSERT INTO search (rowid, heading, body) VALUES (?, ?, ?)", (row, text.heading, text.body))
        connection.execute("UPDATE passages SET words = ? WHERE row = ?", (words, row))
