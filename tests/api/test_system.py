"""How the server is, over real HTTP."""

from pathlib import Path

from tests.api.serving import serving


def test_stats_count_documents_and_runs(server):
    server.post("/api/chat", json={"query": "Who makes castings?"})
    server.post("/api/conversations", json={})
    stats = server.get("/api/system/stats").json()
    assert (stats["documents"], stats["vectors"], stats["running"]) == (2, 0, 0)
    assert (stats["runs"], stats["conversations"]) == (1, 1)


def test_health_tells_each_dependencys_state(server):
    health = server.get("/api/system/health").json()
    assert (health["status"], health["agentEnabled"]) == ("ok", True)
    states = {name: each["state"] for name, each in health["dependencies"].items()}
    assert states == {"store": "ok", "index": "ok", "embedder": "off", "model": "off"}


def test_a_library_that_cannot_be_opened_is_told_without_its_path(tmp_path: Path):
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "library.sqlite").write_bytes(b"This is no library of ours." * 99)
    with serving(tmp_path) as server:
        health, documents = server.get("/api/system/health"), server.get("/api/documents")
        assert (health.status_code, health.json()["status"]) == (503, "down")
        assert health.json()["dependencies"]["store"]["state"] == "failed"
        assert (documents.status_code, documents.headers["content-type"]) == (503, "application/problem+json")
        assert "The library cannot be used." in documents.json()["detail"]
        assert str(tmp_path) not in health.text + documents.text
