"""Errors as `application/problem+json` (RFC 9457), each with what to do and never with what is inside the server."""

import logging
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rag.api.logs import REQUEST
from rag.errors import (
    AgentDisabled,
    AmbiguousDocument,
    BadFile,
    BadInput,
    BadLibrary,
    EmbeddingFailed,
    LostOriginal,
    TracebookError,
    UnknownDocument,
)
from rag.index.schema import is_busy
from rag.wire import to_json

MEDIA = "application/problem+json"
_LOG_SAYS = "The server's log says why, under this request id."
NO_LIBRARY = f"The library cannot be used. {_LOG_SAYS}"

_STATUS: Mapping[type[TracebookError], int] = {  # the first that fits
    UnknownDocument: 404,
    AmbiguousDocument: 409,
    BadInput: 422,
    LostOriginal: 503,
    BadFile: 422,
    AgentDisabled: 503,
    EmbeddingFailed: 503,
}
_HINTS = {
    400: "The request cannot be read. /api/openapi.json says what it takes.",
    404: "There is nothing at this address. /api/openapi.json lists those that there are.",
    405: "This address takes another method; the header Allow names it.",
}
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Flaw:
    """What is wrong with one value of a request."""

    at: str  # where it stands: "topK", "documents.0"
    message: str


@dataclass(frozen=True)
class Problem:
    """Why a request was not served, and what to do."""

    type: str  # "about:blank": the status says it all
    title: str  # of the status
    status: int
    detail: str  # what is wrong and what to do
    request_id: str | None  # names the request in the server's log
    errors: tuple[Flaw, ...] = ()


def problem(
    status: int, detail: str, *, errors: Sequence[Flaw] = (), headers: Mapping[str, str] | None = None
) -> Response:
    content = to_json(made(status, detail, errors))
    return JSONResponse(content, status, headers, media_type=MEDIA)


def made(status: int, detail: str, errors: Sequence[Flaw] = ()) -> Problem:
    return Problem("about:blank", HTTPStatus(status).phrase, status, detail, REQUEST.get(), tuple(errors))


async def on_tracebook_error(_: Request, error: Exception) -> Response:
    for kind, status in _STATUS.items():
        if isinstance(error, kind):
            return problem(status, str(error))
    _log.error("A request failed: %s", error)
    return problem(503, NO_LIBRARY if isinstance(error, BadLibrary) else _LOG_SAYS)


async def on_database_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, sqlite3.Error)
    _log.error("A request failed: %s", error)
    if is_busy(error):
        return problem(503, "Another program is writing to the library. Try again.", headers={"Retry-After": "5"})
    return problem(503, NO_LIBRARY)


async def on_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    told = error.detail != HTTPStatus(error.status_code).phrase
    detail = error.detail if told else _HINTS.get(error.status_code, error.detail)
    return problem(error.status_code, detail, headers=error.headers)


async def on_flaws(_: Request, error: Exception) -> Response:
    assert isinstance(error, ValidationError)
    flaws = [
        Flaw(".".join(map(str, each["loc"])), each["msg"].removeprefix("Value error, "))
        for each in error.errors(include_url=False)
    ]
    shown = "; ".join(f"{flaw.at or 'the body'}: {flaw.message}" for flaw in flaws[:3])
    return problem(422, f"{shown}. /api/openapi.json says what is taken.", errors=flaws)
