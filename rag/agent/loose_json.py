"""JSON objects inside a text, as models write them: fenced, with commas too many, in Python's spelling.

Only what is whole is read. An object whose end is missing is told apart, and nothing inside it is taken for one.
"""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

MOST = 200  # opening braces that are tried, so that no text takes for ever
_OBJECT = re.compile(r"\{(?=\s*[\"'}])")
_DECODER = json.JSONDecoder(strict=False)  # a line break inside a string is forgiven


class BadJson(ValueError):
    """What is wrong with it, in words."""


class Piece(NamedTuple):
    start: int
    end: int
    value: dict[str, Any] | None  # None: it could not be read
    wrong: str = ""


def objects(text: str) -> Iterator[Piece]:
    """The outermost objects, from left to right; one that cannot be read is told with what is wrong."""
    at = 0
    for _ in range(MOST):
        opening = _OBJECT.search(text, at)
        if not opening:
            return
        start = opening.start()
        end = end_of(text, start)
        if end is None:
            whole = _whole(text, start)
            yield whole or Piece(start, len(text), None, "its end is missing")
            if not whole:
                return
            at = whole.end
            continue
        piece = _whole(text, start) or _loose(text, start, end)
        yield piece
        at = piece.end


def read_object(text: str) -> dict[str, Any]:
    """The one object that the text is, a fence around it left aside; raises `BadJson`."""
    first = next(objects(text), None)
    if first is None or first.value is None:
        raise BadJson(first.wrong if first else "it holds no object")
    return first.value


def end_of(text: str, start: int) -> int | None:
    """Behind the brace that closes the one at `start`; None: it is not there. Braces in strings do not count."""
    depth, quote, skip = 0, "", False
    for place in range(start, len(text)):
        sign = text[place]
        if skip:
            skip = False
        elif quote:
            if sign == "\\":
                skip = True
            elif sign == quote:
                quote = ""
        elif sign == '"' or (sign == "'" and _opens(text, place)):
            quote = sign
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                return place + 1
    return None


def _opens(text: str, place: int) -> bool:
    """Whether a single quote opens a string, and is no apostrophe."""
    return text[max(0, place - 8) : place].rstrip()[-1:] in tuple("{[,:(")


def _whole(text: str, start: int) -> Piece | None:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return Piece(start, end, value) if isinstance(value, dict) else None


def _loose(text: str, start: int, end: int) -> Piece:
    """An object with commas before its closing braces, or one in Python's spelling."""
    body = text[start:end]
    wrong = "it is no JSON"
    for mend, read in ((_without_trailing_commas, _DECODER.decode), (str, ast.literal_eval)):
        try:
            value = read(mend(body))
        except json.JSONDecodeError as error:
            wrong = f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.pos}"
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
        else:
            if isinstance(value, dict) and all(isinstance(key, str) for key in value):
                return Piece(start, end, value)
    return Piece(start, end, None, wrong)


def _without_trailing_commas(text: str) -> str:
    return re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', lambda found: found[1] or "", text, flags=re.S)
