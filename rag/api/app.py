"""The API as one ASGI application: routes from operations, and what stands before all of them."""

import inspect
import logging
import re
import sqlite3
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
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from rag.api import asking, conversations, documentation, documents, runs, searching, system
from rag.api.door import KEY, Acquainted, Door, origins
from rag.api.limits import BodyLimit
from rag.api.logs import HEADER, Logged
from rag.api.operation import Call, Operation, as_response
from rag.api.problems import NO_LIBRARY, on_database_error, on_flaws, on_http_error, on_tracebook_error, problem
from rag.api.runner import COMPUTING, WAITING, Runner
from rag.api.threads import computed, waited_for
from rag.errors import TracebookError
from rag.reasoning import choose
from rag.settings import Settings
from rag.workspace import opened, shared

_log = logging.getLogger(__name__)
_ROOMS = (asking, searching, documents, runs, conversations, system)


class Beside:
    """Stands before the pages' server: the API's addresses are the API's, whatever signs follow, all others theirs."""

    def __init__(self, app: ASGIApp, api: ASGIApp) -> None:
        self._pages, self._api = app, api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ours = scope["type"] == "http" and re.match(r"/(api|rag)(/|$)", scope["path"])
        await (self._api if ours else self._pages)(scope, receive, send)


@dataclass(frozen=True)
class Api:
    app: Starlette
    runner: Runner
    operations: tuple[Operation, ...]


def make_api(settings: Settings) -> Api:
    """The API over the process's workspace of these settings, which is opened at the first request.

    Raises `BadInput`.
    """
    runner = Runner(at_once=WAITING if choose(settings).endpoint else COMPUTING)
    operations = [operation for room in _ROOMS for operation in room.operations(settings)]
    operations += documentation.operations(tuple(operations))
    by_path: defaultdict[str, dict[str, Operation]] = defaultdict(dict)
    for operation in operations:
        by_path[operation.path][operation.method] = operation
    app = Starlette(
        routes=[Route(path, _endpoint(each, settings, runner), methods=list(each)) for path, each in by_path.items()],
        middleware=[
            Middleware(Logged),
            Middleware(Acquainted, settings),
            *_cors(settings),
            Middleware(Door, settings),
            Middleware(BodyLimit, settings),
        ],
        exception_handlers={
            TracebookError: on_tracebook_error,
            HTTPException: on_http_error,
            ValidationError: on_flaws,
            sqlite3.Error: on_database_error,
        },
    )
    app.router.redirect_slashes = False
    return Api(app, runner, tuple(operations))


def _cors(settings: Settings) -> list[Middleware]:
    others = origins(settings)
    if not others:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=others,
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
        except TracebookError as error:  # of the settings or the folder, which are no caller's
            _log.error("The library cannot be opened: %s", error)
            return operation.shut() if operation.shut else problem(503, NO_LIBRARY)
        call = Call(request, library, runner, given)
        if inspect.iscoroutinefunction(operation.handle):
            return as_response(await operation.handle(call), operation.status)
        return await (waited_for if operation.waits else computed)(operation.answer, call)

    return endpoint
