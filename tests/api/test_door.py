"""Who may in, over real HTTP."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from rag.api.app import make_api
from rag.api.door import check_address, origins
from rag.errors import BadInput
from rag.settings import Settings
from tests.api.serving import ROOT, environment, free_port, serving

KEY = "a-key-of-a-test"
HEALTH = "/api/system/health"


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    more = {
        "TRACEBOOK_API_KEY": KEY,
        "TRACEBOOK_API_HOSTS": "reports.example, intern.example:8501",
        "TRACEBOOK_API_ORIGINS": "https://A.example/, http://b.example:3000",
    }
    with serving(tmp_path_factory.mktemp("locked"), **more) as running:
        yield running


def every_route(server, **more):
    """(method, address) of each operation that the server describes."""
    described = server.get("/api/openapi.json", **more).json()
    for path, methods in described["paths"].items():
        for method in methods:
            yield method, path.replace("{page}", "1").replace("{", "").replace("}", "")


@pytest.mark.parametrize(
    "given", [{}, {"headers": {"X-API-Key": "wrong"}}, {"headers": {"X-API-Key": ""}}, {"params": {"key": KEY}}]
)
def test_a37_without_the_key_every_route_but_health_is_shut(locked, given):
    routes = list(every_route(locked, headers={"X-API-Key": KEY}))
    assert len(routes) > 20
    for method, path in routes:
        answer = locked.request(method, path, **given)
        assert answer.status_code == (200 if path == HEALTH else 401), path
        assert KEY not in answer.text


def test_an_address_that_is_not_there_is_shut_as_well(locked):
    assert locked.get("/api/secret").status_code == 401
    assert locked.get("/api/secret", headers={"X-API-Key": KEY}).status_code == 404


def test_with_the_key_it_is_open(locked):
    assert locked.get("/api/documents", headers={"X-API-Key": KEY}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example:8501"}, 403),
        ({"Host": "["}, 403),
        ({"Host": "reports.example"}, 200),
        ({"Host": "intern.example:8501"}, 200),
        ({"Host": "Localhost:8501"}, 200),
        ({"Host": "[::1]:8501"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://a.example"}, 200),
        ({"Host": "reports.example", "Origin": "https://reports.example"}, 200),
        ({"Host": "reports.example", "Origin": "https://reports.example.evil"}, 403),
    ],
)
def test_hosts_and_origins_are_checked_against_a_list(locked, headers, status):
    assert locked.get(HEALTH, headers=headers).status_code == status


def test_only_an_origin_of_the_list_is_told_that_it_may(locked, server):
    ask = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    ask["Access-Control-Request-Headers"] = "X-API-Key"
    assert locked.options("/api/chat", headers=ask).headers["access-control-allow-origin"] == "https://a.example"
    for refused in (
        server.options("/api/chat", headers=ask),
        locked.options("/api/chat", headers=ask | {"Origin": "https://c.example"}),
        locked.options("/api/chat", headers=ask | {"Host": "evil.example"}),
    ):
        assert "access-control-allow-origin" not in refused.headers
        assert (refused.status_code, refused.headers["content-type"]) == (403, "application/problem+json")


@pytest.mark.parametrize("listed", ["*", "a.example", "https://a.example/path", "https://a.example, ftp://b.example"])
def test_what_is_no_origin_is_refused_at_the_start(tmp_path: Path, listed):
    with pytest.raises(BadInput, match="is no origin"):
        origins(Settings(data=tmp_path, api_origins=listed))


def test_past_the_rate_a_request_is_told_when_to_come_again(tmp_path: Path):
    with serving(tmp_path, TRACEBOOK_API_RATE="3") as server:
        answers = [server.get("/api/runs", headers={"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 61
        assert server.get(HEALTH).status_code == 200


def test_each_request_has_one_id_in_its_answer_and_in_the_log(server):
    answer = server.get("/api/nothing", headers={"X-Request-ID": "mine-1"})
    assert answer.headers["x-request-id"] == answer.json()["requestId"] == "mine-1"
    server.get("/api/nothing")  # by whose answer the line before it is written
    line = next(line for line in server.log.read_text("utf-8").splitlines() if '"mine-1"' in line)
    assert json.loads(line) | {"path": "/api/nothing", "status": 404} == json.loads(line)
    assert server.get("/api/nothing", headers={"X-Request-ID": "<b>"}).headers["x-request-id"] != "<b>"


@pytest.mark.parametrize("path", ["/api", "/rag", "/api/", "/api/documents/x%2f..%2fy", "/api/%00", "/rag/search/"])
def test_all_addresses_of_the_api_answer_in_its_way(server, path):
    answer = server.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.headers["x-request-id"] == answer.json()["requestId"]


def test_all_that_is_logged_is_json(server):
    server.post("/api/documents", content=b"zzz", headers={"Content-Type": "multipart/form-data; boundary=x"})
    server.get("/api/nothing")  # by whose answer what is before it is written
    assert all(json.loads(line)["message"] for line in server.log.read_text("utf-8").splitlines())


def test_an_answer_names_no_path_of_the_server(server):
    for path in ("/api/nothing", "/api/documents/none", "/api/runs/none", HEALTH, "/api/system/stats"):
        answer = server.get(path)
        assert str(server.data) not in answer.text and "Traceback" not in answer.text


def test_another_method_is_refused_with_those_that_are_taken(server):
    answer = server.patch("/api/documents")
    assert answer.status_code == 405
    assert {"GET", "POST"} <= set(answer.headers["allow"].split(", "))


@pytest.mark.parametrize("address", ["0.0.0.0", "::"])
def test_a37_without_a_key_it_does_not_start_where_others_reach_it(tmp_path: Path, address):
    command = ["-m", "streamlit", "run", "server.py", "--server.address", address, "--server.port", str(free_port())]
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    assert "TRACEBOOK_API_KEY" in done.stderr and "Traceback" not in done.stderr


def test_with_a_key_it_starts_there_and_asks_for_it(tmp_path: Path):
    with serving(tmp_path, address="0.0.0.0", TRACEBOOK_API_KEY=KEY) as server:
        assert server.get("/api/documents").status_code == 401
        assert server.get("/api/documents", headers={"X-API-Key": KEY}).status_code == 200


@pytest.mark.parametrize(
    ("address", "opens"),
    [
        *((address, True) for address in ("127.0.0.1", "localhost", "::1", "unix:///run/x")),
        *((address, False) for address in ("0.0.0.0", "", None, "::", "10.0.0.5", "reports.example")),
    ],
)
def test_only_addresses_of_this_machine_need_no_key(tmp_path: Path, address, opens):
    check_address(address, Settings(data=tmp_path, api_key=KEY))
    if opens:
        check_address(address, Settings(data=tmp_path))
    else:
        with pytest.raises(BadInput, match="TRACEBOOK_API_KEY"):
            check_address(address, Settings(data=tmp_path))


def test_a_server_that_others_reach_after_all_is_shut_without_a_key(tmp_path: Path):
    async def asked(**given):
        transport = httpx.ASGITransport(make_api(Settings(data=tmp_path, **given)).app)
        async with httpx.AsyncClient(transport=transport, base_url="http://10.0.0.5:8501") as client:
            return await client.get(HEALTH, headers={"Host": "localhost"})

    answer = asyncio.run(asked())
    assert answer.status_code == 403 and "TRACEBOOK_API_KEY" in answer.text
    assert asyncio.run(asked(api_key=KEY)).status_code == 200


def test_an_end_is_not_put_off_by_a_body_that_never_comes(tmp_path: Path):
    with serving(tmp_path) as server, socket.create_connection(("127.0.0.1", server.base_url.port)) as half:
        half.sendall(b"POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
        time.sleep(0.3)
        server.process.terminate()
        server.process.wait(20)


def test_a_fault_of_the_settings_is_none_of_the_callers(tmp_path: Path):
    with serving(tmp_path, TRACEBOOK_VOCABULARY=str(tmp_path / "gone.toml")) as server:
        answer = server.get("/api/documents")
        assert answer.status_code == 503 and str(tmp_path) not in answer.text
        assert server.get("/api/docs").status_code == 200
