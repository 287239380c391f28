"""A library as one archive: SQLite's own copy of the database, and the original files as they came in."""

import json
import os
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from hashlib import file_digest
from pathlib import Path

from rag.check import check
from rag.errors import BadInput, BadLibrary
from rag.index.schema import VERSION
from rag.index.store import FILE, Store

MANIFEST = "tracebook.json"  # {"format": 1, "schema": 2, "sha256": "…"}, the last of the database
FORMAT = 1
_TRIES = 5


def backup(store: Store, target: Path) -> int:
    """Documents in the archive, which is there whole or not at all; the library may be in use meanwhile.

    Raises `BadLibrary` where the library is not whole, so that no backup is a bad one, and `BadInput` where the archive
    cannot be written or something of its name is there.
    """
    if target.exists():
        raise BadInput(f"{str(target)!r} is there already. Name a new file.")
    try:
        with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as folder:
            part = Path(folder) / "archive"
            for _ in range(_TRIES):
                _refuse_faults(store)
                if (documents := _write(store, Path(folder) / FILE, part)) is not None:
                    part.replace(target)
                    return documents
    except OSError as error:
        raise BadInput(f"{str(target)!r} cannot be written ({error}). Choose a folder that has room.") from None
    raise BadInput("Documents are being deleted all the time. Make the backup when that is over.")


def _refuse_faults(store: Store) -> None:
    if faults := check(store):
        raise BadLibrary(f"The library is not whole: {faults[0].text} See python -m rag check, which has --repair.")


def _write(store: Store, copy: Path, part: Path) -> int | None:
    """None: a document was deleted before its file was copied."""
    copy.unlink(missing_ok=True)
    with closing(sqlite3.connect(copy)) as database:
        store.connection().backup(database)
        database.execute("PRAGMA journal_mode = DELETE").fetchall()  # one file, without a log beside it
        documents = [row[0] for row in database.execute("SELECT id FROM documents ORDER BY number")]
    with copy.open("rb") as file:
        manifest = {"format": FORMAT, "schema": VERSION, "sha256": file_digest(file, "sha256").hexdigest()}
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest))
        archive.write(copy, FILE)
        for document_id in documents:
            try:
                archive.write(store.originals.path(document_id), f"files/{document_id}")
            except FileNotFoundError:
                return None
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    return len(documents)
