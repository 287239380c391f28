"""A FAISS index of the store's vectors, and its file: derived, checked when it is read, made anew when in doubt."""

import logging
import re
from collections.abc import Sequence
from hashlib import file_digest, sha256
from io import BufferedRandom, BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rag.index.store import Store
from rag.index.vectors import same_dimensions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

READ = 10_000  # vectors that are in memory twice while they are read
DIGEST = 32  # bytes at the head of the file
SAVE_AFTER = 1_000  # changed vectors; fewer are read from the store as fast as from a file

_log = logging.getLogger(__name__)


class Near(NamedTuple):
    rows: "NDArray[np.int64]"  # of the passages, rising
    cosines: "NDArray[np.float64]"


class FlatIndex:
    """The cosine to every vector of one model; exact, no approximation. Not for several threads at once."""

    def __init__(self, store: Store, model: str, *, save_after: int = SAVE_AFTER) -> None:
        self._store = store
        self._model = model
        self._file = file_of(store.folder, model)
        self._index: Any = None
        self._last = 0  # number of the newest vector that is in
        self._version = -1  # of the library, when removed ones were last taken out
        self._unsaved = 0
        self._save_after = save_after

    def near(self, vector: "NDArray[np.float32]", floor: float, among: range | Sequence[int]) -> Near:
        """Those of the rows whose cosine to this unit vector, of the same model, lies above the floor."""
        import faiss
        import numpy as np

        self._follow(vector.size)
        faiss.omp_set_num_threads(1)  # of one query, a second thread takes longer to wake than it saves
        if isinstance(among, range):
            only = faiss.SearchParameters(sel=faiss.IDSelectorRange(among.start, among.stop))  # type: ignore[call-arg]
        else:
            only = faiss.SearchParameters(sel=faiss.IDSelectorBatch(np.array(among)))  # type: ignore[call-arg]
        _, cosines, rows = self._index.range_search(vector.reshape(1, -1), floor, params=only)
        order = rows.argsort()
        return Near(rows[order], cosines[order].astype(float))

    def _follow(self, dimensions: int) -> None:
        """Brings the index to the state of the store; raises `EmbeddingFailed` where that has other dimensions."""
        import faiss

        version = self._store.version()
        if self._index is None or self._index.d != dimensions:
            self._index, self._last = self._read() or (faiss.IndexIDMap2(faiss.IndexFlatIP(dimensions)), 0)
            same_dimensions(self._model, self._index.d, dimensions)
        if version != self._version:
            self._unsaved += self._remove_missing()
            self._version = version
        while len((new := self._store.vectors(self._model, after=self._last, most=READ)).rows):
            same_dimensions(self._model, new.matrix.shape[1], dimensions)
            self._index.add_with_ids(new.matrix, new.rows)
            self._last = new.last
            self._unsaved += len(new.rows)
        if self._unsaved >= self._save_after:
            self._write()
            self._unsaved = 0

    def _remove_missing(self) -> int:
        import faiss
        import numpy as np

        there = self._store.vector_rows(self._model, up_to=self._last)
        gone = np.setdiff1d(faiss.vector_to_array(self._index.id_map), there)
        return int(self._index.remove_ids(gone)) if len(gone) else 0

    def _read(self) -> tuple[Any, int] | None:
        """The index of the file and its newest vector's number, or None where there is no file that fits the store."""
        import faiss
        import numpy as np

        if not self._file.exists():
            return None
        with self._file.open("rb") as file:
            digest = file.read(DIGEST)
            if digest_of(file, self._model) != digest:
                _log.warning("%s is damaged; the index is made anew from the library.", self._file)
                return None
            file.seek(DIGEST)
            last = int.from_bytes(file.read(8))
            index: Any = faiss.read_index(faiss.PyCallbackIOReader(file.read))  # type: ignore[attr-defined]
        held, there = faiss.vector_to_array(index.id_map), self._store.vector_rows(self._model, up_to=last)
        return (index, last) if np.array_equal(np.sort(held), np.sort(there)) else None

    def _write(self) -> None:
        import faiss

        part = self._file.with_suffix(".part")
        with part.open("w+b") as file:  # a piece at a time, as the whole may fill the memory
            file.write(bytes(DIGEST) + self._last.to_bytes(8))
            faiss.write_index(self._index, faiss.PyCallbackIOWriter(file.write))  # type: ignore[attr-defined]
            file.seek(DIGEST)
            digest = digest_of(file, self._model)
            file.seek(0)
            file.write(digest)
        part.replace(self._file)
        for other in {*self._store.folder.glob("*.faiss")} - {self._file}:
            other.unlink(missing_ok=True)  # of a model that serves no more


def file_of(folder: Path, model: str) -> Path:
    """Where the index of a model's vectors is kept."""
    return folder / f"{re.sub(r'[^A-Za-z0-9-]', '_', model)}.faiss"


def is_whole(path: Path, model: str) -> bool:
    """Whether the file is an index of this model's vectors as it was written."""
    with path.open("rb") as file:
        return file.read(DIGEST) == digest_of(file, model)


def digest_of(file: BufferedRandom | BufferedReader, model: str) -> bytes:
    """Of what is left of the file and of the model, since two names may come to the same file's."""
    return file_digest(file, lambda: sha256(model.encode())).digest()
