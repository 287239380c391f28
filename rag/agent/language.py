"""The reasoner over a language model: a briefing goes out, a decision comes back, whatever form the server can give it.

A reply that cannot be read, or was cut, is sent back once with what was wrong; prose before any search gets one nudge.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from rag import prompts
from rag.agent.briefing import brief
from rag.agent.hearing import REPLY, Heard, hear
from rag.agent.reply import Prose, Reply, Unreadable
from rag.agent.restating import restated
from rag.agent.run import Run
from rag.errors import ContextTooLong, ModelFailed, OutOfBounds, ReplyBroken, WayRefused
from rag.ports import ChatModel, RunView
from rag.types import Decision, Exchange, Message, Noted, Thinking, Way

WAYS: tuple[Way, ...] = ("tools", "schema", "json", "text")
SHORTER = 0.4  # share of its passages by which a briefing that was too long is shortened
ECHO = 2_000  # characters of a reply that is sent back
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
class _Chances:
    """What a decision may still ask for, once each."""

    left: set[str] = field(default_factory=lambda: {"unreadable", "cut", "nudge", "refused"})

    def take(self, kind: str) -> bool:
        had = kind in self.left
        self.left.discard(kind)
        return had


class LanguageReasoner:
    """The port `Reasoner` over a `ChatModel`, for one run; `room` is how many tokens the model takes at once."""

    def __init__(self, model: ChatModel, memory: WayMemory, *, room: int) -> None:
        self._model, self._memory, self._room = model, memory, room - REPLY
        known = memory.way(model.name)
        self._ways = list(WAYS[WAYS.index(known) :] if known else WAYS)  # that may still be tried

    @property
    def name(self) -> str:
        return self._model.name

    def decide(self, run: RunView) -> Generator[Thinking, None, Decision]:
        """The model's next action; raises `ModelFailed` where none can be read out of what it says."""
        state, chances, aside = cast(Run, run), _Chances(), tuple[Message, ...]()
        while True:
            heard, way = yield from self._ask(state, aside, chances)
            reply = heard.read()
            if isinstance(reply, Decision) and heard.end and heard.end.finish != "length":
                self._memory.remember(self.name, way)
                return reply
            if heard.end is None or heard.end.finish == "broken":
                raise _broken(heard, reply)
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
                early = not state.searches and bool(state.selection)
                if early and chances.take("nudge"):
                    yield Noted("The model answered before anything was searched and was told to search first.")
                    aside = (*_said(heard), Message("user", prompts.nudge(way)))
                elif early and way == "tools" and self._memory.way(self.name) is None:
                    self._ways.remove(way)  # the server took the tools, and its model never heard of them
                    yield Noted(f"The model calls no tool; {_WAYS_IN_WORDS[self._ways[0]]} is tried.")
                    aside = ()
                else:
                    return _in_prose(reply, state)

    def restate(self, question: str, history: Sequence[Exchange], run: RunView) -> Generator[Thinking, None, str]:
        """The question as it stands alone, in one line of the model's."""
        return restated(self._model, question, history, cast(Run, run))

    def _ask(
        self, run: Run, aside: tuple[Message, ...], chances: _Chances
    ) -> Generator[Thinking, None, tuple[Heard, Way]]:
        """One reply, in the first way that the server takes, to a briefing that it takes."""
        while True:
            way = self._ways[0]
            briefing = brief(run, way, room=self._room)
            if run.evidence and len(briefing.left_out) == len(run.evidence):
                raise OutOfBounds("Nothing of what was found fits into TRACEBOOK_CONTEXT_TOKENS beside the question.")
            try:
                heard = yield from hear(self._model, (*briefing.messages, *aside), way, prompts.TOOLS, run)
            except WayRefused as refused:
                if len(self._ways) == 1:
                    raise
                if self._memory.way(self.name) == way and chances.take("refused"):
                    yield Noted(f"The server refused what it took before, and is asked again: {refused}")
                    continue
                self._ways.pop(0)
                yield Noted(f"The server takes no {_WAYS_IN_WORDS[way]}; {_WAYS_IN_WORDS[self._ways[0]]} is tried.")
            except ContextTooLong:
                if not run.evidence:
                    raise
                self._room = briefing.tokens - int(SHORTER * briefing.passages) - 1
                yield Noted("The briefing was too long for the model; its weakest passages are left out.")
            else:
                if briefing.left_out:
                    yield Noted(f"Left out of the briefing for want of room: {_marks(briefing.left_out)}.")
                told = f"The model decides by {_WAYS_IN_WORDS[way]}."
                if told not in run.notes and not any(step.kind != "plan" for step in run.steps):
                    yield Noted(told)
                return heard, way


def _said(heard: Heard) -> tuple[Message, ...]:
    """What the model said, for it to see what was wrong; native calls as text, since a call wants a result."""
    return (Message("assistant", heard.whole[:ECHO]),) if heard.whole.strip() else ()


def _in_prose(reply: Prose, run: Run) -> Decision:
    thought = "The model wrote its answer as plain text." + (
        "" if run.searches else " Nothing was searched before, so it does not come from the documents."
    )
    return Decision(thought, "answer_directly", {"answer": reply.text})


def _broken(heard: Heard, reply: Reply) -> ModelFailed:
    """With what came of an answer before the connection broke."""
    said = heard.answer_so_far() or (reply.text if isinstance(reply, Prose) else "")
    if said.strip():
        return ReplyBroken(said)
    return ModelFailed("The connection to the model broke in the middle of its reply. Ask again.")


def _marks(numbers: Sequence[int]) -> str:
    return ", ".join(f"[{number}]" for number in numbers)
