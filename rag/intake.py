"""Files on their way into the library: known ones recognised, new ones read side by side, each stored whole or not."""

import dataclasses
import sqlite3
from collections.abc import Iterator, Sequence
from threading import Event

from rag.errors import reason
from rag.index.schema import way_out
from rag.index.store import Store
from rag.ingest.pool import ReaderPool
from rag.ingest.upload import Upload
from rag.types import Document, FileProgress, ParsedDocument


def take_in(
    store: Store, pool: ReaderPool, files: Sequence[Upload], *, replace: bool = False, cancel: Event | None = None
) -> Iterator[FileProgress]:
    """Several a file, as they happen; each file ends in "added", "duplicate" or "failed".

    With `replace` a file takes the place of those that bear its name.
    """
    fresh: dict[str, Upload] = {}  # by sha256
    failed: dict[str, str] = {}  # why, likewise
    twins: list[Upload] = []  # the same bytes again within these files
    for upload in files:
        if known := store.by_sha256(upload.sha256):
            yield _duplicate(upload, known)
        elif upload.sha256 in fresh:
            twins.append(upload)
        else:
            fresh[upload.sha256] = upload
            yield FileProgress(upload.file, "waiting", sha256=upload.sha256)
    for item in pool.read(tuple(fresh.values()), cancel=cancel):
        if isinstance(item, ParsedDocument):
            yield FileProgress(item.file, "storing", len(item.pages), len(item.pages), sha256=item.sha256)
            yield _store(store, item, fresh[item.sha256].data, replace=replace)
        else:
            if item.error:
                failed[item.sha256] = item.error
            yield item
    for upload in twins:
        if known := store.by_sha256(upload.sha256):
            yield _duplicate(upload, known)
        else:
            why = failed.get(upload.sha256, "see there")
            error = f"It holds the same bytes as {fresh[upload.sha256].file}, which failed: {why}"
            yield FileProgress(upload.file, "failed", error=error, sha256=upload.sha256)


def _duplicate(upload: Upload, known: Document) -> FileProgress:
    return FileProgress(upload.file, "duplicate", document=known, sha256=upload.sha256)


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
        told = f"{why} {way_out(error)} Then add it again."
        return FileProgress(parsed.file, "failed", error=told, sha256=parsed.sha256)
    pages = document.pages
    return FileProgress(parsed.file, "added", pages, pages, document, sha256=parsed.sha256, replaced=replaced)
