"""One id for each request, in every line of the log and in every answer; the log as JSON lines to stderr."""

import json
import logging
import re
import secrets
import sys
import time
from contextvars import ContextVar
from datetime import UTC, datetime

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "X-Request-ID"
REQUEST: ContextVar[str | None] = ContextVar("request", default=None)

_THEIRS = re.compile(r"[A-Za-z0-9._-]{1,64}")
_OURS = "tracebook"
_log = logging.getLogger(__name__)


class JsonLines(logging.Formatter):
    """A record as one line of JSON, with the id of the request that it belongs to."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "requestId": REQUEST.get(),
            **getattr(record, _OURS, {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_to_stderr() -> None:
    """From now on what this program and its libraries log goes to stderr as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.getLogger().handlers = [handler]
    logging.getLogger("rag").setLevel(logging.INFO)


class Logged:
    """Gives each request its id, logs how it ended, and answers in place of a handler that broke."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        theirs = Headers(scope=scope).get(HEADER, "")
        token = REQUEST.set(theirs if _THEIRS.fullmatch(theirs) else secrets.token_hex(8))
        status, began = 0, time.perf_counter()

        async def marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers[HEADER] = REQUEST.get() or ""
                headers["X-Content-Type-Options"] = "nosniff"  # text of documents is no page
            await send(message)

        try:
            await self._app(scope, receive, marked)
        except ClientDisconnect:
            status = status or 499  # as nginx names a client that went away
        except Exception:
            _log.exception("A request broke.")
            if not status:
                from rag.api.problems import problem

                detail = "Something broke on our side. Try again; if it breaks again, report it with this request id."
                await problem(500, detail)(scope, receive, marked)
        finally:
            about = {"method": scope["method"], "path": scope["path"], "status": status}
            _log.info("request", extra={_OURS: about | {"seconds": round(time.perf_counter() - began, 4)}})
            REQUEST.reset(token)
