"""A run as server-sent events."""

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing
from typing import Any

from rag.api.problems import Problem, made
from rag.result import Part, parts_of
from rag.types import AnswerDelta, Event, Noted, RunFinished, RunStarted, StepFinished, StepStarted, Trace
from rag.wire import to_json

_log = logging.getLogger(__name__)
SHAPES: Mapping[str, Any] = {  # what each event brings; None: the result, which depends on the operation
    "started": RunStarted,
    "step_started": StepStarted,
    "step": Part,
    "note": Noted,
    "token": AnswerDelta,
    "error": Problem,
    "done": None,
}
MEDIA = "text/event-stream"
HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
NAMES = (
    "Server-sent events: `started` once; `step_started` when a step begins; `step` for each part of it once it ended "
    "(reasoning, tool call, tool result); `note` when a model's server has to be waited for; `token` for each piece of "
    "the answer, where `anew` says that what came before is void; `error` where the run failed; at last `done` with "
    "the result. After 15 s of silence a comment line."
)


async def as_sse(
    events: AsyncGenerator[Event | None, None], titles: Mapping[str, str], result: Callable[[Trace], Any]
) -> AsyncIterator[str]:
    """The lines of each event; `result` makes what `done` brings."""
    async with aclosing(events) as following:
        try:
            async for event in following:
                for line in _lines(event, titles, result):
                    yield line
        except Exception:
            _log.exception("A stream broke.")
            yield _event("error", made(500, "The run broke. Ask again; if it breaks again, report this request id."))


def _lines(event: Event | None, titles: Mapping[str, str], result: Callable[[Trace], Any]) -> Iterator[str]:
    match event:
        case None:
            yield ": still here\n\n"
        case RunStarted():
            yield _event("started", event)
        case StepStarted():
            yield _event("step_started", event)
        case StepFinished(step):
            yield from (_event("step", part) for part in parts_of(step, titles))
        case Noted():
            yield _event("note", event)
        case AnswerDelta():
            yield _event("token", event)
        case RunFinished(trace):
            if trace.status == "error":
                yield _event("error", made(500, trace.error or "The run failed. Ask again."))
            yield _event("done", result(trace))


def _event(name: str, value: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(to_json(value), ensure_ascii=False)}\n\n"
