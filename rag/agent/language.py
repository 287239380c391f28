"""The reasoner over a language model: a briefing goes out, a decision comes back, whatever form the server can give it.

A reply that cannot be read, or was cut, is sent back once with what was wrong; prose before any search gets one nudge.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from rag import prompts
from rag.agent.answer_stream import AnswerStream
from rag.agent.briefing import brief
from rag.agent.reply import Prose, Reply, Unreadable, read_text, read_tool_call
from rag.agent.run import Run
from rag.errors import ContextTooLong, ModelFailed, OutOfBounds, ReplyBroken, WayRefused
from rag.ingest.tokens import count as tokens
from rag.ports import ChatModel, RunView
from rag.types import (
    AnswerDelta,
    CallDelta,
    Decision,
    Exchange,
    Message,
    Noted,
    ReplyEnd,
    Spent,
    TextDelta,
    Thinking,
    Tool,
    Usage,
    Waiting,
    Way,
)

WAYS: tuple[Way, ...] = ("tools", "schema", "json", "text")
REPLY = 1_500  # tokens that are kept free for a reply
SHORTER = 0.7  # share of a briefing's tokens that the next one may have, where it was too long
HISTORY = 1_500  # tokens of the conversation that are told when a follow-up is restated
_WAYS_IN_WORDS = {
    "tools": "native tool calls",
    "schema": "JSON by a schema",
    "json": "JSON",
    "text": "JSON in plain text",
}


class WayMemory(Protocol):
    """What was found out about each model: the way that its server takes."""

    def way(self, model: str) -> Way | None: ...

    def remember(self, model: str, way: Way) -> None: ...


@dataclass
class _Heard:
    """A reply as it comes in."""

    text: str = ""
    name: str = ""
    arguments: str = ""
    end: ReplyEnd | None = None

    @property
    def called(self) -> bool:
        return bool(self.name or self.arguments)

    def read(self) -> Reply:
        if self.called:
            return read_tool_call(self.name, self.arguments, self.text)
        return read_text(self.text)

    @property
    def whole(self) -> str:
        return f"{self.text}{self.name}{self.arguments}"


@dataclass
class _Chances:
    """What a decision may still ask for, once each."""

    left: set[str] = field(default_factory=lambda: {"unreadable", "cut", "nudge"})

    def take(self, kind: str) -> bool:
        had = kind in self.left
        self.left.discard(kind)
        return had


class LanguageReasoner:
    """The port `Reasoner` over a `ChatModel`; `room` is how many tokens a briefing may have."""

    def __init__(self, model: ChatModel, memory: WayMemory, *, room: int) -> None:
        self._model, self._memory, self._room = model, memory, room

    @property
    def name(self) -> str:
        return self._model.name

    def decide(self, run: RunView) -> Generator[Thinking, None, Decision]:
        """The model's next action; raises `ModelFailed` where none can be read out of what it says."""
        state = cast(Run, run)
        chances, aside = _Chances(), tuple[Message, ...]()
        while True:
            heard, way = yield from self._ask(state, aside)
            reply = heard.read()
            if heard.end is None or heard.end.finish == "broken":
                return _broken(heard, reply)
            if heard.end.finish == "length":  # whatever can be read of it may be half of what was meant
                if not chances.take("cut"):
                    raise ModelFailed(f"{self.name!r} was cut at its token limit twice. Raise the server's limit.")
                yield Noted("The reply was cut at the token limit and is asked for again.")
                aside = (Message("user", prompts.CUT),)
            elif isinstance(reply, Unreadable):
                if not chances.take("unreadable"):
                    raise ModelFailed(f"{self.name!r} gave no decision that can be read: {reply.why}")
                yield Noted(f"The reply could not be read and was sent back: {reply.why}")
                aside = (*_said(heard), Message("user", prompts.sent_back(reply.why)))
            elif isinstance(reply, Prose):
                if not state.searches and state.selection and chances.take("nudge"):
                    yield Noted("The model answered before anything was searched and was told to search first.")
                    aside = (*_said(heard), Message("user", prompts.nudge(way)))
                else:
                    return _in_prose(reply, state)
            else:
                return reply

    def restate(self, question: str, history: Sequence[Exchange], run: RunView) -> Generator[Thinking, None, str]:
        """The question as it stands alone, in one line of the model's."""
        if not history:
            return question
        state, told, room = cast(Run, run), list[tuple[str, str]](), HISTORY
        for exchange in reversed(history):
            room -= tokens(exchange.question) + (size := min(200, tokens(exchange.answer)))
            if room < 0:
                break
            told.insert(0, (exchange.question, exchange.answer[: 4 * size]))
        messages = (Message("system", prompts.RESTATE), Message("user", prompts.follow_up(told, question)))
        heard = yield from self._hear(messages, "text", (), state, stream=False)
        reply = read_text(heard.text)
        line = (
            next((line.strip() for line in reply.text.splitlines() if line.strip()), "")
            if isinstance(reply, Prose)
            else ""
        )
        return line.removeprefix("Question:").strip() or question

    def _ask(self, run: Run, aside: tuple[Message, ...]) -> Generator[Thinking, None, tuple[_Heard, Way]]:
        """One reply, in the first way that the server takes, to a briefing that it takes."""
        ways = list(WAYS)
        if known := self._memory.way(self.name):
            ways = ways[ways.index(known) :]
        room = self._room - REPLY
        while True:
            way = ways[0]
            briefing = brief(run, way, room=room)
            try:
                _check_bounds(run, briefing.tokens)
                heard = yield from self._hear((*briefing.messages, *aside), way, prompts.TOOLS, run)
            except WayRefused:
                if len(ways) == 1:
                    raise
                ways.pop(0)
                yield Noted(f"The server takes no {_WAYS_IN_WORDS[way]}; {_WAYS_IN_WORDS[ways[0]]} is tried.")
            except ContextTooLong:
                if len(briefing.left_out) == len(run.evidence):
                    raise
                room = int(SHORTER * briefing.tokens)
                yield Noted("The briefing was too long for the model; its weakest passages are left out.")
            else:
                if briefing.left_out:
                    yield Noted(f"Left out of the briefing for want of room: {_marks(briefing.left_out)}.")
                if not known or known != way:
                    self._memory.remember(self.name, way)
                told = f"The model decides by {_WAYS_IN_WORDS[way]}."
                if told not in run.notes and not any(step.kind != "plan" for step in run.steps):
                    yield Noted(told)
                return heard, way

    def _hear(
        self, messages: Sequence[Message], way: Way, tools: Sequence[Tool], run: Run, *, stream: bool = True
    ) -> Generator[Thinking, None, _Heard]:
        """One reply to its end; an answer's text is passed on as it comes, where it can go out as it is."""
        heard, spoken, called = _Heard(), AnswerStream(), None
        began = False
        for delta in self._model.stream(messages, way, tools, cancel=run.cancel, seconds=run.seconds_left):
            match delta:
                case Waiting():
                    yield Noted(f"The model's server: {delta.why}; asked again after {delta.seconds:g} s.")
                case TextDelta():
                    heard.text += delta.text
                    piece = spoken.feed(delta.text)
                case CallDelta():
                    heard.name += delta.name
                    heard.arguments += delta.arguments
                    called = called or (AnswerStream(heard.name) if delta.arguments else None)
                    piece = called.feed(delta.arguments) if called else ""
                case ReplyEnd():
                    heard.end = delta
            if isinstance(delta, (TextDelta, CallDelta)) and piece and stream and not run.must_sweep:
                yield AnswerDelta(piece, anew=not began)
                began = True
        usage = heard.end.usage if heard.end else None
        yield Spent(usage or Usage(sum(tokens(m.text) for m in messages), tokens(heard.whole)))
        return heard


