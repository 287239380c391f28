"""Runs on their way to whoever listens: each leaves a trace, also when it breaks or is left half way."""

import logging
import sqlite3
from collections.abc import Iterator
from dataclasses import replace

from rag.index.schema import way_out
from rag.index.store import Store
from rag.ports import TraceStore
from rag.recorder import Recorder
from rag.settings import Settings
from rag.trace import quoted, without_quotes
from rag.types import Event, RunFinished, Trace

_log = logging.getLogger(__name__)


class RunKeeper:
    """Passes events on and keeps what they come to."""

    def __init__(self, store: Store, traces: TraceStore, settings: Settings) -> None:
        self._store, self._traces = store, traces
        self._prices = settings.price_in, settings.price_out

    def kept(self, events: Iterator[Event], recorder: Recorder, *, owner: str | None) -> Iterator[Event]:
        """The events; the trace is stored before the last of them is passed on."""

        def passed(event: Event) -> Event:
            if isinstance(event, RunFinished):
                event = RunFinished(replace(event.trace, cost=self._cost(event.trace)))
            recorder.see(event)
            if isinstance(event, RunFinished) and (why := self._keep(event.trace, owner)):
                answer = event.trace.answer
                return RunFinished(replace(event.trace, answer=replace(answer, notes=(*answer.notes, why))))
            return event

        try:
            for event in events:
                yield passed(event)
        except Exception as error:  # whatever broke: the run ends as one that can be looked at
            _log.exception("A run broke.")
            yield passed(RunFinished(recorder.trace(error)))
        finally:
            if not recorder.finished:
                passed(RunFinished(recorder.trace()))

    def _cost(self, trace: Trace) -> float | None:
        if not trace.usage.tokens or not any(self._prices):
            return None
        price_in, price_out = self._prices
        return (trace.usage.prompt_tokens * price_in + trace.usage.completion_tokens * price_out) / 1_000_000

    def _keep(self, trace: Trace, owner: str | None) -> str:
        """Without its quotes where a report was removed meanwhile; why it could not be kept, or ""."""
        try:
            with self._store.connection() as connection:
                connection.execute("BEGIN IMMEDIATE")  # so that no report goes between the look and the save
                gone = quoted(trace) - {span.document_id for span in self._store.spans()}
                self._traces.save(without_quotes(trace) if gone else trace, owner=owner)
        except sqlite3.Error as error:
            why = f"This run was not kept ({error}). {way_out(error)}"
            _log.warning(why)
            return why
        return ""
