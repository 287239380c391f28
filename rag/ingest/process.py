"""Processes that do what a file may turn against its reader: each can be ended at any moment, and has its memory."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import cast

from rag.ingest.request import Request
from rag.ingest.worker import Answer, receive, send

_ROOT = Path(__file__).parents[2]


class Worker:
    """One process of `rag.ingest.worker`; for one request at a time."""

    def __init__(self, megabytes: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rag.ingest.worker", str(megabytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))},
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: Request) -> Iterator[Answer]:
        """Page counts, and at last what was asked for or why not; raises `EOFError` or `OSError` where it dies."""
        assert self._process.stdin and self._process.stdout
        send(self._process.stdin, request)
        while True:
            answer = cast(Answer, receive(self._process.stdout))
            yield answer
            if not isinstance(answer, tuple):
                return

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):  # what was still to be written has no reader any more
                    pipe.close()


class Workers:
    """Processes that are started when they are needed and wait for the next request."""

    def __init__(self, megabytes: int) -> None:
        """`megabytes` of address space each may take."""
        self._megabytes = megabytes
        self._all: set[Worker] = set()
        self._idle: list[Worker] = []
        self._lock = Lock()

    def __iter__(self) -> Iterator[Worker]:
        with self._lock:
            return iter(tuple(self._all))

    def take(self) -> Worker:
        with self._lock:
            while self._idle:
                if (worker := self._idle.pop()).alive:
                    return worker
                self._all.discard(worker)
            self._all.add(worker := Worker(self._megabytes))
        return worker

    def give_back(self, worker: Worker) -> None:
        with self._lock:
            if worker.alive and worker in self._all:
                self._idle.append(worker)
            else:
                self._all.discard(worker)

    def close(self) -> None:
        """Ends them all; those that are at work, too."""
        with self._lock:
            workers, self._all, self._idle = self._all, set(), []
        for worker in workers:
            worker.end()
