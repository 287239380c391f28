"""Runs in threads of their own, followed from the event loop; who stops following cancels."""

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context

from rag.api.threads import crowded
from rag.types import Event, RunStarted

Tell = Callable[[Event | BaseException | None], None]

WAITING = 8  # runs at once that mostly wait for a model; more wait for their turn
COMPUTING = 1  # runs at once by rules, which take the processor: side by side none would end sooner
_REST = 2.0  # times as long as it computed a run rests, while others wait for theirs
SILENCE = 15.0  # seconds after which a follower is told that nothing happened


class Runner:
    def __init__(self, *, at_once: int = WAITING, silence: float = SILENCE) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="run")
        self._silence = silence
        self._cancels: dict[str, threading.Event] = {}  # by run id
        self._open: set[threading.Event] = set()  # of all that have not ended, those that wait for their turn too

    @property
    def running(self) -> int:
        """Runs that go on, or wait for their turn."""
        return len(self._open)

    def goes_on(self, run_id: str) -> bool:
        return run_id in self._cancels

    def cancel(self, run_id: str) -> bool:
        """Whether the run goes on; at most its call in flight still ends."""
        cancel = self._cancels.get(run_id)
        if cancel:
            cancel.set()
        return cancel is not None

    def stop(self) -> None:
        """Cancels what goes on."""
        for cancel in tuple(self._open):
            cancel.set()

    def close(self) -> None:
        """Cancels what goes on and waits for its end, so that every run has its trace."""
        self.stop()
        self._threads.shutdown()

    async def follow(self, events: Iterator[Event], cancel: threading.Event) -> AsyncGenerator[Event | None, None]:
        """The events as they happen, None after each silence. `events` end soon once `cancel` is set."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Event | BaseException | None] = asyncio.Queue()

        def tell(item: Event | BaseException | None) -> None:
            with suppress(RuntimeError):  # the loop is gone, and with it whoever listened
                loop.call_soon_threadsafe(queue.put_nowait, item)

        self._open.add(cancel)
        self._threads.submit(copy_context().run, self._work, events, cancel, tell)
        try:
            while True:
                try:
                    item = await asyncio.wait_for(queue.get(), self._silence)
                except TimeoutError:
                    yield None
                    continue
                if item is None:
                    return
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            cancel.set()  # and the run leaves its trace, also where its turn has not come yet

    def _work(self, events: Iterator[Event], cancel: threading.Event, tell: Tell) -> None:
        run_id = ""
        try:
            worked = time.thread_time()
            for event in events:
                if isinstance(event, RunStarted):
                    run_id = event.run_id
                    self._cancels[run_id] = cancel
                tell(event)
                if crowded():
                    cancel.wait(_REST * (time.thread_time() - worked))
                worked = time.thread_time()
        except Exception as error:
            tell(error)
        finally:
            self._cancels.pop(run_id, None)
            self._open.discard(cancel)
            tell(None)
