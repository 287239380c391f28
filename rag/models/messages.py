"""Messages as servers differ over them: where the system may speak, and how a tool call comes in."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rag.types import CallDelta, Message

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage


def merged(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Neighbours of one role as one message: many templates want user and assistant in turn."""
    kept: list[Message] = []
    for message in messages:
        if kept and kept[-1].role == message.role == "user":
            kept[-1] = Message("user", f"{kept[-1].text}\n\n{message.text}")
        else:
            kept.append(message)
    return tuple(kept)


def folded(messages: Sequence[Message]) -> tuple[Message, ...]:
    """What the system says put before what the user says first, for templates that know no system."""
    orders = "\n\n".join(message.text for message in messages if message.role == "system")
    rest = [message for message in messages if message.role != "system"]
    return merged((Message("user", orders), *rest)) if orders else tuple(rest)


class FirstCall:
    """The first tool call of a reply: one decision at a time, so further calls are not heard."""

    def __init__(self) -> None:
        self._id: str | None = None
        self._index: int | str | None = None
        self._name = ""
        self._begun = False  # whether arguments have come
        self._over = False

    def heard(self, message: "AIMessage") -> Iterator[CallDelta]:
        """What a piece of the reply adds to it; some servers give all calls one index, others give none."""
        for piece in getattr(message, "tool_call_chunks", ()):
            self._follow(piece.get("id"), piece.get("index"), piece.get("name") or "")
            if not self._over:
                yield from self._delta(piece.get("name") or "", piece.get("args") or "")
        if not hasattr(message, "tool_call_chunks"):
            for call in message.tool_calls[:1]:
                yield CallDelta(call["name"], json.dumps(call["args"], ensure_ascii=False))
            for broken in message.invalid_tool_calls[: not message.tool_calls]:
                yield CallDelta(broken.get("name") or "", broken.get("args") or "")

    def _follow(self, id: str | None, index: int | str | None, name: str) -> None:
        """Whether this is still the first call."""
        another = bool(id and self._id and id != self._id) or bool(name and self._begun)
        elsewhere = self._index is not None and index is not None and index != self._index
        self._over = self._over or another or elsewhere
        self._id, self._index = self._id or id, index if self._index is None else self._index

    def _delta(self, name: str, arguments: str) -> Iterator[CallDelta]:
        name = "" if name == self._name else name  # repeated with each piece by some
        self._name += name
        self._begun = self._begun or bool(arguments)
        if name or arguments:
            yield CallDelta(name, arguments)
