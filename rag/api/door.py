"""Who may in: hosts and origins from a list, the key compared in constant time, so many requests a minute."""

import math
import secrets
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from rag.api.loopback import is_loopback, unmapped
from rag.api.problems import problem
from rag.errors import BadInput
from rag.settings import Settings

OPEN = "/api/system/health"  # needs no key and is not counted
KEY = "X-API-Key"

_CHALLENGE: Mapping[str, str] = {"WWW-Authenticate": "ApiKey"}
_HERE = "this machine"


def check_address(address: str | None, settings: Settings) -> None:
    """Raises `BadInput` where the server would let others in without a key; `None`: every interface."""
    open_to_others = not address or not (is_loopback(address) or address.startswith("unix:"))
    if open_to_others and not settings.api_key:
        raise BadInput(
            f"The server is to listen on {address or '0.0.0.0'!r}, where other machines reach it, and no key is set. "
            "Set TRACEBOOK_API_KEY, or server.address in .streamlit/config.toml to 127.0.0.1."
        )


def origins(settings: Settings) -> tuple[str, ...]:
    """Those of other pages that may ask, as browsers write them; raises `BadInput`."""
    listed = tuple(part.casefold().rstrip("/") for part in _listed(settings.api_origins))
    for origin in listed:
        if origin not in (f"http://{_host(origin)}", f"https://{_host(origin)}"):
            raise BadInput(
                f"TRACEBOOK_API_ORIGINS holds {origin!r}, which is no origin. It takes some such as "
                "https://reports.example, with commas between them."
            )
    return listed


class Acquainted:
    """Refuses who comes under another name than the server's, or from a page of another site.

    Such a request was put into somebody's browser; what comes after this may trust its `Host` and `Origin`.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._key = app, bool(settings.api_key)
        self._hosts = {(urlsplit(f"//{host}").hostname or "") for host in _listed(settings.api_hosts)}
        self._origins = frozenset(origins(settings))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._refusal(Headers(scope=scope), _server(scope)) or self._app)(scope, receive, send)

    def _refusal(self, headers: Headers, server: str) -> Response | None:
        host = headers.get("host", "")
        name = (urlsplit(f"//{host}").hostname or "") if _readable(f"//{host}") else ""
        if not (is_loopback(name) or name in self._hosts or (name == server and self._key)):
            return problem(403, f"The host {host!r} is not served. Name it in TRACEBOOK_API_HOSTS.")
        if not self._key and not (is_loopback(server) or server.startswith("/") or not server):
            return problem(403, "Other machines reach this address and no key is set. Set TRACEBOOK_API_KEY.")
        origin = headers.get("origin", "").casefold()
        if origin and origin not in self._origins | {f"{scheme}://{host.casefold()}" for scheme in ("http", "https")}:
            return problem(403, f"The origin {origin!r} may not call this. Name it in TRACEBOOK_API_ORIGINS.")
        return None


class Door:
    """Lets a request in that has the key, so many a minute, or answers it with why not."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._key = settings.api_key.encode()
        self._rate = RateLimitItemPerMinute(settings.api_rate)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._refusal(scope) or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        if scope["path"] == OPEN:
            return None
        given = Headers(scope=scope).get(KEY, "").encode()
        known = bool(self._key) and secrets.compare_digest(given, self._key)
        who = "key" if known else _caller(scope)
        if not self._limiter.hit(self._rate, who):
            return self._too_many(who)
        if self._key and not known:
            return problem(401, f"A key is needed here: send it in the header {KEY}.", headers=_CHALLENGE)
        return None

    def _too_many(self, who: str) -> Response:
        seconds = max(1, math.ceil(self._limiter.get_window_stats(self._rate, who).reset_time - time.time()))
        detail = f"At most {self._rate.amount} requests a minute are served. Try again in {seconds} s."
        return problem(429, detail, headers={"Retry-After": str(seconds)})


def _caller(scope: Scope) -> str:
    """The address that asks; on a loopback address this machine, whatever address it says that it forwards."""
    client = scope.get("client")
    return _HERE if is_loopback(_server(scope)) or not client else str(client[0])


def _server(scope: Scope) -> str:
    """The address that was asked."""
    return unmapped((scope.get("server") or ("", None))[0])


def _listed(text: str) -> list[str]:
    """The parts of a list with commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def _host(origin: str) -> str:
    return urlsplit(origin).netloc if _readable(origin) else ""


def _readable(url: str) -> bool:
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True
