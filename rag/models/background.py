"""An event loop on a thread of its own: what waits for the network there can be broken off from here at once."""

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from time import monotonic
from typing import Any, TypeVar

from rag.errors import OutOfTime, Stopped

T = TypeVar("T")
LOOK = 0.05  # seconds between two looks at whether somebody stopped it


class Background:
    """Runs async work of any thread; its loop starts with the first of it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def each(self, items: Callable[[], AsyncIterator[T]], *, cancel: threading.Event, seconds: float) -> Iterator[T]:
        """The items as they come. Whatever ends it before they do also ends the async iterator, where it stands.

        Raises `Stopped` where `cancel` is set, and `OutOfTime` after so many seconds.
        """
        came: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

        async def pump() -> None:
            try:
                async for item in items():
                    came.put(("item", item))
                came.put(("end", None))
            except asyncio.CancelledError:  # closed under it, or nobody listens any more
                came.put(("error", Stopped()))
                raise
            except Exception as error:
                came.put(("error", error))

        task, until = asyncio.run_coroutine_threadsafe(pump(), self._started()), monotonic() + seconds
        try:
            while True:
                if cancel.is_set():
                    raise Stopped()
                if monotonic() > until:
                    raise OutOfTime()
                try:
                    kind, value = came.get(timeout=LOOK)
                except queue.Empty:
                    continue
                if kind == "item":
                    yield value
                elif kind == "error":
                    raise value
                else:
                    return
        finally:
            task.cancel()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work comes to."""
        return asyncio.run_coroutine_threadsafe(work, self._started()).result()

    def close(self) -> None:
        """Ends what still runs, and the thread."""
        with self._lock:
            if not self._loop or not self._thread:
                return
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop = self._thread = None

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_serve, args=(self._loop,), name="models", daemon=True)
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()
