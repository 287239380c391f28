"""Our dataclasses as the JSON that leaves the program, and back: camelCase fields, tuples as lists, None kept.

Keys of mappings are ids or arguments' names and stay as they are.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from rag.errors import BadInput

T = TypeVar("T")
Decoder = Callable[[Any], Any]


def camel(name: str) -> str:
    """`run_id` as `runId`."""
    head, *rest = name.split("_")
    return head + "".join(word.title() for word in rest)


def to_json(value: Any) -> Any:
    """What `json.dumps` takes for a dataclass, tuple, mapping or plain value."""
    if is_dataclass(value):
        kind: Any = type(value)
        return {key: to_json(getattr(value, name)) for name, key in _keys(kind)}
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    return value


def from_json(kind: type[T], value: Any) -> T:
    """The dataclass that `to_json` made `value` of; fields with a default may be absent; raises `BadInput`."""
    hint: Any = kind
    try:
        return cast(T, _decoder(hint)(value))
    except (TypeError, AttributeError, ValueError) as error:
        raise BadInput(f"This is not the JSON of a {kind.__name__.lower()}: {error}.") from error


@cache
def _keys(kind: type) -> tuple[tuple[str, str], ...]:
    return tuple((field.name, camel(field.name)) for field in fields(kind))


@cache
def _decoder(hint: Any) -> Decoder:
    """Reads one type: made once for each, since a trace holds thousands of passages."""
    origin, arguments = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        return _dataclass(hint)
    if origin is tuple and arguments[-1] is Ellipsis:
        item = _decoder(arguments[0])
        return lambda value: tuple(item(each) for each in _a(list, value))
    if origin is tuple:
        items = [_decoder(argument) for argument in arguments]
        return lambda value: tuple(item(each) for item, each in zip(items, _a(list, value), strict=True))
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        item = _decoder(arguments[1])
        return lambda value: {key: item(each) for key, each in _a(dict, value).items()}
    if origin in (Union, types.UnionType) and len(arguments) == 2 and arguments[1] is type(None):
        item = _decoder(arguments[0])
        return lambda value: None if value is None else item(value)
    return lambda value: value


def _dataclass(kind: Any) -> Decoder:
    hints = get_type_hints(kind)
    parts = [(field.name, camel(field.name), _decoder(hints[field.name])) for field in fields(kind)]
    needed = [
        camel(field.name) for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING
    ]

    def read(value: Any) -> Any:
        if absent := [key for key in needed if key not in _a(dict, value)]:
            raise ValueError(f"it lacks {absent[0]!r}")
        return kind(**{name: decode(value[key]) for name, key, decode in parts if key in value})

    return read


def _a(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind):
        raise ValueError(f"{value!r:.60} stands where a {kind.__name__} should")
    return value
