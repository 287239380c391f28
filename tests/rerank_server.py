"""A server of the /rerank form on loopback; it scores by the words that query and text share."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from rag.models.overlap import OverlapReranker

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
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.asked.append(asked)
            server.headers.append(dict(self.headers))
            status, body = server.reply(asked)
            self.send_response(status)
            if server.location:
                self.send_header("Location", server.location)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Those who ask may have gone."""

    with Quiet(("127.0.0.1", 0), Handler) as http:
        server = Server(f"http://127.0.0.1:{http.server_port}/v1/rerank")
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
