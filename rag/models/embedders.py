"""Embedders by the name of their vector space: which of them can be asked from here."""

from rag.models.endpoint import Endpoint
from rag.models.endpoint_embedder import EndpointEmbedder, space
from rag.models.minilm import MiniLM
from rag.ports import Embedder


class Embedders:
    """The one that the settings name, the built-in one, and all models of the endpoint; each made once."""

    def __init__(self, configured: Embedder, endpoint: Endpoint) -> None:
        self._made: dict[str, Embedder] = {configured.name: configured}
        self._endpoint = endpoint

    def named(self, name: str) -> Embedder | None:
        """None: it cannot be asked from here."""
        if name not in self._made and (embedder := self._make(name)):
            self._made.setdefault(name, embedder)
        return self._made.get(name)

    def hurried(self, name: str) -> Embedder | None:
        """The same for a search, where somebody waits."""
        embedder = self.named(name)
        return embedder.hurried() if isinstance(embedder, EndpointEmbedder) else embedder

    def _make(self, name: str) -> Embedder | None:
        if name == MiniLM.name:
            return MiniLM()
        if self._endpoint.reachable and name.startswith(server := space(self._endpoint, "")):
            return EndpointEmbedder(self._endpoint, name.removeprefix(server))
        return None
