"""A FAISS index of the store's vectors, and its file: derived, checked when it is read, made anew when in doubt."""

import logging
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from rag.index.store import Store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAVE_AFTER = 1_000  # changed vectors; fewer are read from the store as fast as from a file

_log = logging.getLogger(__name__)


class Near(NamedTuple):
    rows: "NDArray[np.int64]"  # of the passages, rising
    cosines: "NDArray[np.float64]"


class FlatIndex:
    """The cosine to every vector of one model; exact, no approximation. Not for several threads at once."""

    def __init__(self, store: Store, model: str, dimensions: int, *, save_after: int = SAVE_AFTER) -> None:
        self._store = store
        self._model = model
        self._dimensions = dimensions
        self._file = store.folder / f"{re.sub(r'[^A-Za-z0-9-]', '_', model)}.faiss"
        self._index: Any = None
        self._last = 0  # number of the newest vector that is in
        self._version = -1  # of the library, when removed ones were last taken out
        self._unsaved = 0
        self._save_after = save_after

    def near(self, vector: "NDArray[np.float32]", floor: float, first: int, stop: int) -> Near:
        """Rows from first up to stop whose cosine to this unit vector lies above the floor."""
        import faiss

        self._follow()
        faiss.omp_set_num_threads(1)  # of one query, a second thread takes longer to wake than it saves
        only = faiss.SearchParameters(sel=faiss.IDSelectorRange(first, stop))  # type: ignore[call-arg]
        _, cosines, rows = self._index.range_search(vector.reshape(1, -1), floor, params=only)
        order = rows.argsort()
        return Near(rows[order], cosines[order].astype(float))

    def _follow(self) -> None:
        """Brings the index to the state of the store."""
        version = self._store.version()
        if self._index is None:
            self._index, self._last = self._read() or (self._empty(), 0)
        if version != self._version:
            self._unsaved += self._remove_missing()
            self._version = version
        new = self._store.vectors(self._model, after=self._last)
        if len(new.rows):
            self._index.add_with_ids(new.matrix, new.rows)
            self._last = new.last
            self._unsaved += len(new.rows)
        if self._unsaved >= self._save_after:
            self._write()
            self._unsaved = 0

    def _empty(self) -> Any:
        import faiss

        return faiss.IndexIDMap2(faiss.IndexFlatIP(self._dimensions))

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
        data = self._file.read_bytes()
        digest, last, body = data[:32], int.from_bytes(data[32:40]), data[40:]
        if sha256(data[32:]).digest() != digest:
            _log.warning("%s is damaged; the index is made anew from the library.", self._file)
            return None
        index: Any = faiss.deserialize_index(np.frombuffer(body, np.uint8))
        held, there = faiss.vector_to_array(index.id_map), self._store.vector_rows(self._model, up_to=last)
        return (index, last) if np.array_equal(np.sort(held), np.sort(there)) else None

    def _write(self) -> None:
        import faiss

        body = self._last.to_bytes(8) + faiss.serialize_index(self._index).tobytes()
        part = self._file.with_suffix(".part")
        part.write_bytes(sha256(body).digest() + body)
        part.replace(self._file)
