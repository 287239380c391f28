"""GET /rag/search over real HTTP."""

import pytest


def test_passages_come_ranked_with_their_parts_and_the_words_that_matched(server):
    found = server.get("/rag/search", params={"q": "supply chain", "k": 5}).json()
    assert found["query"] == "supply chain"
    assert [hit["title"].split()[0] for hit in found["hits"]] in (["Alder", "Birch"], ["Birch", "Alder"])
    assert found["hits"][0]["score"] >= found["hits"][1]["score"] > 0
    assert found["hits"][0]["matched"] == ["supply", "chain"]
    assert found["hits"][0]["components"]


def test_text_is_a_line_a_passage(server):
    answer = server.get("/rag/search", params={"q": "castings", "scorer": "keyword"}, headers={"Accept": "text/plain"})
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == "1.00 Alder annual report 2023 p. 1\n"  # a text file has no headings


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("text/plain;q=0", "application/json"),
        ("text/plain;q=0.5, application/json", "application/json"),
        ("application/json;q=0.1, text/plain", "text/plain"),
        ("Text/Plain; charset=utf-8; q=0.9, */*;q=0.1", "text/plain"),
    ],
)
def test_what_is_liked_better_comes(server, accept, kind):
    answer = server.get("/rag/search", params={"q": "castings"}, headers={"Accept": accept})
    assert answer.headers["content-type"].split(";")[0] == kind
    assert answer.headers["vary"] == "Accept"


@pytest.mark.parametrize("query", ["zeppelin", "", "???", "the of and"])
def test_text_says_so_when_nothing_matched(server, query):
    answer = server.get("/rag/search", params={"q": query}, headers={"Accept": "text/plain"})
    assert (answer.status_code, answer.text) == (200, "No articles matched.\n")


def test_documents_are_named_by_id_or_file_and_repeated(server):
    params = {"q": "revenue", "documents": ["birch_2023.txt"]}
    assert {hit["title"].split()[0] for hit in server.get("/rag/search", params=params).json()["hits"]} == {"Birch"}
    params["documents"].append("alder_2023.txt")
    assert len({hit["documentId"] for hit in server.get("/rag/search", params=params).json()["hits"]}) == 2


@pytest.mark.parametrize(
    ("params", "status", "told"),
    [
        ({}, 422, "q: Field required"),
        ({"q": "x" * 4001}, 422, "4000"),
        ({"q": "x", "k": 0}, 422, "greater than or equal to 1"),
        ({"q": "x", "k": 51}, 422, "less than or equal to 50"),
        ({"q": "x", "k": "many"}, 422, "valid integer"),
        ({"q": "x", "scorer": "magic"}, 422, "'keyword'"),
        ({"q": "x", "scorer": "dense"}, 422, "no scorer 'dense'"),
        ({"q": "x", "documents": "elm.txt"}, 404, "no document 'elm.txt'"),
        ({"q": "x", "topK": "3"}, 422, "topK"),
    ],
)
def test_what_cannot_be_searched_is_a_problem_that_says_why(server, params, status, told):
    answer = server.get("/rag/search", params=params)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert told in answer.json()["detail"]
    assert answer.json()["requestId"] == answer.headers["x-request-id"]
