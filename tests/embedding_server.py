"""An /embeddings server on loopback, in the form of OpenAI and of Azure; each model has a space of its own."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rag.models.endpoint import Endpoint
from rag.models.hashing import HashingEmbedder
from tests.loopback import Handler, listening

DIMENSIONS = {"small": 256, "large": 512}


@dataclass(frozen=True)
class Reply:
    status: int
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)


TOO_MANY = Reply(429, {"error": {"message": "slow down", "type": "rate_limit"}}, {"Retry-After": "0.01"})


def vectors(asked: dict[str, Any]) -> list[list[float]]:
    """Not of length 1, as many a server's are not."""
    return (3 * HashingEmbedder(DIMENSIONS[asked["model"]]).embed(asked["input"])).tolist()  # type: ignore[no-any-return]


def answer(asked: dict[str, Any], rows: list[list[float]] | None = None) -> Reply:
    """What a server says that takes strings only."""
    if not all(isinstance(text, str) and text for text in asked["input"]):
        return Reply(400, {"error": {"message": "'input' field must be a string or an array of strings"}})
    data = [
        {"object": "embedding", "index": index, "embedding": row}
        for index, row in enumerate(vectors(asked) if rows is None else rows)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return Reply(200, {"object": "list", "model": asked["model"], "data": data, "usage": usage})


class Server:
    def __init__(self, address: str) -> None:
        self.address = address
        self.asked: list[dict[str, Any]] = []
        self.answered: list[dict[str, Any]] = []  # those that got vectors
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.reply: Callable[[dict[str, Any]], Reply] = answer

    def endpoint(self, *, azure: bool = False, key: str = "sk-very-secret", retries: int = 2) -> Endpoint:
        if azure:
            return Endpoint(None, key, azure=self.address, api_version="2024-10-21", timeout=10, retries=retries)
        return Endpoint(f"{self.address}/v1", key, timeout=10, retries=retries)

    def settings(self, **others: Any) -> dict[str, Any]:
        """Of a library whose vectors this server makes."""
        asked = {"openai_base_url": f"{self.address}/v1", "openai_api_key": "sk-very-secret", "timeout": 10}
        return {"embeddings": "endpoint", **asked, **others}

    def embedded(self, model: str) -> list[str]:
        """The texts that got a vector of this model, in order."""
        return [text for asked in self.answered if asked["model"] == model for text in asked["input"]]


@contextmanager
def serving() -> Iterator[Server]:
    class Embedding(Handler):
        def asked(self, body: dict[str, Any]) -> None:
            server.asked.append(body)
            server.paths.append(self.path)
            server.headers.append({name.lower(): value for name, value in self.headers.items()})
            reply = server.reply(body)
            if reply.status == 200:
                server.answered.append(body)
            self.answer(reply.status, json.dumps(reply.body).encode(), reply.headers)

    with listening(Embedding) as address:
        server = Server(address)
        yield server
