"""How large a request may be: refused by its declared length, or where it has none by what comes."""

from anyio import move_on_after
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rag.api.problems import problem
from rag.settings import Settings

BODY = 1 << 20  # bytes of a JSON body
_FORM = 1 << 20  # bytes that a form takes besides its files
_DRAINED = 64 << 20  # bytes read and thrown away, so that a client that is still sending hears the answer
_PATIENCE = 5  # seconds for that


class BodyLimit:
    """Requests with more than their share are answered with 413; nothing of them is kept."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._megabytes = app, settings.upload_megabytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        upload = scope["path"].startswith("/api/documents")
        most, name = (self._megabytes << 20) + _FORM if upload else BODY, f"{self._megabytes} MB" if upload else "1 MB"
        detail = f"The request is larger than {name}, the most that is taken. Send less at once."
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > most:
            with move_on_after(_PATIENCE):
                await _drain(receive)
            return await problem(413, detail)(scope, receive, send)
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise HTTPException(413, detail)
            return message

        return await self._app(scope, counted, send)


async def _drain(receive: Receive) -> None:
    left, more = _DRAINED, True
    while more and left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        more = message.get("more_body", False)
