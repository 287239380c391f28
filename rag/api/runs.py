"""Past runs: listed, looked at, exported; and those that go on, cancelled."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from rag.api.answers import Cancelling, Runs
from rag.api.conversations import WHOSE, lists_of
from rag.api.operation import Call, Operation, as_file, as_response
from rag.api.requests import RunForm, RunsAsked
from rag.result import Result, result_of
from rag.settings import Settings
from rag.trace import to_markdown
from rag.types import Trace

_ONE = "/api/runs/{run}"


def operations(_: Settings) -> tuple[Operation, ...]:
    return (
        Operation("GET", "/api/runs", every, "Past runs, newest first.", RunsAsked, Runs, description=WHOSE),
        Operation("GET", _ONE, one, "One run with all its steps.", answers=Result, errors=(404, 409)),
        Operation(
            "GET",
            f"{_ONE}/export",
            export,
            "A run as a file: its stored trace, or Markdown.",
            RunForm,
            Trace,
            media=("text/markdown",),
            errors=(404, 409),
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


def export(call: Call) -> Response:
    trace = _trace(call)
    if call.given.form == "json":
        return as_file(as_response(trace, 200), "run.json")
    return as_file(Response(to_markdown(trace), media_type="text/markdown"), "run.md")


def cancel(call: Call) -> Cancelling:
    run_id = call.path("run")
    if call.runner.cancel(run_id):
        return Cancelling(run_id, "cancelling")
    _trace(call)
    raise HTTPException(409, f"The run {run_id!r} has ended. There is nothing to cancel.")


def _trace(call: Call) -> Trace:
    run_id = call.path("run")
    if trace := call.library.trace(run_id):
        return trace
    if call.runner.goes_on(run_id):
        raise HTTPException(409, f"The run {run_id!r} goes on. Follow its stream, or ask for it once it has ended.")
    raise HTTPException(404, f"There is no run {run_id!r}. /api/runs lists those that there are.")
