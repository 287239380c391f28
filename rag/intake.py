"""Files on their way into the library: known ones recognised, new ones read side by side, each stored whole or not."""

import dataclasses
import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import sha256
from threading import Event

from rag.errors import reason
from rag.index.store import Store
from rag.ingest.pool import ReaderPool
from rag.ingest.upload import Upload
from rag.types import FileProgress, ParsedDocument


def take_in(
    store: Store, pool: ReaderPool, files: Sequence[Upload], *, replace: bool = False, cancel: Event | None = None
) -> Iterator[FileProgress]:
    """Several a file, as they happen; each file ends in "added", "duplicate" or "failed".

    With `replace` a file takes the place of those that bear its name.
    """
    fresh: dict[str, Upload] = {}  # by sha256
    failed: dict[str, str] = {}  # why, by file
    twins: list[tuple[str, Upload]] = []  # the same bytes again within these files
    for upload in files:
        key = sha256(upload.data).hexdigest()
        if known := store.by_sha256(key):
            yield FileProgress(upload.file, "duplicate", document=known)
        elif key in fresh:
            twins.append((key, upload))
        else:
            fresh[key] = upload
            yield FileProgress(upload.file, "waiting")
    for item in pool.read(tuple(fresh.values()), cancel=cancel):
        if isinstance(item, ParsedDocument):
            yield FileProgress(item.file, "storing", len(item.pages), len(item.pages))
            yield _store(store, item, fresh[item.sha256].data, replace=replace)
        else:
            if item.error:
                failed[item.file] = item.error
            yield item
    for key, upload in twins:
        if known := store.by_sha256(key):
            yield FileProgress(upload.file, "duplicate", document=known)
        else:
            first = fresh[key].file
            error = f"It holds the same bytes as {first}, which failed: {failed.get(first, 'see there')}"
            yield FileProgress(upload.file, "failed", error=error)


def _store(store: Store, parsed: ParsedDocument, data: bytes, *, replace: bool) -> FileProgress:
    namesakes = ", ".join(document.id for document in store.documents() if document.file == parsed.file)
    if namesakes and not replace:
        parsed = dataclasses.replace(
            parsed, notes=(*parsed.notes, f"added beside {namesakes}, which bears the same file name")
        )
    try:
        document, replaced = store.replace(parsed, data) if replace else (store.add(parsed, data), ())
    except (OSError, sqlite3.OperationalError) as error:
        why = f"{parsed.file} could not be stored ({reason(error)})."
        return FileProgress(
            parsed.file, "failed", error=f"{why} See that the library's disk has room, then add it again."
        )
    return FileProgress(parsed.file, "added", document.pages, document.pages, document, replaced=replaced)
