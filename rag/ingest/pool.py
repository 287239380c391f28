"""Worker processes that read files side by side, each file within its limits."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Event, Timer

from rag.errors import NeedsPassword, reason
from rag.ingest.process import Worker, Workers
from rag.ingest.request import ReadRequest
from rag.ingest.upload import Upload
from rag.ingest.worker import Answer
from rag.types import FileProgress, ParsedDocument

Outcome = FileProgress | ParsedDocument

_STOPPED = "Stopped before it was read. Upload it again when you want it."
_MEMORY = 4 << 10  # megabytes of address space; a file that asks for more fails alone
_POLL = 0.1  # seconds between two looks at whether the user has stopped


class ReaderPool:
    """Reads files in `workers` processes; a file that takes too long or kills its process fails alone."""

    def __init__(self, *, workers: int, seconds: float, megabytes: int, chunk_tokens: int, ocr: bool = False) -> None:
        self._seconds = seconds
        self._megabytes = megabytes
        self._chunk_tokens = chunk_tokens
        self._ocr = ocr
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="reader")
        self._workers = Workers(_MEMORY)
        self._closed = Event()

    def read(self, uploads: Sequence[Upload], *, cancel: Event | None = None) -> Iterator[Outcome]:
        """Progress as it happens, then for each file the document or a `FileProgress` that says why it failed."""
        out: SimpleQueue[Outcome] = SimpleQueue()
        batch = _Batch(out, Event())
        for upload in uploads:
            out.put(FileProgress(upload.file, "waiting", sha256=upload.sha256))
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
        self._workers.close()

    def _read_one(self, upload: Upload, batch: "_Batch") -> None:
        if batch.stopped.is_set() or self._closed.is_set():
            return batch.fail(upload, _STOPPED)
        if len(upload.data) > self._megabytes << 20:
            size = f"{upload.file} has {len(upload.data) / (1 << 20):.0f} MB; at most {self._megabytes} MB are read."
            return batch.fail(upload, f"{size} Split it, or raise the limit.")
        try:
            worker = self._workers.take()
            batch.begin(upload, worker)
            self._converse(worker, upload, batch)
            batch.working.discard(worker)
            self._workers.give_back(worker)
        except Exception as error:  # a thread's error would be lost, and the reader wait for ever
            why = f"{type(error).__name__}: {reason(error)}"
            batch.fail(upload, f"{upload.file} could not be read ({why}). Upload it again.")
        return None

    def _converse(self, worker: Worker, upload: Upload, batch: "_Batch") -> None:
        file = upload.file
        late = Event()

        def expire() -> None:
            late.set()
            worker.end()

        timer = Timer(self._seconds, expire)
        timer.start()
        try:
            for answer in worker.ask(ReadRequest(upload, self._chunk_tokens, self._ocr)):
                batch.out.put(_as_progress(upload, answer))
        except (EOFError, OSError):
            worker.end()  # it may be about to die, and must not be taken for the next file
            if batch.stopped.is_set():
                batch.fail(upload, _STOPPED)
            elif late.is_set():
                batch.fail(upload, f"{file} took longer than {self._seconds:g} seconds. Split it and upload the parts.")
            else:
                batch.fail(
                    upload, f"{file} made the reader crash; the file is damaged. Export it again and upload that."
                )
        finally:
            timer.cancel()


class _Batch:
    """The files of one call: where its answers go, and the workers that are at it."""

    def __init__(self, out: "SimpleQueue[Outcome]", stopped: Event) -> None:
        self.out = out
        self.stopped = stopped
        self.working: set[Worker] = set()

    def begin(self, upload: Upload, worker: Worker) -> None:
        self.working.add(worker)
        self.out.put(FileProgress(upload.file, "reading", sha256=upload.sha256))
        if self.stopped.is_set():
            worker.end()

    def fail(self, upload: Upload, error: str) -> None:
        self.out.put(FileProgress(upload.file, "failed", error=error, sha256=upload.sha256))

    def stop(self) -> None:
        self.stopped.set()
        for worker in tuple(self.working):
            worker.end()


def _as_progress(upload: Upload, answer: Answer) -> FileProgress | ParsedDocument:
    match answer:
        case (int(done), int(total)):
            return FileProgress(upload.file, "reading", done, total, sha256=upload.sha256)
        case NeedsPassword():
            return FileProgress(upload.file, "failed", error=str(answer), sha256=upload.sha256, locked=True)
        case str(error):
            return FileProgress(upload.file, "failed", error=error, sha256=upload.sha256)
    assert isinstance(answer, ParsedDocument)
    return answer
