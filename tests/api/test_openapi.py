"""The description is true: the running server holds to it, whatever is sent."""

import json
import re
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.specs.openapi import checks as promised

from rag.api.app import make_api
from rag.api.openapi import openapi
from rag.settings import Settings

load_all_checks()
CHECKS = [
    not_a_server_error,
    promised.status_code_conformance,
    promised.content_type_conformance,
    promised.response_headers_conformance,
    promised.response_schema_conformance,
]


OPERATIONS = sorted(
    (method, path)
    for path, methods in openapi(make_api(Settings(data=Path())).operations)["paths"].items()
    for method in methods
)
BOUNDED = settings(
    max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def description(server):
    return schemathesis.openapi.from_url(f"{server.base_url}/api/openapi.json")


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_the_server_holds_to_its_description(description, method, path):
    operation = description[path][method]

    @BOUNDED
    @given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    def as_described(case):
        case.call_and_validate(checks=CHECKS)

    @BOUNDED
    @given(case=operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
    def not_as_described(case):
        case.call_and_validate(checks=CHECKS)

    as_described()
    if operation.body or operation.query:
        not_as_described()


def test_answers_of_real_questions_are_as_described(server):
    described = server.get("/api/openapi.json").json()

    def check(value, method, path, media="application/json"):
        success = described["paths"][path][method]["responses"]["200"]
        schema = success["content"][media]["schema"]
        Draft202012Validator(schema | {"components": described["components"]}).validate(value)

    made = server.post("/api/conversations", json={"title": "Revenue"}).json()["id"]
    for query in ("What was the revenue of Alder and Birch?", "Which risks do these reports share?"):
        body = {"query": query, "conversationId": made}
        result = server.post("/api/agent/query", json=body).json()
        check(result, "post", "/api/agent/query")
        check(server.post("/api/chat", json=body).json(), "post", "/api/chat")
        check(server.get(f"/api/runs/{result['runId']}").json(), "get", "/api/runs/{run}")
        check(server.get(f"/api/runs/{result['runId']}/export").json(), "get", "/api/runs/{run}/export")
        for path in ("/api/agent/stream", "/api/chat/stream"):
            for block in server.post(path, json={"query": query}).text.strip().split("\n\n"):
                name, data = re.fullmatch(r"event: (\w+)\ndata: (.*)", block).groups()
                check({"event": name, "data": data}, "post", path, "text/event-stream")
                schemas = success_events(described, path)
                Draft202012Validator(schemas[name] | {"components": described["components"]}).validate(json.loads(data))
    check(server.get(f"/api/conversations/{made}").json(), "get", "/api/conversations/{conversation}")
    check(server.get(f"/api/conversations/{made}/export").json(), "get", "/api/conversations/{conversation}/export")
    check(server.get("/api/runs").json(), "get", "/api/runs")
    check(server.get("/api/documents").json(), "get", "/api/documents")
    passages = server.get("/api/documents/alder_2023.txt/passages").json()
    check(passages, "get", "/api/documents/{document}/passages")
    check(server.get("/rag/search", params={"q": "revenue"}).json(), "get", "/rag/search")


def success_events(described, path):
    """The schema of each event's data."""
    media = described["paths"][path]["post"]["responses"]["200"]["content"]["text/event-stream"]
    shapes = [each["properties"] for each in media["schema"]["oneOf"]]
    return {shape["event"]["const"]: shape["data"]["contentSchema"] for shape in shapes}


def test_every_name_is_camel_case_and_every_field_of_a_result_is_described(server):
    document = server.get("/api/openapi.json").json()
    schemas = document["components"]["schemas"]
    names = {name for schema in schemas.values() for name in schema.get("properties", {})}
    assert [name for name in names if not re.fullmatch(r"[a-z][A-Za-z0-9]*", name)] == []
    assert schemas["Result"]["properties"]["notInLibrary"]["description"].startswith("names that the question asks for")
    assert set(document["paths"]) >= {"/api/agent/query", "/api/agent/stream", "/rag/search", "/api/openapi.json"}


def test_the_page_asks_nothing_of_another_host(server):
    page = server.get("/api/docs")
    assert page.headers["content-type"].startswith("text/html")
    assert not re.search(r"https?://|src=|@import", page.text)
