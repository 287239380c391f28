"""The API's description: as OpenAPI, and as a page to read and try it that asks nothing of the network."""

from functools import cache
from pathlib import Path
from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, Response

from rag.api.operation import Call, Operation

_PAGE = Path(__file__).parent / "docs.html"
_ALONE = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'self'; "
    "img-src blob:; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
)


def operations(described: tuple[Operation, ...]) -> list[Operation]:
    """Those that describe the others, and themselves."""

    def as_json(_: Call | None = None) -> Response:
        return JSONResponse(description((*described, *ours)))

    ours = [
        Operation("GET", "/api/openapi.json", as_json, "This document.", media=("application/json",), shut=as_json),
        Operation("GET", "/api/docs", page, "A page to read and try the API.", media=("text/html",), shut=page),
    ]
    return ours


@cache
def description(described: tuple[Operation, ...]) -> dict[str, Any]:
    """The OpenAPI document; made once it is asked for."""
    from rag.api.openapi import openapi

    return openapi(described)


def page(_: Call | None = None) -> Response:
    return HTMLResponse(_PAGE.read_text("utf-8"), headers={"Content-Security-Policy": _ALONE})
