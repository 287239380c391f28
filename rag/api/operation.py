"""One operation of the API: from its line come both the route and its entry in the OpenAPI document."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from rag.wire import to_json
from rag.workspace import Workspace

if TYPE_CHECKING:
    from rag.api.runner import Runner


@dataclass(frozen=True)
class Call:
    """One request once checked: what a handler works on."""

    request: Request
    library: Workspace
    runner: "Runner"
    given: Any  # the checked body or query, of the operation's `takes`

    def path(self, name: str) -> str:
        """A part of the address."""
        return str(self.request.path_params[name])


Handler = Callable[[Call], Any]  # a dataclass, None or a Response; a coroutine of one where it has to wait


@dataclass(frozen=True)
class Operation:
    method: str
    path: str  # as Starlette writes it, parts in braces
    handle: Handler
    summary: str  # a sentence
    takes: type[BaseModel] | None = None  # the JSON body of a POST, else the query
    answers: Any = None  # the dataclass of its JSON; None: no body, or `media` alone
    streams: Any = None  # the dataclass that the last event of a stream brings
    media: tuple[str, ...] = ()  # further media types that it answers with
    status: int = 200
    errors: tuple[int, ...] = ()  # statuses of problems, besides those that any request may meet
    waits: bool = False  # for something else than the processor: what it writes to, draws with or asks
    files: int = 0  # most files of a form that it takes
    description: str = ""  # more than a sentence, in Markdown
    shut: Callable[[], Response] | None = None  # what it answers where the library cannot be opened; None: a problem

    @property
    def in_body(self) -> bool:
        return self.takes is not None and self.method == "POST"

    async def read(self, request: Request) -> BaseModel | None:
        """The checked body or query; raises pydantic's `ValidationError`."""
        if not self.takes:
            return None
        if self.in_body:
            return self.takes.model_validate_json(await request.body() or b"{}", strict=True)
        lists = {name for name, field in self.takes.model_fields.items() if field.default == ()}
        query = request.query_params
        return self.takes.model_validate({key: query.getlist(key) if key in lists else query[key] for key in query})

    def answer(self, call: Call) -> Response:
        """Of a handler that does not wait."""
        return as_response(self.handle(call), self.status)


def as_file(response: Response, name: str) -> Response:
    """For a browser to save under this name, which is one of ours."""
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def as_response(value: Any, status: int) -> Response:
    if isinstance(value, Response):
        return value
    if value is None:
        return Response(status_code=status)
    return Response(json.dumps(to_json(value), ensure_ascii=False).encode(), status, media_type="application/json")
