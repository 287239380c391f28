"""A ranking that needs vectors, and one that steps in where none can be had for the query."""

import logging
import threading
import time

from rag.errors import EmbeddingFailed
from rag.ports import Retriever
from rag.types import Query, ScorerName, SearchResult

PAUSE = 60.0  # seconds until an embedding model that failed is asked again

_log = logging.getLogger(__name__)


class FallbackRetriever:
    """The port `Retriever` over one that may fail with `EmbeddingFailed`, and one of the same name that does not."""

    def __init__(self, first: Retriever, second: Retriever, *, pause: float = PAUSE) -> None:
        self._first = first
        self._second = second
        self._pause = pause
        self._asleep_until = 0.0
        self._lock = threading.Lock()

    @property
    def name(self) -> ScorerName:
        return self._first.name

    def search(self, query: Query) -> SearchResult:
        """The second's where the first failed, now or a while ago; said in the log once for each pause."""
        if time.monotonic() >= self._asleep_until:
            try:
                return self._first.search(query)
            except EmbeddingFailed as error:
                self._sleep(error)
        return self._second.search(query)

    def _sleep(self, error: EmbeddingFailed) -> None:
        with self._lock:
            asleep, self._asleep_until = time.monotonic() < self._asleep_until, time.monotonic() + self._pause
        if not asleep:
            _log.warning("%s Searches go on by keywords for %.0f seconds.", error, self._pause)
