"""The answer as it grows: the "answer" of an answer_directly, read out of JSON that is still being written."""

import re
from dataclasses import dataclass

from rag.agent.loose_json import DEEPEST, ESCAPES, plain_escape, whole_text
from rag.agent.reply import ACTION_KEYS, INPUT_KEYS
from rag.agent.spoken import CLOSES, OPENS

_OPENED = re.compile(rf"(?:{OPENS})\Z")
_CLOSED = re.compile(rf"(?:{CLOSES}|<\|end\|>)\Z")
_LONGEST = 100  # characters of a thinking tag
_HEX = re.compile(r"[0-9a-fA-F]*")


@dataclass
class _Level:
    """An object or a list that is open."""

    is_object: bool
    key: str = ""  # the last one read
    awaits_key: bool = True


class AnswerStream:
    """Fed with a decision piece by piece, gives what is new of its answer; nothing of other actions, nor of prose.

    An answer that comes before its action is held until that is known. What is given is the beginning of what
    `read_text`, or `read_tool_call`, gives in the end; an answer in another shape comes from these alone.
    """

    def __init__(self, action: str | None = None) -> None:
        """`action`: the tool whose arguments are fed; None: the text of a whole decision is."""
        self.text = ""  # all that was given so far
        self._arguments = action is not None
        self._action = action  # None: not known yet
        self._input = ""  # the key under which the action's input stands
        self._held = ""  # of the answer, not given yet
        self._answered = False  # whether an answer has begun; another one does not count
        self._done = False
        self._thinking = False
        self._before = ""  # the last of what was said outside of objects
        self._levels: list[_Level] = []
        self._string: str | None = None  # what was read of the string that is open, unless it is the answer
        self._quote = ""
        self._escape = ""
        self._in_answer = False

    def feed(self, delta: str) -> str:
        """What this piece adds to the answer; "" where it adds nothing."""
        for sign in delta:
            if self._done:
                break
            (self._outside if not self._levels else self._between if self._string is None else self._within)(sign)
        if self._action is None:
            return ""
        if self._action != "answer_directly":
            self._held, self._done = "", True
        half = self._in_answer and "\ud800" <= self._held[-1:] <= "\udbff"  # its other half is still to come
        ready = whole_text(self._held[:-1] if half else self._held)
        self._held = self._held[-1:] if half else ""
        self.text += ready
        return ready

    def _outside(self, sign: str) -> None:
        self._before = (self._before + sign)[-_LONGEST:]
        if sign in ">]" and _OPENED.search(self._before):
            self._thinking = True
        elif sign in ">]" and _CLOSED.search(self._before):
            self._thinking = False
        elif sign == "{" and not self._thinking:
            self._levels.append(_Level(is_object=True))

    def _between(self, sign: str) -> None:
        """A sign in an object or a list, outside of its strings."""
        level = self._levels[-1]
        first = level.is_object and level.awaits_key and not level.key and len(self._levels) == 1
        if sign in "\"'":
            self._open_string(sign)
        elif first and not sign.isspace() and sign not in ":}":
            self._levels = []  # a brace in a sentence
            self._outside(sign)
        elif sign in "{[":
            self._levels.append(_Level(is_object=sign == "{"))
            self._done = len(self._levels) > DEEPEST
        elif sign in "}]":
            self._levels.pop()
            self._done = not self._levels and self._action is not None  # only the first decision counts
            if not self._levels and not self._done:  # it was data
                self._input, self._held, self._answered = "", "", False
        elif sign in ",:":
            level.awaits_key = sign == ","

    def _open_string(self, quote: str) -> None:
        self._quote, self._string = quote, ""
        if self._awaits_key or self._answered or not all(level.is_object for level in self._levels):
            return
        path = tuple(level.key for level in self._levels)
        self._in_answer = path == (("answer",) if self._arguments else (self._input, "answer"))
        self._answered = self._in_answer

    @property
    def _awaits_key(self) -> bool:
        return self._levels[-1].is_object and self._levels[-1].awaits_key

    def _within(self, sign: str) -> None:
        """A sign in a string."""
        if self._escape:
            self._read_escape(sign)
        elif sign == "\\":
            self._escape = sign
        elif sign == self._quote:
            self._close_string()
        else:
            self._add(sign)

    def _read_escape(self, sign: str) -> None:
        self._escape += sign
        kind, digits = self._escape[1], self._escape[2:]
        if kind == "u":
            self._done = not _HEX.fullmatch(digits)
            if len(digits) == 4 and not self._done:
                self._end_escape(chr(int(digits, 16)))
        elif kind in ESCAPES or kind in '"\\/' or plain_escape(kind):
            self._end_escape(ESCAPES.get(kind, kind))
        else:
            self._done = True  # no JSON: it will be written again

    def _end_escape(self, sign: str) -> None:
        self._escape = ""
        self._add(sign)

    def _add(self, sign: str) -> None:
        if self._in_answer:
            self._held += sign
        else:
            self._string = (self._string or "") + sign

    def _close_string(self) -> None:
        text, level, depth = self._string or "", self._levels[-1], len(self._levels)
        self._string, was_answer, self._in_answer = None, self._in_answer, False
        if self._awaits_key:
            level.key = text
            if depth == 1 and not self._input and text in INPUT_KEYS:
                self._input = text
        elif depth == 1 and not was_answer and not self._action and level.key in ACTION_KEYS and text.strip():
            self._action = text
