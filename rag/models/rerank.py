"""Servers that rerank: the form that Jina, Cohere (v1, v2) and vLLM share.

POST {"model", "query", "documents": [text], "top_n"} gives {"results": [{"index", "relevance_score"}]}, in any order.
"""

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from rag.errors import RerankFailed

SECONDS = 20.0  # until an answer has to be there
LARGEST = 10_000_000  # bytes of an answer that are read
_WAYS_OUT = {
    401: "It refuses the key: check TRACEBOOK_RERANK_KEY",
    403: "It refuses the key: check TRACEBOOK_RERANK_KEY",
    404: "It knows no such address or model: check TRACEBOOK_RERANK_URL and TRACEBOOK_RERANK_MODEL",
    422: "It does not take the request: check TRACEBOOK_RERANK_MODEL",
    429: "It is asked too often: wait, or raise its limit",
}


class RerankServer:
    """Scores from a server; for any thread. No error, log or trace holds the key."""

    def __init__(self, url: str, *, model: str = "", key: str = "", seconds: float = SECONDS) -> None:
        self._url = url
        self._model = model
        self._key = key
        self._seconds = seconds

    def rerank(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        """The server's relevance, in the order of the texts; one that it leaves out has 0.0, as has one below 0."""
        if not texts:
            return ()
        given = {"query": query, "documents": list(texts), "top_n": len(texts)}
        reply = self._post({"model": self._model, **given} if self._model else given)
        try:
            found = {int(each["index"]): float(each["relevance_score"]) for each in json.loads(reply)["results"]}
        except (ValueError, KeyError, TypeError, OverflowError):
            raise self._failed("Its answer is not of the /rerank form: check TRACEBOOK_RERANK_URL") from None
        if not found or not found.keys() <= set(range(len(texts))) or not all(score <= 1 for score in found.values()):
            raise self._failed("Its scores fit no texts or lie above 1: take a model that scores from 0 to 1")
        return tuple(max(0.0, found.get(index, 0.0)) for index in range(len(texts)))

    def _post(self, body: dict[str, Any]) -> bytes:
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import HTTPRedirectHandler, Request, build_opener

        class Stay(HTTPRedirectHandler):
            """Goes nowhere else, as the key would go along."""

            def redirect_request(self, *_: object) -> None:
                return None

        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(self._url, json.dumps(body).encode(), headers)
        try:
            with build_opener(Stay).open(request, timeout=self._seconds) as reply:
                return bytes(reply.read(LARGEST))
        except HTTPError as error:
            error.close()
            raise self._failed(_WAYS_OUT.get(error.code, "It cannot answer"), error.code) from None
        except (OSError, HTTPException) as error:
            reason = type(getattr(error, "reason", error)).__name__
            raise self._failed(f"No answer ({reason}): check TRACEBOOK_RERANK_URL") from None

    def _failed(self, why: str, status: int | None = None) -> RerankFailed:
        """Names the address without user, password and query, which may be secret, too."""
        parts = urlsplit(self._url)
        at = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        return RerankFailed(f"The rerank server at {at!r} failed{f' with {status}' if status else ''}. {why}.")
