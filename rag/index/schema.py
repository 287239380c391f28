"""The tables of library.sqlite, and the check that a file is one of ours."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from rag.errors import BadLibrary
from rag.index.records import length
from rag.types import SearchText
from rag.words import in_pairs

APPLICATION = 0x54424B31  # "TBK1": marks the file as a library of this program
VERSION = 4

# A page's text is stored once: a passage is a span of it. Row numbers are never used twice, and those of one document
# are contiguous, so that a document is a range of rows in every index. Of the library, `model` names the vectors that
# serve, `next_model` those that are to take their place.
TABLES = """
CREATE TABLE library (next_row INTEGER NOT NULL, version INTEGER NOT NULL, model TEXT, next_model TEXT);
INSERT INTO library VALUES (1, 0, NULL, NULL);
CREATE TABLE documents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    sha256 TEXT NOT NULL UNIQUE,
    file TEXT NOT NULL,
    media TEXT NOT NULL,
    card TEXT NOT NULL,
    notes TEXT NOT NULL,
    pages INTEGER NOT NULL,
    passages INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    first INTEGER NOT NULL,
    added_at TEXT NOT NULL
);
CREATE INDEX documents_by_file ON documents (file);
CREATE TABLE pages (
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    label TEXT NOT NULL,
    statement TEXT,
    offsets BLOB NOT NULL,
    text TEXT NOT NULL,
    recognised INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (document, number)
);
CREATE TABLE passages (
    row INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    words INTEGER NOT NULL,
    statement TEXT,
    headings TEXT NOT NULL
);
CREATE INDEX passages_by_page ON passages (document, page);
CREATE TABLE vectors (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    row INTEGER NOT NULL REFERENCES passages (row) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (row, model)
);
CREATE VIRTUAL TABLE search USING fts5 (heading, body, tokenize = 'porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE terms USING fts5vocab (search, instance);
"""


def _remember_models(connection: sqlite3.Connection) -> None:
    """The model that serves is the one that most vectors are of."""
    connection.execute("ALTER TABLE library ADD COLUMN model TEXT")
    connection.execute("ALTER TABLE library ADD COLUMN next_model TEXT")
    most = "SELECT model FROM vectors GROUP BY model ORDER BY count(*) DESC LIMIT 1"
    connection.execute(f"UPDATE library SET model = ({most})")


def _index_pairs(connection: sqlite3.Connection) -> None:
    """Chinese, Japanese and Korean are indexed in pairs of characters; and documents by file name."""
    connection.execute("CREATE INDEX IF NOT EXISTS documents_by_file ON documents (file)")
    for row, heading, body in connection.execute("SELECT rowid, heading, body FROM search").fetchall():
        text = SearchText(in_pairs(body), in_pairs(heading))
        if (text.heading, text.body) != (heading, body):
            sql = "UPDATE search SET heading = ?, body = ? WHERE rowid = ?"
            connection.execute(sql, (text.heading, text.body, row))
            connection.execute("UPDATE passages SET words = ? WHERE row = ?", (length(text), row))
    connection.execute("UPDATE library SET version = version + 1")


def _tell_recognised(connection: sqlite3.Connection) -> None:
    """Nothing was recognised before."""
    connection.execute("ALTER TABLE pages ADD COLUMN recognised INTEGER NOT NULL DEFAULT 0")


# What leads from a version to the next one, run in one transaction with it.
MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {
    1: _remember_models,
    2: _index_pairs,
    3: _tell_recognised,
}

_WAY_OUT = "Restore it from a backup, or move the folder away and add the files again."


def connect(path: Path) -> sqlite3.Connection:
    """A connection with our pragmas; a statement that writes opens a transaction, `with connection:` ends it."""
    connection = sqlite3.connect(path, timeout=30, isolation_level="IMMEDIATE", check_same_thread=False)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def is_busy(error: Exception) -> bool:
    """Whether another program is at the library, so that a later try may do."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def way_out(error: Exception) -> str:
    """What to do where something could not be stored."""
    return "Another program is writing to the library." if is_busy(error) else "See that the library's disk has room."


def prepare(path: Path, *, originals: bool) -> None:
    """Makes the tables of a new file, or checks and migrates those of an old one.

    `originals` says that files of a library lie beside it already: then an empty database is a lost one.
    Raises `BadLibrary`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Without our pragmas, since it may not be ours.
        with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            _create_or_migrate(connection, path, originals=originals)
    except (OSError, sqlite3.OperationalError) as error:
        raise BadLibrary(f"{str(path)!r} cannot be opened ({error}). Choose a folder that you may write to.") from None
    except sqlite3.DatabaseError as error:
        raise BadLibrary(f"{str(path)!r} is damaged or no library ({error}). {_WAY_OUT}") from None


def _create_or_migrate(connection: sqlite3.Connection, path: Path, *, originals: bool) -> None:
    if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        if originals:
            raise BadLibrary(f"{str(path)!r} is empty, but files of a library lie beside it. {_WAY_OUT}")
        for statement in TABLES.split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        return
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise BadLibrary(f"{str(path)!r} is a database of another program. Choose another folder for the library.")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise BadLibrary(f"{str(path)!r} has format {version}, this program reads up to {VERSION}. Update the program.")
    for step in range(version, VERSION):
        MIGRATIONS[step](connection)
        connection.execute(f"PRAGMA user_version = {step + 1}")
