"""What a language model replied, read with patience: a decision, plain words, or neither.

Nothing is made up: every value of a decision stands in the reply, and what was cut off is not mended. Of several
decisions the first counts; what a model puts into the mouth of a tool ("Observation: …") comes after it and is lost.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rag.agent.loose_json import BadJson, objects, read_object
from rag.types import Decision


@dataclass(frozen=True)
class Prose:
    text: str  # plain words, without thinking and without labels


@dataclass(frozen=True)
class Unreadable:
    why: str  # in words that are sent back to the model


Reply = Decision | Prose | Unreadable

_ACTION = ("action", "tool", "tool_name")
_INPUT = ("action_input", "input", "arguments", "args", "parameters", "tool_input")
_THOUGHT = ("thought", "thoughts", "thinking", "reasoning", "reason")
_ANSWERS = frozenset({"final answer", "final_answer", "finish", "answer"})
_BARE = {"search_documents": "query", "answer_directly": "answer", "get_document_summary": "document"}
_TAG = r"think|thinking|thought|reasoning|analysis|reflection|scratchpad"
_THOUGHT_BEFORE = re.compile(rf"\A.*</(?:{_TAG})>", re.S | re.I)  # where the server kept the opening tag to itself
_OPENED = re.compile(rf"<(?:{_TAG})>", re.I)
_CHANNEL = re.compile(r"\A.*<\|channel\|>\s*(?:final|commentary)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>", re.S)
_MARKER = re.compile(r"<\|[a-z_]+\|>")
_REACT = re.compile(
    r"^[ \t*#>]*Action[ \t*]*:[ \t*]*`?(?P<name>[A-Za-z_][\w -]*?)`?[ \t*]*$"
    r"(?:\s*^[ \t*#>]*Action[ _]?Input[ \t*]*:[ \t*]*(?P<input>.*?)(?=^[ \t*#>]*(?:Observation|Thought|Action)\b|\Z))?",
    re.M | re.S | re.I,
)
_OBSERVED = re.compile(r"^[ \t*#>]*Observation[ \t*]*:.*", re.M | re.S | re.I)
_THOUGHT_LINE = re.compile(r"^[ \t*#>]*Thought[ \t*]*:[^\n]*\n?", re.M | re.I)
_LABEL = re.compile(r"\A.*?^[ \t*#>]*(?:Final[ ]Answer|Answer)[ \t*]*:[ \t*]*", re.M | re.S | re.I)
_FENCE = re.compile(r"\A```\w*\n(.*?)\n?```\s*\Z", re.S)
_EMPTY = "It is empty."
_KEYS = 'It holds no action. The keys are "thought", "action" and "action_input".'


def read_text(text: str) -> Reply:
    """Of a model that writes its decision as text."""
    said = without_thinking(text).strip()
    if not said:
        return Unreadable(_EMPTY)
    found, wrong, rest = _first_decision(said)
    react = _REACT.search(said)
    if react and (found is None or react.start() < found.start):
        return _from_react(react, said)
    if found:
        return found.decision
    if wrong:
        return Unreadable(wrong)
    if not _words(rest):
        return Unreadable(_KEYS)
    prose = as_prose(said)
    return Prose(prose) if prose else Unreadable(_EMPTY)


def read_tool_call(name: str, arguments: str | Mapping[str, Any] | None, thought: str = "") -> Decision | Unreadable:
    """Of a native tool call; `thought` is what the model said beside it. Empty arguments are none."""
    if isinstance(arguments, str):
        try:
            given = _input(name, arguments.strip())
        except BadJson as wrong:
            return Unreadable(f"The arguments of {name!r} are no JSON object: {wrong}.")
    else:
        given = dict(arguments or {})
    own = _take(given, _THOUGHT, str)
    return Decision((own or as_prose(without_thinking(thought)) or "").strip(), name.strip(), given)


def without_thinking(text: str) -> str:
    """The reply without what the model thought aloud between tags."""
    text = _MARKER.sub("", _CHANNEL.sub("", text)) if "<|" in text else text
    text = _THOUGHT_BEFORE.sub("", _between_tags_removed(text)) if "</" in text else text
    return _OPENED.sub("", text, count=1) if _has_decision_after_opening(text) else _OPENED.split(text)[0]


def _between_tags_removed(text: str) -> str:
    kept, at = "", 0
    while opened := _OPENED.search(text, at):
        close = text.casefold().find(f"</{opened.group()[1:].casefold()}", opened.end())
        if close < 0:
            break
        kept += text[at : opened.start()]
        at = close + len(opened.group()) + 1
    return kept + text[at:]


def _has_decision_after_opening(text: str) -> bool:
    opened = _OPENED.search(text)
    return opened is None or _first_decision(text[opened.end() :])[0] is not None


def as_prose(text: str) -> str:
    """Plain words of a reply: no fence around it, no "Thought:" line, no "Final Answer:" label."""
    text = _OBSERVED.sub("", text).strip()
    if fenced := _FENCE.match(text):
        text = fenced[1]
    labelled = _LABEL.match(text)
    return (text[labelled.end() :] if labelled else _THOUGHT_LINE.sub("", text)).strip()


class _Found(NamedTuple):
    decision: Decision
    start: int  # of its JSON in the reply


def _first_decision(text: str) -> tuple[_Found | None, str, str]:
    """The first decision; else what was wrong with JSON that was meant as one; and the words around the JSON."""
    around, at, wrong = "", 0, ""
    for piece in objects(text):
        around += text[at : piece.start]
        at = piece.end
        if piece.value is None:
            if piece.wrong and not wrong:
                wrong = f"Its JSON cannot be read: {piece.wrong}."
            continue
        try:
            decision = _decision(piece.value, text[: piece.start])
        except BadJson as bad:
            return None, f"Its action_input is no JSON object: {bad}.", around
        if decision and not wrong:
            return _Found(decision, piece.start), "", around
    return None, wrong, around + text[at:]


def _decision(value: Mapping[str, Any], before: str) -> Decision | None:
    """The object as a decision; None where it is data."""
    calls = value.get("tool_calls")
    if isinstance(calls, list) and calls and isinstance(calls[0], dict):
        return _decision(calls[0], before)
    given = dict(value)
    thought = _take(given, _THOUGHT, str) or ""
    nested = next((given[key] for key in ("function", *_ACTION) if isinstance(given.get(key), dict)), None)
    if nested is not None:
        inner = _decision(nested, before)
        return inner and Decision(inner.thought or thought, inner.action, inner.action_input)
    name = _take(given, (*_ACTION, "function"), str)
    if name is None and any(key in given for key in _INPUT):
        name = _take(given, ("name",), str)
    if name is None:
        if not isinstance(given.get("answer"), str) or set(given) - {"answer", "value"}:
            return None
        name = "answer_directly"
    action = "answer_directly" if name.strip().casefold() in _ANSWERS else name.strip()
    key = next((key for key in _INPUT if key in given), None)
    inputs = _as_input(action, given[key]) if key else given
    inside = _take(inputs, ("thought",), str)
    return Decision((thought or inside or as_prose(_aside(before))).strip(), action, inputs)


def _aside(before: str) -> str:
    return re.sub(r"```\w*\s*\Z", "", before).strip()


def _as_input(action: str, value: object) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, str):
        return _input(action, value.strip())
    return {}


def _input(action: str, text: str) -> dict[str, Any]:
    """An action input written as text: JSON, or the one field that the action needs. Raises `BadJson`."""
    if text in ("", "null"):
        return {}
    if text[0] in "{[" or text.startswith("```"):
        return read_object(text)
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1].replace('\\"', '"')
        if text.startswith("{"):
            return read_object(text)
    if action not in _BARE:
        raise BadJson("plain text stands where an object should")
    return {_BARE[action]: text}


def _from_react(found: re.Match[str], text: str) -> Reply:
    name = found["name"].strip()
    thought = as_prose(re.sub(r"^[ \t*#>]*Thought[ \t*]*:[ \t*]*", "", text[: found.start()], flags=re.M | re.I))
    try:
        given = _input(name, _OBSERVED.sub("", found["input"] or "").strip())
    except BadJson as wrong:
        return Unreadable(f"Its action input is no JSON object: {wrong}.")
    inside = _take(given, ("thought",), str)
    return Decision(thought or inside or "", name, given)


def _take(given: dict[str, Any], keys: tuple[str, ...], kind: type[str]) -> str | None:
    """The first of these fields that is there and of this kind, taken out."""
    key = next((key for key in keys if isinstance(given.get(key), kind)), None)
    return given.pop(key) if key else None


def _words(text: str) -> Iterator[str] | list[str]:
    return re.findall(r"\w+", re.sub(r"```\w*", "", text))
