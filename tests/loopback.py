"""What the servers of the tests share: an address on loopback, JSON in, bytes out, and no noise."""

import json
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        self.asked(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def asked(self, body: Any) -> None:
        """Answers a request."""
        raise NotImplementedError

    def answer(self, status: int, body: bytes, headers: Mapping[str, object]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": len(body), **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, *where: Any) -> None:
        """Those who ask may have gone."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*where)


@contextmanager
def listening(handler: type[Handler]) -> Iterator[str]:
    """The server's address, for as long as the block lasts."""
    with _Quiet(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}"
        finally:
            http.shutdown()
            thread.join()
