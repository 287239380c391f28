"""Worker processes that read files side by side, each file within its limits."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Timer
from typing import cast

from rag.errors import reason
from rag.ingest.upload import Upload
from rag.ingest.worker import Answer, receive, send
from rag.types import FileProgress, ParsedDocument

Outcome = FileProgress | ParsedDocument

_ROOT = Path(__file__).parents[2]
_STOPPED = "Stopped before it was read. Upload it again when you want it."
_POLL = 0.1  # seconds between two looks at whether the user has stopped


class ReaderPool:
    """Reads files in `workers` processes; a file that takes too long or kills its process fails alone."""

    def __init__(self, *, workers: int, seconds: float, megabytes: int, chunk_tokens: int) -> None:
        self._seconds = seconds
        self._megabytes = megabytes
        self._chunk_tokens = chunk_tokens
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="reader")
        self._workers: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._lock = Lock()
        self._closed = Event()

    def read(self, uploads: Sequence[Upload], *, cancel: Event | None = None) -> Iterator[Outcome]:
        """Progress as it happens, then for each file the document or a `FileProgress` that says why it failed."""
        out: SimpleQueue[Outcome] = SimpleQueue()
        batch = _Batch(out, Event())
        for upload in uploads:
            out.put(FileProgress(upload.file, "waiting"))
        for upload in uploads:
            self._threads.submit(self._read_one, upload, batch)
        open_files = len(uploads)
        try:
            while open_files:
                if self._closed.is_set() or (cancel and cancel.is_set()):
                    batch.stop()
                try:
                    item = out.get(timeout=_POLL)
                except Empty:
                    continue
                open_files -= isinstance(item, ParsedDocument) or item.stage == "failed"
                yield item
        finally:
            if open_files:
                batch.stop()

    def close(self) -> None:
        """Ends the processes; files that are being read fail."""
        self._closed.set()
        self._threads.shutdown(wait=False)
        with self._lock:
            workers, self._workers, self._idle = self._workers, set(), []
        for worker in workers:
            worker.end()

    def _read_one(self, upload: Upload, batch: "_Batch") -> None:
        file, data = upload
        if batch.stopped.is_set() or self._closed.is_set():
            return batch.fail(file, _STOPPED)
        if len(data) > self._megabytes << 20:
            size = f"{file} has {len(data) / (1 << 20):.0f} MB; at most {self._megabytes} MB are read."
            return batch.fail(file, f"{size} Split it, or raise the limit.")
        try:
            worker = self._take()
            batch.begin(file, worker)
            self._converse(worker, upload, batch)
            batch.working.discard(worker)
            self._give_back(worker)
        except Exception as error:  # a thread's error would be lost, and the reader wait for ever
            batch.fail(file, f"{file} could not be read ({type(error).__name__}: {reason(error)}). Upload it again.")
        return None

    def _converse(self, worker: "_Worker", upload: Upload, batch: "_Batch") -> None:
        file = upload.file
        late = Event()

        def expire() -> None:
            late.set()
            worker.end()

        timer = Timer(self._seconds, expire)
        timer.start()
        try:
            for answer in worker.read(upload, self._chunk_tokens):
                batch.out.put(_as_progress(file, answer))
        except (EOFError, OSError):
            if batch.stopped.is_set():
                batch.fail(file, _STOPPED)
            elif late.is_set():
                batch.fail(file, f"{file} took longer than {self._seconds:g} seconds. Split it and upload the parts.")
            else:
                batch.fail(file, f"{file} made the reader crash; the file is damaged. Export it again and upload that.")
        finally:
            timer.cancel()

    def _take(self) -> "_Worker":
        with self._lock:
            while self._idle:
                if (worker := self._idle.pop()).alive:
                    return worker
            self._workers.add(worker := _Worker())
        return worker

    def _give_back(self, worker: "_Worker") -> None:
        with self._lock:
            if worker.alive:
                self._idle.append(worker)
            else:
                self._workers.discard(worker)


class _Batch:
    """The files of one call: where its answers go, and the workers that are at it."""

    def __init__(self, out: "SimpleQueue[Outcome]", stopped: Event) -> None:
        self.out = out
        self.stopped = stopped
        self.working: set[_Worker] = set()

    def begin(self, file: str, worker: "_Worker") -> None:
        self.working.add(worker)
        self.out.put(FileProgress(file, "reading"))
        if self.stopped.is_set():
            worker.end()

    def fail(self, file: str, error: str) -> None:
        self.out.put(FileProgress(file, "failed", error=error))

    def stop(self) -> None:
        self.stopped.set()
        for worker in tuple(self.working):
            worker.end()


class _Worker:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rag.ingest.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))},
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def read(self, upload: Upload, chunk_tokens: int) -> Iterator[Answer]:
        """Page counts, and at last the document or the reason; raises `EOFError` or `OSError` where it dies."""
        assert self._process.stdin and self._process.stdout
        send(self._process.stdin, (upload.file, upload.data, chunk_tokens))
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


def _as_progress(file: str, answer: Answer) -> FileProgress | ParsedDocument:
    match answer:
        case (int(done), int(total)):
            return FileProgress(file, "reading", done, total)
        case str(reason):
            return FileProgress(file, "failed", error=reason)
    return answer