def _check_bounds(run: Run, needed: int) -> None:
    if run.tokens_left is not None and needed + REPLY // 3 > run.tokens_left:
        raise OutOfBounds("The run's token budget is spent (TRACEBOOK_TOKEN_BUDGET).")
    if run.seconds_left <= 0:
        raise OutOfBounds("The run's time is spent (TRACEBOOK_RUN_SECONDS).")


def _said(heard: _Heard) -> tuple[Message, ...]:
    """What the model said, for it to see what was wrong; native calls as text, since a call wants a result."""
    return (Message("assistant", heard.whole),) if heard.whole.strip() else ()


def _in_prose(reply: Prose, run: Run) -> Decision:
    thought = "The model wrote its answer as plain text." + (
        "" if run.searches else " Nothing was searched before, so it does not come from the documents."
    )
    return Decision(thought, "answer_directly", {"answer": reply.text})


def _broken(heard: _Heard, reply: Reply) -> Decision:
    """What came of an answer before the connection broke."""
    if isinstance(reply, Decision):
        return reply
    stream = AnswerStream(heard.name) if heard.called else AnswerStream()
    text = stream.feed(heard.arguments if heard.called else heard.text)
    said = text or (reply.text if isinstance(reply, Prose) else "")
    if not said.strip():
        raise ModelFailed("The connection to the model broke in the middle of its reply. Ask again.")
    raise ReplyBroken(said)


def _marks(numbers: Sequence[int]) -> str:
    return ", ".join(f"[{number}]" for number in numbers)
