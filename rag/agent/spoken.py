"""The words of a language model's reply, apart from its thinking and from the labels that prompts teach it."""

import re
from bisect import bisect_left

_NAMES = "(?i:think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad)"
OPENS = rf"<{_NAMES}>|\[THINK\]|(?:<\|start\|>assistant)?<\|channel\|>analysis[^<]*<\|message\|>"
CLOSES = (
    rf"</{_NAMES}>|\[/THINK\]|assistantfinal|"  # the last is what is left of the next where its signs were taken out
    r"(?:<\|start\|>assistant(?P<to_first>[^<]*))?<\|channel\|>(?:final|commentary)(?P<to_last>[^<]*)"
    r"(?:<\|constrain\|>\w*\s*)?<\|message\|>"
)
_CALL = r"<function=(?P<function>[\w.-]+)>(?=\s*\{)"  # Llama's and Qwen's
_TAG = re.compile(rf"(?P<opens>{OPENS})|(?P<closes>{CLOSES})|(?P<ends><\|end\|>)|{_CALL}")
_TO = re.compile(r"to=(?:functions\.)?([\w.-]+)")
_STOP_SIGN = re.compile(r"(?:<\|[\w-]{1,40}\|>|</s>|<eos>|<end_of_turn>)\s*\Z")
_FENCED = re.compile(r"\A```\w*\n((?:(?!```).)*)```\Z", re.S)
_OPENING = re.compile(r"(?:(?:```\w*|<tool_call>|\[TOOL_CALLS\]|<\|python_tag\|>|\[)\s*+){1,3}\Z")
_NEVER = re.compile(r"(?!)")


def label(names: str) -> str:
    """Pattern of a label at the start of a line, in bold or not; for MULTILINE and IGNORECASE."""
    return rf"^[ \t>*_#]*+(?:{names})[*_ \t]*+:[*_ \t]*+"


_FLAGS = re.M | re.I
_THOUGHT_LINE = re.compile(rf"{label('Thoughts?')}.*\n?", _FLAGS)
_FINAL = re.compile(label("Final Answer"), _FLAGS)
_MADE_UP = re.compile(label("Observation|Question"), _FLAGS)
_ANSWER = re.compile(rf"\A\s*{label('Answer|Final Answer|Response')}", _FLAGS)
_LABEL = re.compile(label("Thoughts?|Action"), _FLAGS)


class Spoken:
    """A reply read from left to right. Thinking is passed over; so is all that stands before the end of a thinking
    whose beginning is not there."""

    def __init__(self, text: str) -> None:
        self.tool = ""  # the tool that what follows is for, where the model says so in its own signs
        self.unclosed = False  # whether a thinking began that does not end
        self._text = text
        self._at = 0
        self._said: list[tuple[str, bool]] = []  # and whether it is data
        self._tags = list(_TAG.finditer(text))
        self._starts = [tag.start() for tag in self._tags]
        self._closings = [tag for tag in self._tags if tag["closes"] or tag["ends"]]
        self._closing_starts = [tag.start() for tag in self._closings]
        self._length = len(text.rstrip())

    def find(self, mark: re.Pattern[str]) -> re.Match[str] | None:
        """The next mark that stands in no thinking."""
        found = mark.search(self._text, self._at)
        while tag := self._tag(self._at):
            if found and found.start() < tag.start():
                break
            self._pass(tag)
            if found and found.start() < self._at:
                found = mark.search(self._text, self._at)
        return found

    def skip(self, to: int, *, data: bool = False) -> None:
        """Reading goes on at `to`."""
        if not self.unclosed:
            self._said.append((self._text[self._at : to], data))
        self._at = to

    def thinks_on(self, at: int) -> bool:
        """Whether what stands before `at` turns out to be thinking: its end comes next, and then the reply itself."""
        tag = self._tag(at)
        return bool(tag and tag["closes"] and tag.end() < self._length)

    def said(self, *, with_data: bool = True, with_rest: bool = True) -> str:
        """What was said so far, and what is left to be read."""
        said = "".join(text for text, data in self._said if with_data or not data)
        return said + self.rest() if with_rest and not self.unclosed else said

    def rest(self) -> str:
        """All that was not read yet."""
        return self._text[self._at :]

    def _tag(self, at: int) -> re.Match[str] | None:
        index = bisect_left(self._starts, at)
        return self._tags[index] if index < len(self._tags) else None

    def _pass(self, tag: re.Match[str]) -> None:
        self.skip(tag.start())
        self._at = tag.end()
        if tag["opens"]:
            index = bisect_left(self._closing_starts, tag.end())
            closing = self._closings[index] if index < len(self._closings) else None
            self.unclosed = not closing
            self._at = closing.end() if closing else self._at
            tag = closing or tag
        elif tag["closes"] and tag.end() < self._length:
            self._said, self.unclosed = [], False
        if tag["closes"]:
            to = _TO.search(f"{tag['to_first'] or ''} {tag['to_last'] or ''}")
            self.tool = to[1] if to else ""
        self.tool = tag["function"] or self.tool


def spoken_words(text: str) -> str:
    """All that a reply says outside its thinking."""
    spoken = Spoken(text)
    spoken.find(_NEVER)
    return spoken.said()


def answer_in(words: str) -> str:
    """The answer among a reply's words: what follows "Final Answer:", or all but the thoughts; "" where there is none.

    From an observation on that a model makes up nothing counts.
    """
    final = _FINAL.search(words)
    rest = words[final.end() :] if final else _THOUGHT_LINE.sub("", words)
    made_up = _MADE_UP.search(rest)
    if made_up and (rest != words or not words[: made_up.start()].strip()):
        rest = rest[: made_up.start()]
    rest = _ANSWER.sub("", without_stop_sign(rest)).strip()
    fenced = _FENCED.match(rest)
    return fenced[1].strip() if fenced else rest


def thought_in(words: str) -> str:
    """What a model says before it acts, without labels and the signs that open a call."""
    return _OPENING.sub("", _LABEL.sub("", words)).strip()


def without_stop_sign(text: str) -> str:
    """The text without the sign by which a model's template ends a turn."""
    return _STOP_SIGN.sub("", text).strip()
