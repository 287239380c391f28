"""An archive of `rag.backup` back into a library, in one transaction, also while the library is in use."""

import json
import re
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import closing
from hashlib import file_digest
from pathlib import Path

from rag.backup import FORMAT, MANIFEST
from rag.cases import CaseStore
from rag.check import check
from rag.errors import BadInput, BadLibrary
from rag.index.schema import VERSION, connect
from rag.index.store import FILE, Store
from rag.notebook import NotebookStore
from rag.trace import SqliteTraceStore
from rag.ways import WayStore
from rag.words import count

# Copied as they are. A way to ask a model that its server does not take any more is found out anew, as everywhere.
_KEPT = ("traces", "trace_heads", "notebooks", "cases", "ways")
_STAGING = ".restore-"
_ORIGINAL = re.compile(r"files/[0-9a-f]{16}")
_LARGEST_MANIFEST = 10_000  # bytes
_WAY_OUT = "Take another backup; nothing was changed."
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, KeyError, ValueError, TypeError)


def restore(archive: Path, folder: Path, *, replace: bool = False) -> int:
    """Documents of the library in `folder`, which is the archive's from then on, or as it was before.

    With `replace` what the library holds goes. Raises `BadInput` where the archive is not whole, or without `replace`
    the library holds something.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for broken_off in folder.glob(f"{_STAGING}*"):
            shutil.rmtree(broken_off, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=_STAGING, dir=folder) as staging:
            _unpack(archive, Path(staging))
            with closing(_with_all_tables(Store.existing(Path(staging)))) as source:
                if faults := check(source):
                    raise BadInput(f"{str(archive)!r} is not whole: {faults[0].text} {_WAY_OUT}")
                with closing(_with_all_tables(Store.open(folder))) as store:
                    return _put(source, store, replace=replace)
    except BadLibrary as error:
        raise BadInput(f"{str(archive)!r} cannot be restored: {error}") from None
    except OSError as error:
        raise BadInput(f"{str(archive)!r} cannot be restored ({error}). {_WAY_OUT}") from None


def _unpack(archive: Path, staging: Path) -> None:
    """The archive's files, each as it was when the archive was made."""
    refused = f"{str(archive)!r} is no backup of a library, or a damaged one"
    try:
        with zipfile.ZipFile(archive) as opened:
            made_by, schema, digest = _manifest(opened)
            if made_by > FORMAT or schema > VERSION:
                raise BadInput(f"{str(archive)!r} was made by a newer version of this program. Update the program.")
            names = [each.filename for each in opened.infolist() if each.filename != MANIFEST]
            if FILE not in names or not all(name == FILE or _ORIGINAL.fullmatch(name) for name in names):
                raise BadInput(f"{refused}. {_WAY_OUT}")
            if (size := sum(each.file_size for each in opened.infolist())) > shutil.disk_usage(staging).free:
                raise BadInput(f"{str(archive)!r} takes {size >> 20:,} MB, which the disk has no room for.")
            (staging / "files").mkdir()
            for name in names:
                with opened.open(name) as packed, (staging / name).open("xb") as file:
                    shutil.copyfileobj(packed, file, 1 << 20)
    except _BROKEN as error:
        raise BadInput(f"{refused} ({error}). {_WAY_OUT}") from None
    with (staging / FILE).open("rb") as file:
        if file_digest(file, "sha256").hexdigest() != digest:
            raise BadInput(f"{refused}. {_WAY_OUT}")


def _manifest(opened: zipfile.ZipFile) -> tuple[int, int, str]:
    """The archive's format, its database's, and that file's sha256."""
    with opened.open(MANIFEST) as file:
        found = json.loads(file.read(_LARGEST_MANIFEST))
    return int(found["format"]), int(found["schema"]), str(found["sha256"])


def _with_all_tables(store: Store) -> Store:
    """The store, with those that are made when they are first needed."""
    for tables in (SqliteTraceStore, NotebookStore, CaseStore, WayStore):
        tables(store.connection)
    return store


def _put(source: Store, store: Store, *, replace: bool) -> int:
    if store.documents() and not replace:
        held = count(len(store.documents()), "document")
        raise BadInput(f"The library in {str(store.folder)!r} holds {held}. --replace puts the backup in their place.")
    source.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    try:
        with closing(connect(store.folder / FILE)) as connection:
            connection.execute("ATTACH ? AS source", (str(source.folder / FILE),))
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                _copy(connection)
                for document in source.documents():
                    store.originals.put(document.id, source.file(document.id))
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()  # the log holds what was replaced
    finally:
        store.drop_orphans()
    store.drop_indexes()
    return len(store.documents())


def _copy(connection: sqlite3.Connection) -> None:
    """The source's rows instead of ours, under numbers that were never used here.

    So a process that has the library open sees it as so many documents deleted and others added.
    """
    (rows,) = connection.execute("SELECT next_row FROM main.library").fetchone()
    used = dict(connection.execute("SELECT name, seq FROM main.sqlite_sequence"))
    documents, vectors = used.get("documents", 0), used.get("vectors", 0)
    connection.execute("DELETE FROM main.search")
    connection.execute("DELETE FROM main.documents")  # and all that hangs on them
    _rows(connection, "documents", {"number": documents, "first": rows})
    _rows(connection, "pages", {"document": documents})
    _rows(connection, "passages", {"row": rows, "document": documents})
    _rows(connection, "vectors", {"number": vectors, "row": rows})
    connection.execute(
        "INSERT INTO main.search (rowid, heading, body) SELECT rowid + ?, heading, body FROM source.search", (rows,)
    )
    connection.execute("INSERT INTO main.search (search) VALUES ('optimize')")  # else words stay in old segments
    for table in _KEPT:
        connection.execute(f"DELETE FROM main.{table}")
        _rows(connection, table, {})
    connection.execute(
        """UPDATE main.library SET version = library.version + 1, next_row = library.next_row + theirs.next_row,
        model = theirs.model, next_model = theirs.next_model FROM source.library AS theirs"""
    )


def _rows(connection: sqlite3.Connection, table: str, shifts: Mapping[str, int]) -> None:
    columns = [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]
    values = ", ".join(f"{column} + {shifts[column]}" if column in shifts else column for column in columns)
    connection.execute(f"INSERT INTO main.{table} ({', '.join(columns)}) SELECT {values} FROM source.{table}")
