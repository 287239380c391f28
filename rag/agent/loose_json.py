"""JSON as language models write it: with trailing commas, raw newlines, single quotes, Python's True and None.

What is missing is never made up: an object that is cut off, or is broken in any other way, is a `ValueError`.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping

_STRING = r""""(?:[^"\\]|\\.)*+(?P<double>")?|'(?:[^'\\]|\\.)*+(?P<single>')?"""
_BRACKETS = re.compile(rf"{_STRING}|[][{{}}]", re.S)
_LOOSE = re.compile(rf"(?P<string>{_STRING})|(?P<comma>,)(?=\s*[}}\]])|\b(?P<word>True|False|None)\b", re.S)
_ESCAPE = re.compile(r'\\(.)|"', re.S)
_WORDS = {"True": "true", "False": "false", "None": "null"}
_KEY = r"""(?:"(?:[^"\\]|\\.)*+(?:\\?\Z|"\s*+(?:\Z|:))|'(?:[^'\\]|\\.)*+(?:\\?\Z|'\s*+(?:\Z|:)))"""
_OBJECT = re.compile(rf"\{{\s*+(?:\Z|\}}|“|(?:thought|action|tool|name)\w*\s*:|{_KEY})", re.S)
DEEPEST = 100  # levels; what an action takes has three
ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
CUT = 'the JSON is cut off: its closing "}" is missing'


def opens_object(text: str, at: int = 0) -> bool:
    """Whether an object begins at this "{", be it whole or not: it has a key and a colon, as far as the text goes."""
    return bool(_OBJECT.match(text, at))


def end_of_object(text: str, at: int = 0) -> int:
    """The offset behind the "}" that closes the "{" at `at`."""
    depth = 0
    for token in _BRACKETS.finditer(text, at):
        if token[0][0] in "\"'":
            if not (token["double"] or token["single"]):
                break
            continue
        depth += 1 if token[0] in "{[" else -1
        if depth > DEEPEST:
            raise ValueError(f"the JSON is nested more than {DEEPEST} levels deep")
        if not depth:
            return token.end()
    raise ValueError(CUT)


def read_json(text: str) -> object:
    """The value that the whole text is: dict, list, str, int, float, bool or None."""
    try:
        return whole(json.loads(_LOOSE.sub(_strict, text), strict=False, object_pairs_hook=_object))
    except json.JSONDecodeError as wrong:
        near = wrong.doc[max(0, wrong.pos - 20) : wrong.pos + 20]
        raise ValueError(f"the JSON is not well formed: {wrong.msg} near {near!r}") from None
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


def whole(value: object) -> object:
    """The same value, fit to be stored: halves of a surrogate pair are joined, one alone becomes U+FFFD."""
    match value:
        case str():
            return whole_text(value)
        case Mapping():
            return {whole_text(str(key)): whole(each) for key, each in value.items()}
        case list() | tuple():
            return [whole(each) for each in value]
        case None | int():
            return value
        case float() if math.isfinite(value):
            return value
    raise ValueError(f"{value!r} is no value of JSON")


def whole_text(text: str) -> str:
    """The text with halves of a surrogate pair joined, and U+FFFD for one alone."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _strict(token: re.Match[str]) -> str:
    """A token as JSON wants it."""
    if token["comma"]:
        return ""
    if token["word"]:
        return _WORDS[token["word"]]
    return f'"{_ESCAPE.sub(_escaped, token["string"][1:-1])}"' if token["double"] or token["single"] else token[0]


def _escaped(found: re.Match[str]) -> str:
    """Quotes that a single-quoted string holds are escaped; "\\$" is "$", as in JSON5 and in Markdown."""
    if found[0] == '"':
        return '\\"'
    return found[1] if plain_escape(found[1]) else found[0]


def plain_escape(sign: str) -> bool:
    """Whether a backslash before this sign means the sign itself, though JSON does not ask for one."""
    return sign.isascii() and sign.isprintable() and not sign.isalnum() and sign not in ' "\\/'


def _object(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the JSON names {key!r} twice")
        found[key] = value
    return found
