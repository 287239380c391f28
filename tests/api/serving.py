"""The real process, over a library of its own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]


class Server(httpx.Client):
    """A client on the running server; `log` is what it wrote to stderr, `data` its library's folder."""

    data: Path
    log: Path
    process: subprocess.Popen

    def upload(self, *files, **more):
        """Each file is (name, bytes)."""
        return self.post("/api/documents", files=[("files", file) for file in files], **more)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def environment(data: Path, **settings: str) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("TRACEBOOK_", "OPENAI_", "AZURE_"))
    }
    usual = {"TRACEBOOK_EMBEDDINGS": "off", "TRACEBOOK_REASONER": "rules", "TRACEBOOK_API_RATE": "1000000"}
    return kept | usual | {"TRACEBOOK_DATA": str(data)} | settings


@contextmanager
def serving(folder: Path, *, address: str = "127.0.0.1", headers=None, **settings: str) -> Iterator[Server]:
    """As `make run` serves it; `settings` are environment variables."""
    port, data, log = free_port(), folder / "library", folder / "stderr.log"
    command = [sys.executable, "-m", "streamlit", "run", "server.py"]
    command += ["--server.port", str(port), "--server.address", address]
    with log.open("w") as stderr:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment(data, **settings), stdout=subprocess.DEVNULL, stderr=stderr
        )
    try:
        with Server(base_url=f"http://127.0.0.1:{port}", timeout=60, headers=headers) as server:
            server.data, server.log, server.process = data, log, process
            _wait(server)
            yield server
    finally:
        process.terminate()
        process.wait(20)


def _wait(server: Server) -> None:
    for _ in range(300):
        if server.process.poll() is not None:
            raise RuntimeError(server.log.read_text("utf-8"))
        try:
            server.get("/api/system/health")
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise TimeoutError("The server does not answer.")
