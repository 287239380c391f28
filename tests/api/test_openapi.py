"""The description is true: the running server holds to it, whatever is sent."""

import re
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
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
