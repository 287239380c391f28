"""A server of the /rerank form on loopback; it scores by the words that query and text share."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rag.models.overlap import OverlapReranker
from tests.loopback import Handler, listening

Reply = tuple[int, bytes]
FORMS: dict[str, Callable[[list[dict[str, Any]], dict[str, Any]], dict[str, Any]]] = {
    "cohere": lambda results, _: {"id": "7f", "results": results, "meta": {"api_version": {"version": "2"}}},
    "jina": lambda results, _: {"model": "reranker", "usage": {"total_tokens": 9}, "results": results},
    "vllm": lambda results, asked: {
        "id": "rerank-1",
        "model": "reranker",
        "usage": {"total_tokens": 9},
        "results": [each | {"document": {"text": asked["documents"][each["index"]]}} for each in results],
    },
}


def answer(form: str, asked: dict[str, Any]) -> Reply:
    """What a server of this form says: best first."""
    scores = OverlapReranker().rerank(asked["query"], asked["documents"])
    results = [{"index": index, "relevance_score": score} for index, score in enumerate(scores)]
    best = sorted(results, key=lambda each: -each["relevance_score"])[: asked["top_n"]]
    return 200, json.dumps(FORMS[form](best, asked)).encode()


class Server:
    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.reply: Callable[[dict[str, Any]], Reply] = lambda asked: answer("cohere", asked)
        self.location = ""  # where it sends those who ask, with a status of 3xx


@contextmanager
def serving() -> Iterator[Server]:
    class Rerank(Handler):
        def asked(self, body: dict[str, Any]) -> None:
            server.asked.append(body)
            server.headers.append(dict(self.headers))
            status, said = server.reply(body)
            self.answer(status, said, {"Location": server.location} if server.location else {})

    with listening(Rerank) as address:
        server = Server(f"{address}/v1/rerank")
        yield server
