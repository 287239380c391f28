"""One reply of a model as it comes in: what it says, what it calls, what it costs."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import get_args

from rag.agent.answer_stream import AnswerStream
from rag.agent.reply import Reply, read_text, read_tool_call
from rag.agent.run import Run
from rag.errors import OutOfTime, OutOfTokens
from rag.ingest.tokens import count as tokens
from rag.ports import ChatModel
from rag.types import (
    Action,
    AnswerDelta,
    CallDelta,
    Decision,
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

REPLY = 1_500  # tokens that are kept free for a reply
CHARACTERS = 4  # of a token, about
_ANSWERS = ("final answer", "final_answer", "finish", "respond")  # what others call `answer_directly`


@dataclass
class Heard:
    """A reply so far; `end` is None until it is whole."""

    text: str = ""
    name: str = ""
    arguments: str = ""
    end: ReplyEnd | None = None

    @property
    def called(self) -> bool:
        return bool(self.name or self.arguments)

    @property
    def whole(self) -> str:
        return f"{self.text}{self.name}{self.arguments}"

    def read(self) -> Reply:
        """A decision whose action bears our name for it, where it is one of ours."""
        read = read_tool_call(self.name, self.arguments, self.text) if self.called else read_text(self.text)
        return (
            Decision(read.thought, action_named(read.action), read.action_input) if isinstance(read, Decision) else read
        )

    def answer_so_far(self) -> str:
        """As much of an answer as stands in a reply that broke off; "" where there is none."""
        stream = AnswerStream(action_named(self.name)) if self.called else AnswerStream()
        return stream.feed(self.arguments if self.called else self.text)


def action_named(name: str) -> str:
    """Our action of this name, in whatever case, with a model's own prefixes and signs; else the name as it is."""
    plain = name.partition("<|")[0].strip().casefold().removeprefix("functions.")
    if plain in _ANSWERS:
        return "answer_directly"
    return next((action for action in get_args(Action) if action == plain), name)


def check_bounds(run: Run, needed: int) -> None:
    """Raises `OutOfBounds` where a request of so many tokens is more than the run has left."""
    if run.tokens_left is not None and needed + REPLY // 3 > run.tokens_left:
        raise OutOfTokens()
    if run.seconds_left <= 0:
        raise OutOfTime()


def hear(
    model: ChatModel, messages: Sequence[Message], way: Way, tools: Sequence[Tool], run: Run, *, stream: bool = True
) -> Generator[Thinking, None, Heard]:
    """One reply to its end, for as long as the run's tokens last; whatever ends it, what it took is told.

    With `stream` an answer's text is passed on as it comes, where it can go out as it is.
    """
    needed = sum(tokens(message.text) for message in messages)
    check_bounds(run, needed)
    heard, most = Heard(), None if run.tokens_left is None else CHARACTERS * (run.tokens_left - needed)
    try:
        yield from _listen(model, messages, way, tools, run, heard, most, stream=stream and not run.must_sweep)
    except Exception:
        if heard.whole:
            yield Spent(Usage(needed, tokens(heard.whole)))
        raise
    counted = heard.end.usage if heard.end else None
    yield Spent(counted if counted and counted.tokens else Usage(needed, tokens(heard.whole)))
    return heard


def _listen(
    model: ChatModel,
    messages: Sequence[Message],
    way: Way,
    tools: Sequence[Tool],
    run: Run,
    heard: Heard,
    most: int | None,
    *,
    stream: bool,
) -> Generator[Thinking, None, None]:
    """Fills `heard`; `most` is how many characters may come, None: any number."""
    spoken, called, began, length = AnswerStream(), None, False, 0
    for delta in model.stream(messages, way, tools, cancel=run.cancel, seconds=run.seconds_left):
        piece = ""
        match delta:
            case Waiting():
                yield Noted(f"The model's server: {delta.why}; asked again after {delta.seconds:g} s.")
            case TextDelta():
                heard.text += delta.text
                piece = spoken.feed(delta.text)
                length += len(delta.text)
            case CallDelta():
                heard.name += delta.name
                heard.arguments += delta.arguments
                called = called or (AnswerStream(action_named(heard.name)) if delta.arguments else None)
                piece = called.feed(delta.arguments) if called else ""
                length += len(delta.arguments)
            case ReplyEnd():
                heard.end = delta
        if piece and stream:
            yield AnswerDelta(piece, anew=not began)
            began = True
        if most is not None and length > most:
            raise OutOfTokens()
