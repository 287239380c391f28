"""The uploaded files' bytes, kept in the library's folder under document ids, never under the names they came with."""

import os
import re
from collections.abc import Collection
from pathlib import Path

from rag.errors import LostOriginal

_OURS = re.compile(r"[0-9a-f]{16}(\.part)?")


class Originals:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __bool__(self) -> bool:
        return bool(self.names())

    def read(self, document_id: str) -> bytes:
        """Raises `LostOriginal` where the file is gone from the folder, or may not be read."""
        return self.existing(document_id).read_bytes()

    def existing(self, document_id: str) -> Path:
        """Where it lies; raises `LostOriginal` as `read` does."""
        path = self.path(document_id)
        try:
            path.open("rb").close()
        except OSError as error:
            raise LostOriginal(
                f"The original file {document_id!r} cannot be read ({error.strerror}). "
                "Restore the library's folder from a backup, or delete the document and add its file again."
            ) from None
        return path

    def put(self, document_id: str, data: bytes) -> None:
        """Whole and on the disk, or not there at all."""
        self._folder.mkdir(parents=True, exist_ok=True)
        part = self._folder / f"{document_id}.part"
        try:
            with part.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path(document_id))
            _sync(self._folder)
        finally:
            part.unlink(missing_ok=True)

    def remove(self, document_id: str) -> None:
        self.path(document_id).unlink(missing_ok=True)

    def keep_only(self, document_ids: Collection[str]) -> None:
        """Removes what an interrupted upload or removal left behind; files that are not ours stay."""
        for name in self.names() - set(document_ids):
            (self._folder / name).unlink(missing_ok=True)

    def names(self) -> set[str]:
        """Document ids, and the names of files that were being written."""
        return {path.name for path in self._paths() if _OURS.fullmatch(path.name)}

    def path(self, document_id: str) -> Path:
        return self._folder / document_id

    def _paths(self) -> list[Path]:
        return list(self._folder.iterdir()) if self._folder.is_dir() else []


def _sync(folder: Path) -> None:
    """So that a file's name outlives a power cut, too."""
    if os.name == "nt":  # there a folder cannot be opened
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
