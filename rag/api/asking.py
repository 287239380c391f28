"""Questions: by the agent or in one pass, answered whole or as a stream."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import anyio
from starlette.responses import Response, StreamingResponse

from rag.api import events as sse
from rag.api.answers import ChatResult
from rag.api.conversations import OWNER, conversation, in_conversation
from rag.api.operation import Call, Operation
from rag.api.requests import AgentAsked, Asked
from rag.api.threads import computed
from rag.notebook import new_cell
from rag.result import Result, ranked, result_of
from rag.settings import Settings
from rag.types import Event, Mode, RunFinished, Trace


@dataclass(frozen=True)
class Begun:
    """A run that was found in order and waits to be followed."""

    events: Iterator[Event]
    cancel: threading.Event
    titles: Mapping[str, str]  # the documents' by id


def operations(_: Settings) -> tuple[Operation, ...]:
    errors, streams = (404, 409, 503), (sse.MEDIA,)
    agent, chat = "The agent plans, searches and answers", "One search and one pass"
    return (
        Operation("POST", "/api/agent/query", _query, f"{agent}.", AgentAsked, Result, errors=errors),
        Operation(
            "POST",
            "/api/agent/stream",
            _stream,
            f"{agent}; its steps and its answer as they come.",
            AgentAsked,
            description=sse.NAMES,
            streams=Result,
            media=streams,
            errors=errors,
        ),
        Operation(
            "POST", "/api/chat", _chat, f"{chat}, with sources and what it left out.", Asked, ChatResult, errors=errors
        ),
        Operation(
            "POST",
            "/api/chat/stream",
            _chat_stream,
            f"{chat}, as it comes.",
            Asked,
            description=sse.NAMES,
            streams=ChatResult,
            media=streams,
            errors=errors,
        ),
    )


async def _query(call: Call) -> Any:
    return await _whole(call, "agent", result_of)


async def _chat(call: Call) -> Any:
    return await _whole(call, "single_shot", chat_result_of)


async def _stream(call: Call) -> Response:
    return await _streamed(call, "agent", result_of)


async def _chat_stream(call: Call) -> Response:
    return await _streamed(call, "single_shot", chat_result_of)


async def _whole(call: Call, mode: Mode, result: Callable[[Trace], Any]) -> Any:
    """The run's result; a client that goes away cancels the run."""
    begun = await computed(_begin, call, mode)
    answer: Any = Response(status_code=499)  # nobody is there to read it
    async with anyio.create_task_group() as tasks, aclosing(call.runner.follow(begun.events, begun.cancel)) as events:
        tasks.start_soon(_leave_with_client, call, tasks.cancel_scope)
        async for event in events:
            if isinstance(event, RunFinished):
                answer = result(event.trace)
        tasks.cancel_scope.cancel()
    return answer


async def _leave_with_client(call: Call, scope: anyio.CancelScope) -> None:
    while (await call.request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


async def _streamed(call: Call, mode: Mode, result: Callable[[Trace], Any]) -> Response:
    begun = await computed(_begin, call, mode)
    lines = sse.as_sse(call.runner.follow(begun.events, begun.cancel), begun.titles, result)
    return StreamingResponse(lines, media_type=sse.MEDIA, headers=sse.HEADERS)


def _begin(call: Call, mode: Mode) -> Begun:
    """Everything is checked by now, or raised."""
    asked: Asked = call.given
    library, cancel = call.library, threading.Event()
    notebook = conversation(library, asked.conversation_id) if asked.conversation_id else None
    events = library.ask(
        asked.query,
        documents=asked.documents or None,
        mode=mode,
        history=library.history([cell.run_id for cell in notebook.cells if cell.run_id]) if notebook else (),
        top_k=asked.top_k,
        iteration_limit=asked.max_iterations if isinstance(asked, AgentAsked) else None,
        cancel=cancel,
        owner=OWNER,
    )
    if notebook:
        cell = new_cell(asked.query, mode=mode, documents=library.resolve(asked.documents or None))
        events = in_conversation(library, notebook, cell, events)
    return Begun(events, cancel, {document.id: document.title for document in library.documents()})


def chat_result_of(trace: Trace) -> ChatResult:
    result = result_of(trace)
    return ChatResult(
        run_id=result.run_id,
        question=result.question,
        status=result.status,
        answer=result.answer,
        evidence=result.evidence,
        sources=tuple(ranked(hit, trace.titles.get(hit.passage.document_id, "")) for hit in trace.retrieved),
        citations=result.citations,
        coverage=result.coverage,
        untouched=tuple(row for row in result.coverage if not row.offered),
        not_in_library=result.not_in_library,
        seconds=result.seconds,
        error=result.error,
    )
