"""Vectors in the background: passages get theirs while the library is already in use."""

import logging
import threading

from rag.index.store import Store
from rag.ports import Embedder
from rag.types import EmbeddingProgress

READ = 512  # passages that are looked up at once
BATCH = 16  # passages between two steps of visible progress; `close` waits for one batch at most

_log = logging.getLogger(__name__)


class EmbeddingQueue:
    """Embeds what the store holds without a vector, oldest document first, on one thread; a restart goes on.

    What is left to do is read from the store each time, so a document that was removed is simply no longer there.
    """

    def __init__(self, store: Store, embedder: Embedder, *, look_again: float = 10) -> None:
        """After `look_again` seconds without a `wake` it looks for what another process has added."""
        self._store = store
        self._embedder = embedder
        self._changed = threading.Condition()
        self._look_again = look_again
        self._wakes = 1  # calls to look for work; the thread has answered `_answered` of them
        self._answered = 0
        self._closing = False
        self._error: str | None = None
        self._thread = threading.Thread(target=self._run, name="embedding", daemon=True)
        self._thread.start()

    def progress(self) -> EmbeddingProgress:
        documents = self._store.documents()
        done, total = sum(document.embedded for document in documents), sum(document.passages for document in documents)
        return EmbeddingProgress(done, total, running=not self._idle(), error=self._error)

    def wake(self) -> None:
        """Says that passages were added, or that what failed is worth another try."""
        with self._changed:
            self._wakes += 1
            self._changed.notify_all()

    def wait(self, timeout: float | None = None) -> bool:
        """True once every passage has its vector; False after the timeout, an error or `close`."""
        with self._changed:
            return self._changed.wait_for(self._idle, timeout) and not self._closing and self._error is None

    def close(self) -> None:
        """Ends the thread after the batch that it is embedding."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    def _idle(self) -> bool:
        return self._closing or self._answered == self._wakes

    def _run(self) -> None:
        while True:
            with self._changed:
                asked = self._changed.wait_for(lambda: self._closing or self._answered < self._wakes, self._look_again)
                if not asked and self._error:
                    continue
                wakes = self._wakes = self._wakes if asked else self._wakes + 1
            if self._closing:
                return
            error = self._embed_all()
            with self._changed:
                self._answered, self._error = wakes, error
                self._changed.notify_all()

    def _embed_all(self) -> str | None:
        """What went wrong, in plain words; whatever it was, the library works on without the vectors."""
        try:
            while waiting := self._store.unembedded(READ):
                for start in range(0, len(waiting), BATCH):
                    if self._closing:
                        return None
                    ids, texts = zip(*waiting[start : start + BATCH], strict=True)
                    self._store.save_vectors(self._embedder.name, ids, self._embedder.embed(texts))
        except Exception as error:
            _log.exception("Embedding stopped.")
            return f"Embedding stopped: {error}. It is tried again with the next upload or start."
        return None
