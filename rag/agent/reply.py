"""What a language model replied: a decision, plain words, or something that it is asked to write again.

One tolerant reader for JSON modes, for plain text in the form of ReAct, and for native tool calls. It takes what stands
in the reply and nothing else: what is cut off or broken is said, never completed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, get_args

from rag.agent.loose_json import end_of_object, opens_object, read_json, whole, whole_text
from rag.agent.spoken import Spoken, answer_in, label, spoken_words, thought_in, without_stop_sign
from rag.types import Action, Decision


@dataclass(frozen=True)
class Prose:
    """A reply in plain words."""

    text: str  # without thinking, "Thought:" lines and the label "Final Answer:"


@dataclass(frozen=True)
class Unreadable:
    """A reply that has to be written again."""

    why: str  # what was wrong and what is wanted, in sentences that are sent back to the model


Reply = Decision | Prose | Unreadable
Given = dict[str, object]

ACTIONS: tuple[str, ...] = get_args(Action)
ACTION_KEYS = ("action", "tool", "name", "tool_name", "function")
INPUT_KEYS = ("action_input", "input", "arguments", "args", "parameters")
_WRAPPERS = ("tool_calls", "tool_call", "function_call", "function")  # OpenAI's shape, written out as text
_BARE = {"search_documents": "query", "answer_directly": "answer", "get_document_summary": "document"}
_WANTED = (
    'Write one JSON object with the keys "thought", "action" and "action_input"; '
    f'"action" is one of {", ".join(ACTIONS)}.'
)
_MARK = re.compile(rf"(?P<object>\{{)|{label('Action')}(?P<name>[^\n{{]*)", re.M | re.I)
_INPUT = re.compile(rf"\s*+{label('Action[ _]Input')}", re.M | re.I)
_NEXT = re.compile(label("Observation|Thought|Action|Final Answer"), re.M | re.I)
_FENCE = re.compile(r"\s*+```\w*\s*+(?=\{)")
_CUT_STRING = re.compile(r'"(?:[^"\\]|\\.)*+\\?', re.S)
_LIST = re.compile(r'\[\s*["{[]')
_FENCES = re.compile(r"```\w*")


def read_text(text: str) -> Reply:
    """The first decision in the text, or the words that it consists of."""
    try:
        return _first(whole_text(text))
    except ValueError as wrong:
        return Unreadable(f"{_sentence(wrong)} {_WANTED}")


def read_tool_call(name: str, arguments: str | Mapping[str, object] | None, thought: str = "") -> Decision | Unreadable:
    """A native tool call; a "thought" among its arguments is taken out of them."""
    if not name.strip():
        return Unreadable(f"The call names no tool. These exist: {', '.join(ACTIONS)}.")
    try:
        given = _given(name, _written(whole_text(arguments)) if isinstance(arguments, str) else whole(arguments))
    except (ValueError, RecursionError) as wrong:
        return Unreadable(f"{_sentence(wrong)} Call {whole_text(name)} again with one JSON object as its arguments.")
    own = given.get("thought")
    said = own if isinstance(own, str) else thought_in(spoken_words(whole_text(thought)))
    return Decision(said, whole_text(name), {key: value for key, value in given.items() if key != "thought"})


def _first(text: str) -> Reply:
    spoken = Spoken(text)
    while mark := spoken.find(_MARK):
        at = mark.start()
        if spoken.tool:
            break
        if mark["object"] and opens_object(text, at):
            end = end_of_object(text, at)
            spoken.skip(at)
            if not spoken.thinks_on(end) and (decision := _decision(cast(Given, read_json(text[at:end])), spoken)):
                return decision
            spoken.skip(end, data=True)
        elif not mark["object"] and (decision := _react(text, mark, spoken)):
            return decision
        else:
            spoken.skip(mark.end())
    if spoken.tool:
        return read_tool_call(spoken.tool, spoken.rest(), spoken.said(with_rest=False))
    return Prose(_answer(spoken))


def _answer(spoken: Spoken) -> str:
    """The answer that a reply without a decision gives."""
    answer = answer_in(spoken.said())
    beside = _FENCES.sub("", answer_in(spoken.said(with_data=False)))
    if re.search(r"\w", beside) and answer not in ("null", "None"):
        return answer
    if spoken.unclosed:
        raise ValueError("the reply ends within its thinking")
    if beside != _FENCES.sub("", answer):
        raise ValueError("the JSON is no decision")
    empty = not spoken.said().strip()
    raise ValueError("the reply is empty" if empty else "the reply holds neither a decision nor an answer")


def _decision(value: Given, spoken: Spoken) -> Decision | None:
    """The decision that an object is; None: it is data."""
    call = _call(value)
    key = next((k for k in call if k in ACTION_KEYS and isinstance(call[k], str) and str(call[k]).strip()), None)
    field = next((k for k in call if k in INPUT_KEYS), None)
    if key is None and {"thought", "action_input"} & call.keys():
        raise ValueError('the JSON names no "action"')
    if key is None or (field is None and call[key] not in ACTIONS and "thought" not in call):
        return None
    action = str(call[key])
    rest = {k: v for k, v in call.items() if k not in (key, "thought")}
    thought = value.get("thought", call.get("thought"))
    return Decision(
        thought if isinstance(thought, str) else thought_in(spoken.said(with_rest=False)),
        action,
        _given(action, rest if field is None else call[field]),
    )


def _call(value: Given) -> Given:
    """The object that names the action: the value itself, or the first call that it wraps."""
    for key in _WRAPPERS:
        inner = value.get(key)
        first = inner[0] if isinstance(inner, list) and inner else inner
        if isinstance(first, dict):
            return _call(first)
    return value


def _react(text: str, mark: re.Match[str], spoken: Spoken) -> Decision | None:
    """The decision that a line "Action: …" begins; None: it is a line of prose."""
    name = mark["name"].strip(" \t\r`*_\"'")
    line = _INPUT.match(text, mark.end())
    at = line.end() if line else mark.end()
    fence = _FENCE.match(text, at)
    at = fence.end() if fence else at
    if not name or not (line or name.startswith(ACTIONS)):
        return None
    if not line and name not in ACTIONS:
        raise ValueError(f"the action {name!r} is not a name alone")
    if text.startswith("{", at) and opens_object(text, at):
        written = text[at : end_of_object(text, at)]
    else:
        stop = _NEXT.search(text, at)
        written = text[at : stop.start() if stop else len(text)] if line else ""
    spoken.skip(mark.start())
    return Decision(thought_in(spoken.said(with_rest=False)), name, _given(name, _written(written)))


def _written(text: str) -> object:
    """What an input means that is written as text: its JSON, or the words as they stand."""
    words = without_stop_sign(text)
    fence = _FENCE.match(words)
    words = words[fence.end() :] if fence else words
    if opens_object(words):
        return read_json(words[: end_of_object(words)])
    if _CUT_STRING.fullmatch(words):
        raise ValueError("the JSON string is cut off")
    try:
        return read_json(words) if words.startswith(('"', "[")) else words
    except ValueError:
        if _LIST.match(words):
            raise
        return words


def _given(action: str, value: object) -> Given:
    """An action's input as an object; a bare value stands under the key that the action needs most."""
    if isinstance(value, str) and opens_object(value.strip()):
        value = _written(value)
    if isinstance(value, dict):
        return value
    empty = value is None or (isinstance(value, str) and value.strip() in ("", "null", "None"))
    return {} if empty else {_BARE.get(action, "input"): value}


def _sentence(wrong: Exception) -> str:
    why = str(wrong)
    return f"{why[:1].upper()}{why[1:]}."
