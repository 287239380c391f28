"""A chat model whose replies are written down beforehand: the port `ChatModel` without a server."""

import threading
from collections.abc import Callable, Iterator, Sequence

from rag.errors import OutOfTime, Stopped, WayRefused
from rag.types import CallDelta, Delta, Message, ReplyEnd, TextDelta, Tool, Usage, Way

PIECE = 7  # characters of a delta

Said = Sequence[Delta] | Exception
Reply = Said | Callable[[Sequence[Message]], Said]


class ScriptedChat:
    """Gives its replies in order, the last one again and again; one may depend on the messages, or be raised.

    `asked` keeps what it was sent, and in which way. Of the ways it knows `ways`.
    """

    name = "scripted:model"

    def __init__(self, *replies: Reply, ways: Sequence[Way] = ("tools", "schema", "json", "text")) -> None:
        self._replies, self._ways = list(replies), ways
        self.asked: list[tuple[Way, tuple[Message, ...]]] = []

    def stream(
        self, messages: Sequence[Message], way: Way, tools: Sequence[Tool], *, cancel: threading.Event, seconds: float
    ) -> Iterator[Delta]:
        if cancel.is_set():
            raise Stopped()
        if seconds <= 0:
            raise OutOfTime()
        self.asked.append((way, tuple(messages)))
        if way not in self._ways:
            raise WayRefused(f"{self.name!r} does not take {way!r}.")
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        said = reply(messages) if callable(reply) else reply
        if isinstance(said, Exception):
            raise said
        for delta in said:
            if cancel.is_set():
                raise Stopped()
            yield delta


def text(said: str, *, end: ReplyEnd | None = None) -> tuple[Delta, ...]:
    """A reply of text, in small pieces."""
    pieces = tuple(TextDelta(said[at : at + PIECE]) for at in range(0, len(said), PIECE))
    return (*pieces, end or ReplyEnd("stop", Usage(100, 10)))


def call(name: str, arguments: str, *, end: ReplyEnd | None = None) -> tuple[Delta, ...]:
    """A tool call, its arguments in small pieces."""
    pieces = tuple(CallDelta(arguments=arguments[at : at + PIECE]) for at in range(0, len(arguments), PIECE))
    return (CallDelta(name), *pieces, end or ReplyEnd("stop", Usage(100, 10)))
