"""Embeddings from an OpenAI-compatible server or Azure OpenAI, through LangChain."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import finalize

from rag.errors import EmbeddingFailed
from rag.models.endpoint import API_VERSION, Endpoint
from rag.models.failures import refusal, shown_of
from rag.words import count

if TYPE_CHECKING:
    import numpy as np
    from langchain_openai import OpenAIEmbeddings
    from numpy.typing import NDArray

OPENAI = "https://api.openai.com/v1"
BATCH = 64  # texts of a request; of the longest passages that is half of what OpenAI takes at once
HURRIED = 10.0  # seconds that somebody who searches waits for the query's vector
_WAYS_OUT = {
    400: "It does not take the texts: check TRACEBOOK_EMBEDDING_MODEL, and whether it reads passages of this length",
    413: "It does not take so much text at once: lower TRACEBOOK_CHUNK_TOKENS for reports that are added from now on",
    429: "It is asked too often, or its quota is used up: wait, or raise its limit",
}


class EndpointEmbedder:
    """Vectors from a server, asked at the first use; for any thread. No name, error or log holds the key.

    A request that gives 429, 5xx or no connection is made again `endpoint.retries` times: after the seconds that
    Retry-After tells, of which more than two minutes end it, else after half a second, doubled each time up to eight.
    """

    batch = BATCH

    def __init__(self, endpoint: Endpoint, model: str) -> None:
        self._endpoint = endpoint
        self._model = model
        self.name = space(endpoint, model)
        self._dimensions: int | None = None

    @property
    def dimensions(self) -> int:
        """Found by asking once."""
        return self._dimensions or int(self._ask(["dimensions"]).shape[1])

    def hurried(self) -> "EndpointEmbedder":
        """The same for somebody who waits: asked once and for ten seconds at most."""
        endpoint = replace(self._endpoint, timeout=min(self._endpoint.timeout, HURRIED), retries=0)
        return EndpointEmbedder(endpoint, self._model)

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Shape (len(texts), dimensions), rows of length 1; raises `EmbeddingFailed`."""
        import numpy as np

        parts = [self._ask(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return np.concatenate(parts) if parts else np.empty((0, self.dimensions), np.float32)

    def _ask(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        found = self._post([text or " " for text in texts])  # an empty text is refused by most servers
        if len(found) != len(texts):
            raise self._failed(f"It gave {count(len(found), 'vector')} for {count(len(texts), 'text')}")
        try:
            matrix = np.array(found, np.float32).reshape(len(texts), len(found[0]))
        except (ValueError, TypeError):
            raise self._failed("Its vectors are not of one length, or hold what is no number") from None
        if matrix.shape[1] != (self._dimensions or matrix.shape[1]):
            raise self._failed(f"It gave vectors of {matrix.shape[1]} dimensions after some of {self._dimensions}")
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise self._failed("It gave a vector without a direction")
        self._dimensions = matrix.shape[1]
        return (matrix / lengths).astype(np.float32)  # type: ignore[no-any-return]

    def _post(self, texts: list[str]) -> list[list[float]]:
        import openai

        try:
            return self._client.embed_documents(texts, chunk_size=BATCH)
        except openai.APIStatusError as error:
            status, said = error.status_code, shown_of(error, self._endpoint).rstrip(".")
            raise self._failed(f"{_way_out(status)}. It says: {said}", status) from None
        except openai.APIConnectionError as error:
            reason = "in time" if isinstance(error, openai.APITimeoutError) else "at all"
            raise self._failed(f"It does not answer {reason}: see that its server runs at its address") from None
        except (openai.OpenAIError, ValueError, KeyError, TypeError, AttributeError):
            raise self._failed("Its answer is not of the /embeddings form: check OPENAI_BASE_URL") from None

    @cached_property
    def _client(self) -> "OpenAIEmbeddings":
        """Nothing of it is taken from the environment, which may speak of another server."""
        from langchain_openai import AzureOpenAIEmbeddings, OpenAIEmbeddings
        from openai import DefaultHttpxClient
        from pydantic import SecretStr

        endpoint = self._endpoint
        http = DefaultHttpxClient(follow_redirects=False)  # a redirect would take the key along
        finalize(self, http.close)
        common: dict[str, Any] = {
            "api_key": SecretStr(endpoint.key or "none"),  # a server without keys takes any
            "model": self._model,
            "timeout": endpoint.timeout,
            "max_retries": endpoint.retries,
            "check_embedding_ctx_length": False,  # else token ids are sent, which only OpenAI takes
            "model_kwargs": {"encoding_format": "float"},  # base64, the client's default, is not known to all
            "http_client": http,
            "openai_proxy": "",
        }
        if endpoint.azure:
            return AzureOpenAIEmbeddings(
                azure_endpoint=endpoint.azure,
                azure_deployment=self._model,
                api_version=endpoint.api_version or API_VERSION,
                base_url=None,
                azure_ad_token=None,
                **common,
            )
        return OpenAIEmbeddings(base_url=endpoint.base_url or OPENAI, **common)

    def _failed(self, why: str, status: int | None = None) -> EmbeddingFailed:
        return EmbeddingFailed(f"The embedding model {self.name!r} failed{f' with {status}' if status else ''}. {why}.")


def _way_out(status: int) -> str:
    if refused := refusal(status, "TRACEBOOK_EMBEDDING_MODEL"):
        return f"It {refused.what}: {refused.way_out}"
    return _WAYS_OUT.get(status, "It cannot answer")


def space(endpoint: Endpoint, model: str) -> str:
    """ "openai:text-embedding-3-small"; of Azure the resource, as a deployment's name alone says little."""
    where = urlsplit(endpoint.azure).netloc.rpartition("@")[2] if endpoint.azure else endpoint.provider
    return f"{where.lower()}:{model}"
