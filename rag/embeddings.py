"""The vectors of a library: which model makes them, how far they are, and the change to another model."""

from typing import TYPE_CHECKING

from rag.errors import BadInput
from rag.index.store import Store
from rag.ports import Embedder
from rag.reasoning import endpoint_of
from rag.settings import Settings
from rag.types import EmbeddingChange, EmbeddingProgress

if TYPE_CHECKING:
    from rag.index.embedding import EmbeddingQueue
    from rag.models.embedders import Embedders


class Embeddings:
    """With `embed` a thread computes missing vectors in the background; without an embedder there are none."""

    def __init__(self, settings: Settings, store: Store, embedder: Embedder | None, *, embed: bool) -> None:
        self._settings, self._store = settings, store
        self.models = _embedders(settings, embedder) if embedder else None
        self.queue = _queue(store, self.models) if self.models and embed else None

    @property
    def trouble(self) -> str | None:
        """Why vectors do not come; None: nothing is wrong."""
        return self.queue.error if self.queue else None

    def progress(self) -> EmbeddingProgress:
        if self.queue:
            return self.queue.progress()
        return EmbeddingProgress(*self._store.spaces.progress(), running=False)

    def wake(self) -> None:
        """Says that there is something to do, or to do again."""
        if self.queue:
            self.queue.wake()

    def change(self) -> EmbeddingChange | None:
        """On offer or under way; None: the model that serves is the one that is set."""
        spaces = self._store.spaces
        before, after = spaces.serving(), spaces.ours
        if not self.models or not before or not after or before == after or not spaces.progress().total:
            return None
        passages, tokens = spaces.missing(after)
        return EmbeddingChange(
            before,
            after,
            passages,
            tokens,
            price=_price(tokens, self._settings),
            begun=spaces.agreed() == after,
            gap=self.models.named(before) is None,
        )

    def begin_change(self) -> None:
        """Raises `BadInput` where none is on offer."""
        if not self.change():
            raise BadInput("The library's vectors are of the embedding model that is set. There is nothing to change.")
        self._store.spaces.agree()
        self.wake()

    def give_up_change(self) -> None:
        self._store.spaces.give_up()
        self.wake()

    def wait(self, timeout: float | None = None) -> bool:
        """Whether all passages have the vector that they should; `timeout` in seconds."""
        if self.queue:
            return self.queue.wait(timeout)
        progress = self.progress()
        return progress.done == progress.total

    def close(self) -> None:
        """Ends the thread."""
        if self.queue:
            self.queue.close()


def embedder_of(settings: Settings) -> Embedder | None:
    """The one that the settings name; None: no vectors."""
    if settings.embeddings == "off":
        return None
    if settings.embeddings == "endpoint":
        from rag.models.endpoint_embedder import EndpointEmbedder

        return EndpointEmbedder(endpoint_of(settings), settings.embedding_model)
    from rag.models.minilm import MiniLM

    return MiniLM()


def _price(tokens: int, settings: Settings) -> float | None:
    """Of embedding so much; None: the settings do not tell."""
    if settings.embeddings == "local":
        return 0.0
    return tokens * settings.embedding_price / 1_000_000 if settings.embedding_price else None


def _embedders(settings: Settings, embedder: Embedder) -> "Embedders":
    from rag.models.embedders import Embedders

    return Embedders(embedder, endpoint_of(settings))


def _queue(store: Store, embedders: "Embedders") -> "EmbeddingQueue":
    from rag.index.embedding import EmbeddingQueue

    return EmbeddingQueue(store, embedders.named)
