"""A server on loopback that speaks the OpenAI wire format, with replies that a test writes down."""

import json
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.loopback import Handler, listening

USAGE = {"prompt_tokens": 70, "completion_tokens": 5, "total_tokens": 75}


@dataclass(frozen=True)
class Reply:
    """One reply: text, a tool call, both, or a failure."""

    content: str = ""
    tool: str | None = None
    arguments: str = "{}"
    also: str | None = None  # a second tool called in the same reply
    same_index: bool = False  # both calls at index 0, as Ollama sends them
    whole: bool = False  # one JSON body, whatever was asked for
    html: bool = False  # a page, as from an address without /v1
    finish: str | None = "stop"
    usage: dict | None = field(default_factory=lambda: USAGE)
    first: dict | None = None  # a chunk before all others, as Azure sends one
    pause: float = 0.0  # seconds before each piece
    breaks: bool = False  # the connection ends in the middle
    status: int = 200
    message: str = ""  # the error's, with another status than 200
    headers: dict = field(default_factory=dict)


def says(content, **more):
    return Reply(content, **more)


def calls(tool, arguments=None, **more):
    """A tool call; arguments that are no text are written as JSON."""
    given = arguments if isinstance(arguments, str) else json.dumps({"thought": "Because."} | (arguments or {}))
    return Reply(tool=tool, arguments=given, finish="tool_calls", **more)


def fails(status, message="", **headers):
    return Reply(status=status, message=message, headers={k.replace("_", "-"): v for k, v in headers.items()})


class Server:
    """Gives its replies in order, the last one again and again; `bodies` are the requests that it was sent."""

    def __init__(self, *replies, refuses=()):
        self.replies, self.refuses = list(replies), refuses
        self.bodies, self.paths, self.headers = [], [], []
        self.broken_off = threading.Event()  # the client went away in the middle of a reply
        self._lock = threading.Lock()

    def reply_to(self, path, headers, body):
        with self._lock:
            self.bodies.append(body)
            self.paths.append(path)
            self.headers.append({name.casefold(): value for name, value in headers.items()})
            for form in self.refuses:
                if _asks(body, form):
                    return fails(400, f"this model does not support {form}")
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply(body) if callable(reply) else reply


def _asks(body, form):
    kind = (body.get("response_format") or {}).get("type")
    return form in body or form == kind


@contextmanager
def serving(*replies, refuses=()):
    """The server and its address, for as long as the block lasts."""
    state = Server(*replies, refuses=refuses)
    with listening(type("Chat", (_Chat,), {"state": state})) as address:
        state.url = f"{address}/v1"
        yield state


class _Chat(Handler):
    state: Server

    def asked(self, body):
        reply = self.state.reply_to(self.path, dict(self.headers), body)
        if reply.status != 200:
            self._json(reply.status, {"error": {"message": reply.message, "type": "error"}}, reply.headers)
        elif reply.html:
            self.answer(200, b"<!DOCTYPE html><title>Welcome</title>", {"Content-Type": "text/html"})
        elif reply.whole:
            self._json(200, _completion(reply, body["model"]), {})
        else:
            self._stream(reply, body["model"])

    def _json(self, status, value, headers):
        self.answer(status, json.dumps(value).encode(), headers)

    def _stream(self, reply, model):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        base = {"id": "x", "object": "chat.completion.chunk", "created": int(time.time()), "model": model}
        try:
            if reply.first is not None:
                self._event(base | reply.first)
            for delta in _deltas(reply):
                time.sleep(reply.pause)
                self._event(base | {"choices": [{"index": 0, "delta": delta}]})
            if reply.breaks:
                return
            self._event(base | {"choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish}]})
            if reply.usage:
                self._event(base | {"choices": [], "usage": reply.usage})
            self.wfile.write(b"data: [DONE]\n\n")
        except (BrokenPipeError, ConnectionResetError):
            self.state.broken_off.set()

    def _event(self, value):
        self.wfile.write(f"data: {json.dumps(value)}\n\n".encode())
        self.wfile.flush()


def _completion(reply, model):
    """The reply in one piece."""
    message = {"role": "assistant", "content": reply.content or None}
    if reply.tool is not None:
        function = {"name": reply.tool, "arguments": reply.arguments}
        message["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    base = {"id": "x", "object": "chat.completion", "created": int(time.time()), "model": model}
    return base | {"choices": [choice], "usage": reply.usage or USAGE}


def _deltas(reply):
    """Pieces of eight characters, so that words, escapes and marks are cut."""
    pieces = [{"content": reply.content[i : i + 8]} for i in range(0, len(reply.content), 8)]
    if reply.tool is not None:
        head = {"name": reply.tool, "arguments": ""}
        pieces.append({"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": head}]})
        for i in range(0, len(reply.arguments), 8):
            function = {"arguments": reply.arguments[i : i + 8]}
            pieces.append({"tool_calls": [{"index": 0, "function": function}]})
    if reply.also:
        function = {"name": reply.also, "arguments": "{}"}
        index = 0 if reply.same_index else 1
        pieces.append({"tool_calls": [{"index": index, "id": "c2", "type": "function", "function": function}]})
    return pieces[: len(pieces) // 2] if reply.breaks else pieces
