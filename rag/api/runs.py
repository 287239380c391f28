"""Past runs: listed, looked at, exported; and those that go on, cancelled."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from rag.api.answers import Cancelling, Runs
from rag.api.conversations import lists_of
from rag.api.operation import Call, Operation
from rag.api.requests import RunForm, RunsAsked
from rag.result import Result, result_of
from rag.settings import Settings
from rag.trace import to_markdown
from rag.types import Trace

_ONE = "/api/runs/{run}"


def operations(_: Settings) -> tuple[Operation, ...]:
    return (
        Operation("GET", "/api/runs", every, "Past runs, newest first.", RunsAsked, Runs),
        Operation("GET", _ONE, one, "One run with all its steps.", answers=Result, errors=(404,)),
        Operation(
            "GET",
            f"{_ONE}/export",
            export,
            "A run as a file: its stored trace, or Markdown.",
            RunForm,
            Trace,
            media=("text/markdown",),
            errors=(404,),
        ),
        Operation(
            "POST",
            f"{_ONE}/cancel",
            cancel,
            "Ends a run of this API that goes on; at most its call in flight still ends.",
            answers=Cancelling,
            status=202,
            errors=(404, 409),
        ),
    )


def every(call: Call) -> Runs:
    return Runs(call.library.trace_heads(limit=call.given.limit, owner=lists_of(call)))


def one(call: Call) -> Result:
    return result_of(_trace(call))


def export(call: Call) -> Trace | Response:
    trace = _trace(call)
    if call.given.form == "json":
        return trace
    return Response(to_markdown(trace), media_type="text/markdown")


def cancel(call: Call) -> Cancelling:
    run_id = call.path("run")
    if call.runner.cancel(run_id):
        return Cancelling(run_id, "cancelling")
    _trace(call)
    raise HTTPException(409, f"The run {run_id!r} has ended. There is nothing to cancel.")


def _trace(call: Call) -> Trace:
    if trace := call.library.trace(call.path("run")):
        return trace
    raise HTTPException(404, f"There is no run {call.path('run')!r}, or it has not ended yet. /api/runs lists them.")
