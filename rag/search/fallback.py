"""A ranking that needs vectors, and one that steps in where none can be had for the query."""

import logging

from rag.errors import EmbeddingFailed
from rag.ports import Retriever
from rag.search.pause import PAUSE, Pause
from rag.types import Query, ScorerName, SearchResult

_log = logging.getLogger(__name__)


class FallbackRetriever:
    """The port `Retriever` over one that may fail with `EmbeddingFailed`, and one of the same name that does not."""

    def __init__(self, first: Retriever, second: Retriever, *, pause: float = PAUSE) -> None:
        self._first = first
        self._second = second
        self._pause = Pause(pause)

    @property
    def name(self) -> ScorerName:
        return self._first.name

    def search(self, query: Query) -> SearchResult:
        """The second's where the first failed, now or a while ago; said in the log once for each pause."""
        if not self._pause:
            try:
                return self._first.search(query)
            except EmbeddingFailed as error:
                if self._pause.begin():
                    _log.warning("%s Searches go on by keywords for %.0f seconds.", error, self._pause.seconds)
        return self._second.search(query)
