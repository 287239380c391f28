"""The OpenAPI 3.1 document of the operations, its schemas made from the very types that requests and answers have."""

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from rag.api import events, problems
from rag.api.documents import FIELD, PASSWORD
from rag.api.door import KEY, OPEN
from rag.api.operation import Operation
from rag.wire import camel

Json = dict[str, Any]
Refs = Mapping[Any, Json]  # a type and the reference to its schema

_ANY = (400, 401, 403, 413, 422, 429, 500, 503)  # problems that any request may meet
_COMMENT = r"^    {field}: (?:[^#\n]|\n        )*?  # (.+)$"
_PASSWORD = {"type": "string", "description": "Opens those of the files that want one; used once, never stored."}
_KINDS = {"int": {"type": "integer", "minimum": 0}, "str": {"type": "string", "minLength": 1}}


def openapi(operations: Iterable[Operation], *, title: str = "Tracebook", version: str = "1") -> Json:
    operations = tuple(operations)
    refs, schemas = _schemas(operations)
    paths: dict[str, Json] = {}
    for operation in operations:
        path = re.sub(r"\{(\w+):\w+\}", r"{\1}", operation.path)
        paths.setdefault(path, {})[operation.method.lower()] = _entry(operation, refs)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version, "description": "Names are camelCase, times UTC, pages from 1."},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": KEY}},
        },
        "security": [{"key": []}, {}],
    }


def _entry(operation: Operation, refs: Refs) -> Json:
    answers: Json = {str(operation.status): _success(operation, refs)}
    shown = {problems.MEDIA: {"schema": refs[problems.Problem]}}
    if operation.path == OPEN:
        content = shown | _json(refs[operation.answers])["content"]
        answers["503"] = {"description": "Store or index cannot be used.", "content": content}
    for status in sorted({*_ANY, *operation.errors}):
        answers.setdefault(str(status), {"description": "A problem.", "content": shown})
    answers["429"]["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
    entry: Json = {"summary": operation.summary, "operationId": _id(operation), "responses": answers}
    if operation.description:
        entry["description"] = operation.description
    entry["tags"] = [_tag(operation)]
    entry["parameters"] = [*_in_path(operation), *_in_query(operation, refs)]
    if operation.in_body:
        entry["requestBody"] = {"required": True} | _json(refs[operation.takes])
    if operation.files:
        entry["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": _form(operation)}}}
    return entry | ({"security": []} if operation.path == OPEN else {})


def _success(operation: Operation, refs: Refs) -> Json:
    content = _json(refs[operation.answers])["content"] if operation.answers else {}
    for media in operation.media:
        kind = {"type": "object" if media == "application/json" else "string"}
        content[media] = {"schema": _events(operation, refs) if media == events.MEDIA else kind}
    return {"description": "Done."} | ({"content": content} if content else {})


def _events(operation: Operation, refs: Refs) -> Json:
    """Of one event of a stream."""
    return {"oneOf": [_event(name, refs[kind or operation.streams]) for name, kind in events.SHAPES.items()]}


def _event(name: str, schema: Json) -> Json:
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": schema}
    return {"type": "object", "required": ["event", "data"], "properties": {"event": {"const": name}, "data": data}}


def _json(schema: Json) -> Json:
    return {"content": {"application/json": {"schema": schema}}}


def _id(operation: Operation) -> str:
    words = re.findall(r"\w+", re.sub(r":\w+", "", operation.path).replace("/api/", "/"))
    return camel("_".join([operation.method.lower(), *words]))


def _tag(operation: Operation) -> str:
    """Its module's name: one module holds what belongs together."""
    return operation.handle.__module__.rpartition(".")[2].capitalize()


def _form(operation: Operation) -> Json:
    file = {"type": "string", "format": "binary"}
    files = {"type": "array", "items": file, "minItems": 1, "maxItems": operation.files}
    return {"type": "object", "required": [FIELD], "properties": {FIELD: files, PASSWORD: _PASSWORD}}


def _in_path(operation: Operation) -> Iterator[Json]:
    for name, kind in re.findall(r"\{(\w+)(?::(\w+))?\}", operation.path):
        yield {"name": name, "in": "path", "required": True, "schema": _KINDS[kind or "str"]}


def _in_query(operation: Operation, refs: Refs) -> Iterator[Json]:
    if operation.takes and not operation.in_body:
        schema = operation.takes.model_json_schema()
        for name, of in schema["properties"].items():
            yield {"name": name, "in": "query", "required": name in schema.get("required", ()), "schema": of}


def _schemas(operations: Iterable[Operation]) -> tuple[Refs, Json]:
    """A reference for each type, and what they refer to."""
    wanted: dict[Any, JsonSchemaMode] = {problems.Problem: "serialization"}
    for operation in operations:
        shapes = [*events.SHAPES.values(), operation.streams] if operation.streams else [operation.answers]
        wanted |= {shape: "serialization" for shape in shapes if shape}
        if operation.takes and operation.in_body:
            wanted[operation.takes] = "validation"
    inputs = [(kind, mode, TypeAdapter(kind)) for kind, mode in wanted.items()]
    found, rest = TypeAdapter.json_schemas(inputs, ref_template="#/components/schemas/{model}")
    schemas: Json = rest["$defs"]
    for kind in dict.fromkeys(each for top in wanted for each in _dataclasses(top)):
        _describe(kind, schemas.get(kind.__name__, {}))
    return {kind: schema for (kind, _), schema in found.items()}, schemas


def _dataclasses(hint: Any) -> Iterator[type]:
    """Those that the type is made of."""
    if is_dataclass(hint) and isinstance(hint, type):
        yield hint
        for each in get_type_hints(hint).values():
            yield from _dataclasses(each)
    for argument in get_args(hint):
        yield from _dataclasses(argument)


def _describe(kind: type, schema: Json) -> None:
    """Names as they leave the program, each with the comment that stands beside its field."""
    source = inspect.getsource(kind)
    named = {}
    for field, of in schema.get("properties", {}).items():
        comment = re.search(_COMMENT.format(field=field), source, re.M)
        named[camel(field)] = of | ({"description": comment[1]} if comment else {})
    schema["properties"] = named
    if "required" in schema:
        schema["required"] = [camel(field) for field in schema["required"]]
