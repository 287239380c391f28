"""The API as one ASGI application: routes from operations, and what stands before all of them."""

import inspect
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from rag.api import asking, conversations, documentation, documents, runs, searching, system
from rag.api.door import KEY, Door, listed
from rag.api.limits import BodyLimit
from rag.api.logs import HEADER, Logged
from rag.api.operation import Call, Operation, as_response
from rag.api.problems import on_flaws, on_http_error, on_tracebook_error
from rag.api.runner import COMPUTING, WAITING, Runner
from rag.api.threads import computed, waited_for
from rag.errors import BadLibrary, TracebookError
from rag.reasoning import choose
from rag.settings import Settings
from rag.workspace import opened, shared

_log = logging.getLogger(__name__)
_ROOMS = (asking, searching, documents, runs, conversations, system)


class Below(BaseRoute):
    """All addresses that begin so, whatever signs follow; the application sees them whole."""

    def __init__(self, path: str, app: Starlette) -> None:
        self.path, self._app = path, app

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        ours = scope["type"] == "http" and scope["path"].startswith(self.path)
        return (Match.FULL if ours else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


@dataclass(frozen=True)
class Api:
    app: Starlette
    routes: tuple[BaseRoute, ...]  # for the server that also serves the pages
    runner: Runner
    operations: tuple[Operation, ...]


def make_api(settings: Settings) -> Api:
    """The API over the process's workspace of these settings, which is opened at the first request."""
    runner = Runner(at_once=WAITING if choose(settings).endpoint else COMPUTING)
    operations = [operation for room in _ROOMS for operation in room.operations(settings)]
    operations += documentation.operations(tuple(operations))
    by_path: defaultdict[str, dict[str, Operation]] = defaultdict(dict)
    for operation in operations:
        by_path[operation.path][operation.method] = operation
    app = Starlette(
        routes=[Route(path, _endpoint(each, settings, runner), methods=list(each)) for path, each in by_path.items()],
        middleware=[Middleware(Logged), *_cors(settings), Middleware(Door, settings), Middleware(BodyLimit, settings)],
        exception_handlers={
            TracebookError: on_tracebook_error,
            HTTPException: on_http_error,
            ValidationError: on_flaws,
        },
    )
    app.router.redirect_slashes = False
    return Api(app, (Below("/api/", app), Below("/rag/", app)), runner, tuple(operations))


def _cors(settings: Settings) -> list[Middleware]:
    origins = listed(settings.api_origins)
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=[KEY, HEADER, "Content-Type"],
            expose_headers=[HEADER, "Retry-After"],
        )
    ]


def _endpoint(
    operations: Mapping[str, Operation], settings: Settings, runner: Runner
) -> Callable[[Request], Awaitable[Response]]:
    """Checks what came, then hands it on: to a thread where the handler does not wait by itself."""

    async def endpoint(request: Request) -> Response:
        operation = operations.get(request.method) or operations["GET"]  # of HEAD
        given = await operation.read(request)
        try:
            if (library := opened(settings)) is None:
                library = await waited_for(shared, settings)
        except BadLibrary as error:
            if not operation.shut:
                raise
            _log.error("The library cannot be opened: %s", error)
            return operation.shut()
        call = Call(request, library, runner, given)
        if inspect.iscoroutinefunction(operation.handle):
            return as_response(await operation.handle(call), operation.status)
        return await (waited_for if operation.waits else computed)(operation.answer, call)

    return endpoint
