"""A follow-up as a question that stands alone, in a model's words; where they will not do, by rules."""

import re
from collections.abc import Generator, Sequence

from rag import prompts
from rag.agent.hearing import Heard, hear
from rag.agent.reply import Prose, read_text
from rag.agent.run import Run
from rag.errors import ModelFailed, OutOfBounds, Stopped
from rag.ingest.tokens import count as tokens
from rag.ports import ChatModel
from rag.search.followup import stand_alone
from rag.search.names import bearers
from rag.types import Exchange, Message, Thinking

HISTORY = 1_500  # tokens of the conversation that are told
ANSWER = 200  # of them for each answer
LONGEST = 400  # characters of a question that is taken
_LABEL = re.compile(r"^(?:(?:last|rewritten|stand-?alone)\s+)?question\s*:\s*", re.I)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def restated(model: ChatModel, question: str, history: Sequence[Exchange], run: Run) -> Generator[Thinking, None, str]:
    """The question as it stands alone; as it is where it does already."""
    if not history:
        return question
    by_rules = stand_alone(question, [exchange.question for exchange in history], run.selection)
    messages = (Message("system", prompts.RESTATE), Message("user", prompts.follow_up(_told(history), question)))
    try:
        heard = yield from hear(model, messages, "text", (), run, stream=False)
    except (OutOfBounds, Stopped):
        raise
    except ModelFailed:
        return by_rules  # what is wrong with the model shows at the first decision
    line = _line(heard)
    return line if line and _keeps(question, line, run) else by_rules


def _told(history: Sequence[Exchange]) -> list[tuple[str, str]]:
    """As much of the conversation as there is room for, the newest of it."""
    told: list[tuple[str, str]] = []
    room = HISTORY
    for exchange in reversed(history):
        size = min(ANSWER, tokens(exchange.answer))
        room -= tokens(exchange.question) + size
        if room < 0:
            break
        told.insert(0, (exchange.question, exchange.answer[: 4 * size]))
    return told


def _line(heard: Heard) -> str:
    """The question in a whole reply: its last line with a question mark, else its only line; "" where there is none."""
    reply = read_text(heard.text)
    if not heard.end or heard.end.finish != "stop" or not isinstance(reply, Prose):
        return ""
    lines = [_LABEL.sub("", line.strip("*` ")).strip('"“”*` ') for line in reply.text.splitlines() if line.strip()]
    asking = [line for line in lines if line.endswith("?")]
    found = asking[-1] if asking else lines[0] if len(lines) == 1 else ""
    return found if len(found) <= LONGEST else ""


def _keeps(question: str, line: str, run: Run) -> bool:
    """Whether every report and year that the question names is named in the line, too."""
    wanted, given = (set(bearers(text, run.selection)) for text in (question, line))
    return wanted <= given and set(_YEAR.findall(question)) <= set(_YEAR.findall(line))
