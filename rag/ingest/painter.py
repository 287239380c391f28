"""Page images, drawn in processes of their own: a page that cannot be drawn costs nobody else anything."""

from collections import OrderedDict
from pathlib import Path
from threading import BoundedSemaphore, Lock, Timer

from rag.errors import BadFile
from rag.ingest.process import Workers
from rag.ingest.request import DrawRequest

_MEMORY = 1 << 10  # megabytes of address space that drawing a page may take
_AT_ONCE = 2
_KEPT = 64 << 20  # bytes of images kept for the next look


class Painter:
    """For any thread; each page has so many seconds."""

    def __init__(self, *, seconds: float = 15, kept: int = _KEPT) -> None:
        self._seconds = seconds
        self._workers = Workers(_MEMORY)
        self._turns = BoundedSemaphore(_AT_ONCE)
        self._images: OrderedDict[DrawRequest, bytes] = OrderedDict()  # the least wanted first
        self._most = kept
        self._lock = Lock()

    def draw(self, request: DrawRequest) -> bytes:
        """PNG of the page; raises `BadFile` where it cannot be drawn, in plain words."""
        with self._lock:
            if image := self._images.get(request):
                self._images.move_to_end(request)
                return image
        with self._turns:
            image = self._drawn(request)
        with self._lock:
            self._images[request] = image
            while sum(map(len, self._images.values())) > self._most:
                self._images.popitem(last=False)
        return image

    def forget(self, file: Path) -> None:
        """Drops the images of a file's pages."""
        with self._lock:
            for request in [each for each in self._images if each.file == file]:
                del self._images[request]

    def close(self) -> None:
        self._workers.close()

    def _drawn(self, request: DrawRequest) -> bytes:
        worker = self._workers.take()
        timer = Timer(self._seconds, worker.end)
        timer.start()
        try:
            for answer in worker.ask(request):
                if isinstance(answer, bytes):
                    return answer
        except (EOFError, OSError):  # it took too long, or too much memory
            worker.end()
        finally:
            timer.cancel()
            self._workers.give_back(worker)
        raise BadFile(f"Page {request.page.number} of this file cannot be drawn. Its text is there all the same.")
