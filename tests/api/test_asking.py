"""Questions over real HTTP: whole, and event by event."""

import json
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.api.serving import serving
from tests.openai_server import calls, says
from tests.openai_server import serving as model_serving

QUESTION = "What was the revenue of Alder and Birch?"


def events(lines):
    """(event, data) as they come."""
    name = None
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def streamed(server, path, body):
    with server.stream("POST", path, json=body) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        return list(events(answer.iter_lines()))


def test_the_agent_answers_with_steps_citations_and_ledger(server):
    result = server.post("/api/agent/query", json={"query": QUESTION}).json()
    assert result["status"] == "answered"
    assert "$4.1 billion" in result["answer"] or "4.1" in result["answer"]
    assert result["iterationsUsed"] >= 1 and result["maxIterationsReached"] is False
    kinds = [step["stepType"] for step in result["trace"]["steps"]]
    assert kinds[0] == "reasoning" and "tool_call" in kinds and "tool_result" in kinds and kinds[-1] == "answer"
    assert {row["file"]: row["state"] for row in result["coverage"]} == {
        "alder_2023.txt": "cited",
        "birch_2023.txt": "cited",
    }
    assert {"runId", "citations", "notInLibrary", "usage"} <= set(result)


def test_the_agent_keeps_to_the_documents_and_limits_that_are_given(server):
    body = {"query": "What was the revenue?", "documents": ["birch_2023.txt"], "topK": 1, "maxIterations": 1}
    result = server.post("/api/agent/query", json=body).json()
    assert [row["file"] for row in result["coverage"]] == ["birch_2023.txt"]
    assert result["iterationsUsed"] == 1
    assert max(len(search["hits"]) for step in result["trace"]["steps"] for search in step.get("searches", [])) == 1


def test_the_stream_brings_each_step_then_the_answers_tokens_then_the_result(server):
    seen = streamed(server, "/api/agent/stream", {"query": QUESTION})
    names = [name for name, _ in seen]
    assert names[0] == "started" and names[-1] == "done"
    assert names.index("step") < names.index("token") < names.index("done")
    done = seen[-1][1]
    assert [data for name, data in seen if name == "step"] == done["trace"]["steps"][:-1]
    assert "".join(data["text"] for name, data in seen if name == "token") == done["answer"]
    assert server.get(f"/api/runs/{done['runId']}").json() == done


def test_no_documents_named_means_all_of_them(server):
    for path in ("/api/agent/query", "/api/chat"):
        assert len(server.post(path, json={"query": QUESTION, "documents": []}).json()["coverage"]) == 2


def test_chat_answers_in_one_pass_with_sources_and_what_it_left_out(server):
    body = {"query": "Which region does resin come from?", "topK": 1}
    result = server.post("/api/chat", json=body).json()
    assert [source["title"].split()[0] for source in result["sources"]] == ["Birch"]
    assert [row["file"] for row in result["untouched"]] == ["alder_2023.txt"]
    names = [name for name, _ in streamed(server, "/api/chat/stream", body)]
    assert names[0] == "started" and names[-2:] == ["token", "done"]


