"""Vectors in the background: passages get theirs while the library is already in use."""

import logging
import threading
from collections.abc import Callable, Sequence

from rag.errors import EmbeddingFailed, TracebookError
from rag.index.store import Store
from rag.index.vectors import Unembedded
from rag.ports import Embedder
from rag.types import EmbeddingProgress

READ = 512  # passages that are looked up at once; each batch of them is a step of visible progress

_log = logging.getLogger(__name__)


class EmbeddingQueue:
    """Embeds what the store holds without a vector, oldest document first, on one thread; a restart goes on.

    What is left to do, and by which model, is read from the store each time, so a document that was removed is simply
    no longer there. A model that was agreed on takes over with its last vector.
    """

    def __init__(
        self,
        store: Store,
        embedder: Callable[[str], Embedder | None],
        *,
        look_again: float = 10,
        patience: float = 5,
    ) -> None:
        """`embedder` gives the one of a name.

        After `look_again` seconds without a `wake` it looks for what another process has added. `close` waits for a
        batch, but `patience` seconds at most: a server may take minutes.
        """
        self._store = store
        self._embedder = embedder
        self._changed = threading.Condition()
        self._look_again = look_again
        self._wakes = 1  # calls to look for work; the thread has answered `_answered` of them
        self._answered = 0
        self._patience = patience
        self._closing = False
        self._closed = False
        self.error: str | None = None  # why it stopped, in plain words; None again once it goes on
        self._thread = threading.Thread(target=self._run, name="embedding", daemon=True)
        self._thread.start()

    def progress(self) -> EmbeddingProgress:
        """Of the model that is wanted: while a change is under way, of the new one."""
        return EmbeddingProgress(*self._store.spaces.progress(), running=not self._idle(), error=self.error)

    def wake(self) -> None:
        """Says that passages were added, another model is wanted, or what failed is worth another try."""
        with self._changed:
            self._wakes += 1
            self._changed.notify_all()

    def wait(self, timeout: float | None = None) -> bool:
        """True once every passage has its vector; False after the timeout, an error or `close`."""
        with self._changed:
            return self._changed.wait_for(self._idle, timeout) and not self._closing and self.error is None

    def close(self) -> None:
        """Ends the thread after the batch that it is embedding; one that takes too long is dropped."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(self._patience)
        self._closed = True

    def _idle(self) -> bool:
        return self._closing or self._answered == self._wakes

    def _run(self) -> None:
        while True:
            with self._changed:
                asked = self._changed.wait_for(lambda: self._closing or self._answered < self._wakes, self._look_again)
                if not asked and self.error:
                    continue
                wakes = self._wakes = self._wakes if asked else self._wakes + 1
                if self._closing:
                    return
                self.error = None
            error = self._embed_all()
            with self._changed:
                self._answered, self.error = wakes, error
                self._changed.notify_all()

    def _embed_all(self) -> str | None:
        """What went wrong, in plain words; whatever it was, the library works on without the vectors."""
        try:
            self._store.spaces.adopt()
            while not self._closing and (model := self._store.spaces.wanted()):
                waiting = self._store.unembedded(READ, model=model)
                if waiting:
                    self._embed(model, waiting)
                elif self._store.spaces.agreed() != model or self._store.spaces.settle(model):
                    return None
        except Exception as error:
            _log.warning("Embedding stopped: %s", error, exc_info=not isinstance(error, TracebookError))
            return f"Embedding stopped: {str(error).rstrip('.')}. It is tried again with the next upload or start."
        return None

    def _embed(self, model: str, waiting: Sequence[Unembedded]) -> None:
        """Batch after batch, as long as this model is the one that is wanted."""
        embedder = self._embedder(model)
        if embedder is None:
            raise EmbeddingFailed(f"The library's vectors are of {model!r}, which cannot be asked with these settings")
        for start in range(0, len(waiting), embedder.batch):
            if self._closing or self._store.spaces.wanted() != model:
                return
            ids, texts = zip(*waiting[start : start + embedder.batch], strict=True)
            vectors = embedder.embed(texts)
            if self._closed:
                return
            self._store.save_vectors(model, ids, vectors)
