"""What a model's server or the network did wrong, in plain words: whether to wait, and what to do about it."""

import re
from collections.abc import Container
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from rag.errors import ContextTooLong, ModelFailed, WayRefused
from rag.models.endpoint import Endpoint
from rag.types import Waiting, Way

LONGEST = 60.0  # seconds that are waited for a server that names its own time
_LONG = re.compile(
    r"context.{0,20}(?:length|window|size)|maximum.{0,20}tokens|too\s+many\s+tokens|(?:prompt|input|request)\b.{0,20}\btoo\s+(?:long|large)"
    r"|max(?:imum)?\s+(?:input\s+|sequence\s+)?length|inputs?`?\s+tokens?\s*\+|exceeds?\b.{0,40}\b(?:length|tokens|context)",
    re.I,
)
_FORM = re.compile(r"tool|function|response_format|json|schema|grammar|jinja", re.I)
_SYSTEM = re.compile(r"system\s+(?:role|message|prompt)|roles\s+must\s+alternate|only\s+user\s+and\s+assistant", re.I)
_SPOILT = re.compile(r"tool_use_failed|failed\s+to\s+call\s+a\s+function", re.I)  # the model's slip, not the server's
_FILTER = re.compile(r"content_?\s?filter|content\s+management\s+policy", re.I)
_QUOTA = re.compile(r"insufficient_quota|billing|credit", re.I)
_SAID = 200  # characters of the server's own words


def status_of(error: Exception) -> int | None:
    """The HTTP status that the server gave, or the code of an error that came in the middle; None: neither."""
    status, code = getattr(error, "status_code", None), str(getattr(error, "code", None) or "")
    if isinstance(status, int):
        return status
    return int(code) if re.fullmatch(r"[45]\d\d", code) else 429 if code == "rate_limit_exceeded" else None


def is_no_stream(error: Exception) -> bool:
    """Whether the server seems to have answered in one piece, or not at all."""
    return isinstance(error, ValueError) and "No generation chunks" in str(error)


def minds_system(error: Exception) -> bool:
    """Whether the model's template knows no system."""
    return status_of(error) in (400, 422, 500) and bool(_SYSTEM.search(said_of(error)))


def said_of(error: Exception) -> str:
    """The server's own words, on one line."""
    body = getattr(error, "body", None)
    told: Any = body.get("message") or body.get("error") or body.get("detail") if isinstance(body, dict) else body
    return " ".join(str(told or error).split())


def shown_of(error: Exception, endpoint: Endpoint) -> str:
    """As much of the server's own words as an error shows; no key in it."""
    return endpoint.without_key(said_of(error))[:_SAID]


class Refusal(NamedTuple):
    """What every kind of model's server may refuse."""

    what: str  # it does, as in "it refuses the key"
    way_out: str


def refusal(status: int, setting: str) -> Refusal | None:
    """Of the key, or of the model that the setting names; None: the status tells of neither."""
    if status in (401, 403):
        return Refusal("refuses the key", "check OPENAI_API_KEY (or AZURE_OPENAI_API_KEY)")
    if status == 404:
        return Refusal("knows no such model or address", f"check {setting} and OPENAI_BASE_URL")
    return None


def dropped_option(error: Exception, options: Container[str]) -> str | None:
    """The option of a request that the server does not take, where it names one; it does without."""
    if status_of(error) not in (400, 422):
        return None
    said = said_of(error)
    return next((name for name in ("temperature", "stream_options") if name in options and name in said), None)


def wait_before_retry(error: Exception, tries: int) -> Waiting | None:
    """How long to wait before the next try: as the server says, else 1, 2, 4 seconds; None: it is no use."""
    status = status_of(error)
    if status is None:
        return Waiting(2.0**tries, f"no answer ({type(error).__name__})") if _is_network(error) else None
    if _SPOILT.search(_all_of(error)):
        return Waiting(0.0, "its model spoilt a tool call")
    if status not in (408, 409, 429) and status < 500:
        return None
    if status == 429 and _QUOTA.search(said_of(error)):
        return None
    if status in (500, 501) and _FORM.search(said_of(error)):
        return None  # it cannot do what is asked, now or later
    told = _retry_after(error)
    if told is not None and told > LONGEST:
        return None
    why = "it is asked too often" if status == 429 else "it has a fault"
    return Waiting(2.0**tries if told is None else told, f"{why} ({status})")


def failure(error: Exception, way: Way, endpoint: Endpoint, name: str) -> ModelFailed:
    """The error in plain words, with what to do; no key in it."""
    status, said = status_of(error), shown_of(error, endpoint)
    if status is None:
        if not _is_network(error):
            way_out = " See that the address ends in /v1." if endpoint.base_url else ""
            return ModelFailed(f"The model {name!r} could not be asked: {said}{way_out}")
        where = endpoint.azure or endpoint.base_url or "https://api.openai.com/v1"
        slow = "timeout" in type(error).__name__.casefold()
        way_out = "raise TRACEBOOK_TIMEOUT, or take a faster model" if slow else f"see that a server runs at {where}"
        return ModelFailed(f"The model {name!r} gave no answer: {way_out}.")
    if _FILTER.search(_all_of(error)):
        return ModelFailed(f"The content filter of {name!r} refused the request. Ask in other words. It says: {said}")
    if status == 413 or (status in (400, 422, 500) and _LONG.search(said)):
        return ContextTooLong(f"The briefing is too long for {name!r}: lower TRACEBOOK_CONTEXT_TOKENS. It says: {said}")
    if way != "text" and (status in (400, 422) or (status in (404, 405, 500, 501) and _FORM.search(said))):
        return WayRefused(f"{name!r} does not take requests in this form. It says: {said}")
    return ModelFailed(f"The model {name!r} answered {status}: {_way_out(status, said, error)} It says: {said}")


def _all_of(error: Exception) -> str:
    """The server's words and its codes."""
    return f"{getattr(error, 'body', '')} {error}"


def _way_out(status: int, said: str, error: Exception) -> str:
    if refused := refusal(status, "TRACEBOOK_MODEL"):
        return f"it {refused.what}; {refused.way_out}."
    if status == 429 and _QUOTA.search(said):
        return "the account's quota is used up; see its billing."
    if status == 429:
        told = _retry_after(error)
        return f"it is asked too often{f' and wants {told:.0f} s of rest' if told else ''}; wait, then ask again."
    return "it has a fault; try again later." if status >= 500 else "it does not take the request."


def _is_network(error: Exception) -> bool:
    import httpx
    import openai

    return isinstance(error, (openai.APIConnectionError, httpx.TransportError, TimeoutError, ConnectionError))


def _retry_after(error: Exception) -> float | None:
    """Seconds, from a number or a date; None: the server names none."""
    headers = getattr(getattr(error, "response", None), "headers", {})
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        value = headers.get("retry-after")
        if value is None:
            return None
        if re.fullmatch(r"\s*\d+(?:\.\d+)?\s*", value):
            return float(value)
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