@pytest.mark.parametrize("path", ["/api/agent/query", "/api/agent/stream", "/api/chat", "/api/chat/stream"])
@pytest.mark.parametrize(
    ("body", "status", "at"),
    [
        ({}, 422, "query"),
        ({"query": " \n"}, 422, "query"),
        ({"query": 7}, 422, "query"),
        ({"query": "x" * 4001}, 422, "query"),
        ({"query": "Revenue?", "topK": 51}, 422, "topK"),
        ({"query": "Revenue?", "topK": "5"}, 422, "topK"),
        ({"query": "Revenue?", "documents": ["elm.txt"]}, 404, None),
        ({"query": "Revenue?", "conversationId": "none"}, 404, None),
        ({"query": "Revenue?", "owner": "me"}, 422, "owner"),
    ],
)
def test_what_is_wrong_is_said_before_a_stream_starts(server, path, body, status, at):
    answer = server.post(path, json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert [flaw["at"] for flaw in answer.json()["errors"]] == ([at] if at else [])


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe", b'{"query": "\\ud800"}'])
def test_a_body_that_is_no_question_is_refused(server, body):
    assert server.post("/api/agent/query", content=body).status_code == 422


SEARCH = ("search_documents", {"query": "revenue"})


def test_the_first_event_comes_before_the_second_step_ends(tmp_path: Path):
    slow = calls(*SEARCH, pause=0.3)
    with (
        model_serving(slow, says("They made money [1].")) as model,
        _with_model(tmp_path, model) as server,
        server.stream("POST", "/api/agent/stream", json={"query": QUESTION}) as answer,
    ):
        following = events(answer.iter_lines())
        assert next(following)[0] == "started"
        assert len(model.bodies) <= 1  # the second step is still being decided
        assert [name for name, _ in following][-1] == "done"


def test_a31_a_client_that_goes_away_cancels_its_run_fifty_times_over(tmp_path: Path):
    with model_serving(calls(*SEARCH, pause=0.05)) as model, _with_model(tmp_path, model) as server:
        threads = []
        for number in range(50):
            asked = len(model.bodies)
            with server.stream("POST", "/api/agent/stream", json={"query": f"{QUESTION} {number}"}) as answer:
                run_id = next(events(answer.iter_lines()))[1]["runId"]
            run = _ended(server, run_id)
            assert run["status"] == "cancelled"
            assert len(model.bodies) <= asked + 1
            threads.append(_threads(server))
        assert threads[-1] <= threads[9] + 2
        assert server.get("/api/system/stats").json()["running"] == 0


def test_a_client_that_goes_away_from_a_whole_answer_cancels_its_run_as_well(tmp_path: Path):
    with model_serving(calls(*SEARCH, pause=0.2)) as model, _with_model(tmp_path, model) as server:
        with pytest.raises(httpx.ReadTimeout):
            server.post("/api/agent/query", json={"query": QUESTION}, timeout=0.6)
        (head,) = _until(lambda: server.get("/api/runs").json()["runs"])
        assert head["status"] == "cancelled"


def test_a_run_is_cancelled_by_its_id(tmp_path: Path):
    with model_serving(calls(*SEARCH, pause=0.2)) as model, _with_model(tmp_path, model) as server:
        with server.stream("POST", "/api/agent/stream", json={"query": QUESTION}) as answer:
            following = events(answer.iter_lines())
            run_id = next(following)[1]["runId"]
            assert server.get(f"/api/runs/{run_id}").status_code == 409
            assert server.post(f"/api/runs/{run_id}/cancel").status_code == 202
            assert list(following)[-1][1]["status"] == "cancelled"
        assert server.post(f"/api/runs/{run_id}/cancel").status_code == 409


def test_a_server_that_is_told_to_end_cancels_its_runs_and_says_so_to_who_listens(tmp_path: Path):
    with (
        model_serving(calls(*SEARCH, pause=0.2)) as model,
        _with_model(tmp_path, model) as server,
        server.stream("POST", "/api/agent/stream", json={"query": QUESTION}) as answer,
    ):
        following = events(answer.iter_lines())
        assert next(following)[0] == "started"
        server.process.terminate()
        assert list(following)[-1][1]["status"] == "cancelled"
        server.process.wait(20)


def test_a_model_that_fails_is_told_by_an_event_and_still_ends_in_a_result(tmp_path: Path):
    with _asking("http://127.0.0.1:9/v1", tmp_path) as server:
        seen = streamed(server, "/api/agent/stream", {"query": QUESTION})
        assert [name for name, _ in seen][-2:] == ["error", "done"]
        assert seen[-1][1]["status"] == "error"
        assert server.get("/api/system/health").json()["status"] == "degraded"


def test_without_the_agent_its_routes_say_so_and_chat_and_search_go_on(tmp_path: Path):
    with (
        model_serving(says("Never asked.")) as model,
        _with_model(tmp_path, model, TRACEBOOK_AGENT_ENABLED="false") as server,
    ):
        for path in ("/api/agent/query", "/api/agent/stream"):
            answer = server.post(path, json={"query": QUESTION})
            assert answer.status_code == 503
            assert "TRACEBOOK_AGENT_ENABLED" in answer.json()["detail"]
        assert server.post("/api/chat", json={"query": QUESTION}).status_code == 200
        assert server.get("/rag/search", params={"q": "revenue"}).status_code == 200
        assert server.get("/api/system/health").json()["agentEnabled"] is False
        assert model.bodies == []


def _asking(url, folder, **settings):
    model = {"OPENAI_BASE_URL": url, "TRACEBOOK_MODEL": "m", "TRACEBOOK_REASONER": "auto", "TRACEBOOK_RETRIES": "0"}
    return serving(folder, **model, **settings)


@contextmanager
def _with_model(folder, model, **settings):
    """A server with a report in it, and the model that decides there."""
    with _asking(model.url, folder, **settings) as server:
        server.upload(("alder.txt", b"Alder Inc. Annual report 2023\n\nRevenue was $12 million in 2023.\n"))
        yield server


def _threads(server):
    return len(list(Path(f"/proc/{server.process.pid}/task").iterdir()))


def _ended(server, run_id):
    return _until(lambda: (answer := server.get(f"/api/runs/{run_id}")).status_code == 200 and answer.json())


def _until(look, seconds=20):
    for _ in range(seconds * 20):
        if found := look():
            return found
        time.sleep(0.05)
    raise TimeoutError
