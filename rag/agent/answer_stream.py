"""The text of an answer while the decision that holds it is still being written."""

import re
from typing import Literal

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"'}
_THINKING = re.compile(r"<(think|thinking|thought|reasoning)>", re.I)
_START = re.compile(r'\{(?=\s*")')
_ANSWER = ("action_input", "answer"), ("input", "answer"), ("arguments", "answer")
_ACTION = ("action",), ("tool",), ("name",)
_WANTED = "answer_directly"


class AnswerStream:
    """Fed with a decision piece by piece, it gives the new text of its answer; nothing of another action.

    A native tool call is told apart by its name, JSON by its "action"; until that is known the answer is held back.
    """

    def __init__(self, *, native: bool) -> None:
        self._name = ""
        self._walker = _Walker()
        self._started = False
        self._before = ""
        self._action, self._held, self._native = "", "", native

    def feed(self, text: str) -> str:
        """Of a reply's text."""
        if not self._started:
            self._before += text
            text = self._begin()
        return self._walk(text, _ANSWER) if self._started else ""

    def feed_call(self, name: str, arguments: str) -> str:
        """Of a native tool call."""
        self._name += name
        self._action = self._name
        self._started = True
        return self._walk(arguments, (("answer",),))

    def _begin(self) -> str:
        """The text from the first object on, once there is one outside of what is thought aloud."""
        thinking = _THINKING.search(self._before)
        at = 0
        if thinking:
            close = self._before.lower().rfind(f"</{thinking[1].lower()}>")
            if close < 0:
                return ""
            at = close
        if not (opening := _START.search(self._before, at)):
            return ""
        self._started = True
        return self._before[opening.start() :]

    def _walk(self, text: str, answers: tuple[tuple[str, ...], ...]) -> str:
        for sign in text:
            for path, piece in self._walker.feed(sign):
                if path in answers:
                    self._held += piece
                elif path in _ACTION and not self._native:
                    self._action += piece
        if self._action != _WANTED:
            return ""
        given, self._held = self._held, ""
        return given


class _Walker:
    """Walks through JSON sign by sign; gives the pieces of string values with the keys that lead to them."""

    def __init__(self) -> None:
        self._path: list[str | None] = []  # a key for each open object, None for a list
        self._state: Literal["between", "key", "string"] = "between"
        self._key = ""
        self._expects_key = False
        self._escape: str | None = None  # what follows a backslash so far
        self._high = ""  # the first half of a surrogate pair
        self._over = False

    def feed(self, sign: str) -> list[tuple[tuple[str, ...], str]]:
        if self._over:
            return []
        if self._state == "between":
            self._between(sign)
            return []
        if (piece := self._inside(sign)) is None:
            ended, self._state = self._state, "between"
            if ended == "key":
                self._path[-1] = self._key
                self._expects_key = False
            return []
        if self._state == "key":
            self._key += piece
            return []
        path = tuple(key for key in self._path if key is not None)
        return [(path, piece)] if piece and None not in self._path else []

    def _between(self, sign: str) -> None:
        if sign == "{":
            self._path.append("")
            self._expects_key = True
        elif sign == "[":
            self._path.append(None)
            self._expects_key = False
        elif sign in "}]":
            if self._path:
                self._path.pop()
            self._over = not self._path
            self._expects_key = False
        elif sign == ",":
            self._expects_key = bool(self._path) and self._path[-1] is not None
        elif sign == '"':
            self._state = "key" if self._expects_key else "string"
            self._key = ""

    def _inside(self, sign: str) -> str | None:
        """The next sign of the string, "" while an escape is not whole, None at its end."""
        if self._escape is None:
            if sign == "\\":
                self._escape = ""
                return ""
            lone = self._lone()
            return None if sign == '"' else lone + sign
        self._escape += sign
        if self._escape[0] != "u":
            self._escape = None
            return self._lone() + _ESCAPES.get(sign, sign)
        if len(self._escape) < 5:
            return ""
        digits, self._escape = self._escape[1:], None
        if not re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            return "\ufffd"
        return self._unit(chr(int(digits, 16)))

    def _unit(self, unit: str) -> str:
        """A UTF-16 unit, joined with the half that came before it."""
        if "\ud800" <= unit <= "\udbff":
            lone, self._high = self._lone(), unit
            return lone
        if "\udc00" <= unit <= "\udfff":
            if not self._high:
                return "\ufffd"
            high, self._high = self._high, ""
            return (high + unit).encode("utf-16", "surrogatepass").decode("utf-16")
        return self._lone() + unit

    def _lone(self) -> str:
        """What stands for a first half that no second one followed."""
        lone, self._high = ("\ufffd" if self._high else ""), ""
        return lone
