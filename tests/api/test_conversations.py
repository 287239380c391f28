"""Runs and conversations over real HTTP."""

import pytest


def asked(server, query, conversation_id):
    return server.post("/api/agent/query", json={"query": query, "conversationId": conversation_id}).json()


@pytest.fixture(scope="module")
def conversation(server):
    made = server.post("/api/conversations", json={"title": "Revenues"})
    assert made.status_code == 201
    return made.json()["id"]


@pytest.fixture(scope="module")
def results(server, conversation):
    return [asked(server, "What was Alder's revenue?", conversation), asked(server, "And Birch?", conversation)]


def test_a_follow_up_is_read_from_its_conversation(server, conversation, results):
    assert "Birch" in results[1]["asked"] and "revenue" in results[1]["asked"]
    assert asked(server, "And Birch?", None)["asked"] == "And Birch?"


def test_a_conversation_keeps_its_questions_and_their_runs(server, conversation, results):
    kept = server.get(f"/api/conversations/{conversation}").json()
    assert kept["title"] == "Revenues"
    assert [cell["runId"] for cell in kept["cells"]] == [result["runId"] for result in results]
    assert kept in server.get("/api/conversations").json()["conversations"]


def test_a_conversation_is_exported_as_json_markdown_and_text(server, conversation, results):
    path = f"/api/conversations/{conversation}/export"
    assert server.get(path).json()["runs"] == results
    markdown, text = (server.get(path, params={"form": form}) for form in ("markdown", "text"))
    assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"
    assert markdown.text.startswith("# Revenues\n\n## What was Alder's revenue?")
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert text.text.startswith("Revenues\n\nQ: What was Alder's revenue?\nA: ")
    assert "[1] alder_2023.txt, p. 1" in text.text
    assert text.headers["content-disposition"] == 'attachment; filename="conversation.txt"'
    assert server.get(path, params={"form": "pdf"}).status_code == 422


@pytest.mark.parametrize("title", ["", "  ", "a\nb", "a\x00b", "x" * 201])
def test_a_title_is_one_line(server, title):
    assert server.post("/api/conversations", json={"title": title}).status_code == 422


def test_a_deleted_conversation_is_gone_and_its_runs_stay(server):
    made = server.post("/api/conversations", json={}).json()
    result = asked(server, "What was Alder's revenue?", made["id"])
    path = f"/api/conversations/{made['id']}"
    assert server.delete(path).status_code == 204
    assert server.get(path).status_code == server.delete(path).status_code == 404
    assert server.get(f"/api/runs/{result['runId']}").json() == result


def test_runs_are_listed_newest_first_looked_at_and_exported(server, results):
    latest = server.post("/api/chat", json={"query": "Who makes castings?"}).json()
    heads = server.get("/api/runs", params={"limit": 2}).json()["runs"]
    assert heads[0]["runId"] == latest["runId"] and len(heads) == 2
    path = f"/api/runs/{results[0]['runId']}"
    assert server.get(path).json() == results[0]
    assert server.get(f"{path}/export").json()["runId"] == results[0]["runId"]
    assert server.get(f"{path}/export", params={"form": "markdown"}).text.startswith("# What was Alder's revenue?")


@pytest.mark.parametrize("path", ["/api/runs/none", "/api/runs/none/export", "/api/conversations/none"])
def test_what_is_not_there_is_a_problem_that_says_where_to_look(server, path):
    answer = server.get(path)
    assert answer.status_code == 404
    assert answer.json()["detail"].startswith("There is no ")
