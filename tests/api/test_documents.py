"""/api/documents over real HTTP."""

import json
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unicodedata import normalize

import pytest

from tests.api.serving import ROOT, serving

CASES = ROOT / "tests" / "data" / "cases"
SAMPLE = ROOT / "samples" / "vennhall_2025.pdf"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A server that takes files of 1 MB, three at once, 2 MB together."""
    limits = {"TRACEBOOK_FILE_MEGABYTES": "1", "TRACEBOOK_UPLOAD_FILES": "3", "TRACEBOOK_UPLOAD_MEGABYTES": "2"}
    with serving(tmp_path_factory.mktemp("small"), **limits) as running:
        yield running


def files(server):
    return [document["file"] for document in server.get("/api/documents").json()["documents"]]


def test_an_upload_says_of_each_file_what_became_of_it_and_each_is_found_at_once(server):
    pages = SAMPLE.read_bytes()
    answer = server.upload(("venn.pdf", pages), ("empty.pdf", b""), ("twin.pdf", pages), ("venn.txt", b"Heliotrope."))
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [(each["file"], each["stage"]) for each in results] == [
        ("venn.pdf", "added"),
        ("empty.pdf", "failed"),
        ("twin.pdf", "duplicate"),
        ("venn.txt", "added"),
    ]
    assert "empty" in results[1]["error"]
    assert results[2]["document"]["id"] == results[0]["document"]["id"]
    (hit,) = server.get("/rag/search", params={"q": "heliotrope"}).json()["hits"]
    assert hit["documentId"] == results[3]["document"]["id"]


def test_a_password_opens_the_files_that_want_one_and_no_others(server):
    locked = (ROOT / "tests" / "data" / "odd" / "password.pdf").read_bytes()
    (alone,) = server.upload(("locked.pdf", locked)).json()["results"]
    assert alone["locked"] and "protected by a password" in alone["error"]
    files = ("locked.pdf", locked), ("open.pdf", SAMPLE.read_bytes() + b"\n%")
    opened, other = server.upload(*files, data={"password": "open sesame"}).json()["results"]
    assert (opened["stage"], other["stage"]) == ("added", "added")
    assert "opened with a password" in str(opened["document"]["notes"])
    assert "password" not in str(other["document"]["notes"])


def test_files_of_one_name_each_learn_what_became_of_them(server):
    long = b"Alder plc. Revenue was $12 million.\n\n" * 4_000
    results = server.upload(("a.txt", long), ("a.txt", b""), ("a.txt", b"Birch plc. Heliotrope.")).json()["results"]
    assert [each["stage"] for each in results] == ["added", "failed", "added"]
    assert results[0]["document"]["tokens"] > results[2]["document"]["tokens"]


def test_a_document_its_passages_and_its_page_images_are_there_by_id_and_by_name(server):
    server.upload(("venn.pdf", SAMPLE.read_bytes()))
    document = server.get("/api/documents/venn.pdf").json()
    assert server.get(f"/api/documents/{document['id']}").json() == document
    assert (document["company"], document["fiscalYear"], document["pages"]) == ("Vennhall Hydraulics", 2025, 11)
    passages = server.get("/api/documents/venn.pdf/passages").json()["passages"]
    assert len(passages) == document["passages"]
    (first, *_) = on_page = server.get("/api/documents/venn.pdf/passages", params={"page": 5}).json()["passages"]
    assert {passage["page"] for passage in on_page} == {5}
    plain, marked = (
        server.get("/api/documents/venn.pdf/pages/5/image", params=params) for params in ({}, {"mark": first["id"]})
    )
    assert plain.headers["content-type"] == marked.headers["content-type"] == "image/png"
    assert plain.content.startswith(b"\x89PNG") and plain.content != marked.content


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/documents/elm.txt", 404),
        ("/api/documents/elm.txt/passages", 404),
        ("/api/documents/alder_2023.txt/pages/1/image", 404),
        ("/api/documents/alder_2023.txt/pages/9/image", 404),
        ("/api/documents/alder_2023.txt/pages/99999999999999999999/image", 404),
        ("/api/documents/alder_2023.txt/pages/x/image", 404),
        ("/api/documents/alder_2023.txt/passages?page=0", 422),
        ("/api/documents/alder_2023.txt/pages/1/image?mark=none", 404),
        ("/api/documents/alder_2023.txt/pages/1/image?scale=100", 422),
    ],
)
def test_what_is_not_there_is_a_problem(server, path, status):
    answer = server.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


def test_a_name_that_two_documents_bear_is_refused_with_both_ids(server):
    ids = [each["document"]["id"] for each in server.upload(("q.txt", b"One."), ("q.txt", b"Two.")).json()["results"]]
    answer = server.get("/api/documents/q.txt")
    assert answer.status_code == 409
    assert all(each in answer.json()["detail"] for each in ids)
    for each in ids:
        assert server.delete(f"/api/documents/{each}").status_code == 204


def test_a_deleted_document_is_found_no_more(server):
    server.upload(("gone.txt", b"Xylophone sales rose.\n"))
    assert server.delete("/api/documents/gone.txt").status_code == 204
    assert server.get("/rag/search", params={"q": "xylophone"}).json()["hits"] == []
    assert server.delete("/api/documents/gone.txt").status_code == 404


def test_another_file_takes_a_documents_place(server):
    server.upload(("plan.txt", b"Quarterly marmalade plan.\n"))
    new = server.put("/api/documents/plan.txt", files={"files": ("plan.txt", b"Quarterly chutney plan.\n")}).json()
    assert (new["results"][0]["stage"], new["results"][0]["document"]["notes"]) == ("added", [])
    assert files(server).count("plan.txt") == 1
    assert server.get("/rag/search", params={"q": "marmalade"}).json()["hits"] == []
    failed = server.put("/api/documents/plan.txt", files={"files": ("plan.txt", b"")}).json()["results"][0]
    assert failed["stage"] == "failed"
    assert len(server.get("/rag/search", params={"q": "chutney"}).json()["hits"]) == 1


def test_bytes_of_another_document_take_no_ones_place(server):
    server.upload(("one.txt", b"The first quince."), ("two.txt", b"The second quince."))
    answer = server.put("/api/documents/one.txt", files={"files": ("one.txt", b"The second quince.")})
    assert answer.status_code == 409 and "nothing was replaced" in answer.json()["detail"]
    assert {"one.txt", "two.txt"} <= set(files(server))
    same = server.put("/api/documents/one.txt", files={"files": ("one.txt", b"The first quince.")})
    assert (same.status_code, same.json()["results"][0]["stage"]) == (200, "duplicate")


def test_a_name_is_found_in_either_form_of_its_accents(server):
    server.upload((normalize("NFD", "café.txt"), b"Coffee sales rose."))
    assert server.get(f"/api/documents/{normalize('NFC', 'café.txt')}").status_code == 200


def test_a_document_whose_file_is_lost_is_told_by_its_id(tmp_path: Path):
    with serving(tmp_path) as server:
        (end,) = server.upload(("venn.pdf", SAMPLE.read_bytes())).json()["results"]
        (server.data / "files" / end["document"]["id"]).unlink()
        answer = server.get("/api/documents/venn.pdf/pages/1/image")
        assert answer.status_code == 503 and end["document"]["id"] in answer.json()["detail"]
        assert str(tmp_path) not in answer.text


def test_beyond_the_limits_nothing_is_stored(small):
    mega = b"word " * ((1 << 20) // 5 + 1)
    for batch, status in (
        ([("a.txt", b"A.")] * 4, 422),
        ([("large.txt", mega), ("a.txt", b"A.")], 413),
        ([(f"{n}.txt", mega[: 1 << 20]) for n in range(4)], 413),
    ):
        answer = small.upload(*batch)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert small.post("/api/documents", files=[]).status_code == 415
    assert small.post("/api/documents", files={"other": ("a.txt", b"A.")}).status_code == 422
    as_file = [("files", ("a.txt", b"A.")), ("password", ("p.txt", b"secret"))]
    assert small.post("/api/documents", files=as_file).status_code == 422
    assert small.post("/api/documents", data={"files": "A."}, files={"x": b""}).status_code == 422
    assert files(small) == []


def test_a_body_without_a_length_is_cut_off_at_the_limit(small):
    def endless():
        yield b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
        for _ in range(40):
            yield b"word " * 20_000

    answer = small.post(
        "/api/documents", content=endless(), headers={"Content-Type": "multipart/form-data; boundary=x"}
    )
    assert answer.status_code == 413
    assert small.post("/api/agent/query", content=b" " * (1 << 21)).status_code == 413
    assert files(small) == []


def posted(server, name: str):
    """One file under this very name, written into the form by hand."""
    quoted = name.replace("\\", "\\\\").replace('"', '\\"').encode()
    body = b'--x\r\nContent-Disposition: form-data; name="files"; filename="' + quoted + b'"\r\n\r\n'
    body += f"A note that bears the name {name!r}.".encode() + b"\r\n--x--\r\n"
    return server.post("/api/documents", content=body, headers={"Content-Type": "multipart/form-data; boundary=x"})


def test_a17_no_file_name_leaves_the_library_or_breaks_the_server(tmp_path: Path):
    names = json.loads((CASES / "A17_upload_names.json").read_text("utf-8"))
    outside = set(tmp_path.rglob("*"))
    with serving(tmp_path) as server:
        for name in names:
            answer = posted(server, name)
            assert answer.status_code in (200, 400, 422), name
            for result in answer.json().get("results", ()):
                assert not re.search(r"[/\\\x00-\x1f]", result["file"])
                assert result["file"] not in ("", ".", "..")
        for path in set(tmp_path.rglob("*")) - outside:
            assert path == server.log or path.is_relative_to(server.data)


def test_a17_a_name_in_another_script_is_listed_cited_and_deleted_as_it_is(server):
    server.upload(("レポート.pdf", (CASES / "レポート.pdf").read_bytes()))
    assert "レポート.pdf" in files(server)
    body = {"query": "What does the report say?", "documents": ["レポート.pdf"]}
    result = server.post("/api/agent/query", json=body).json()
    assert [row["file"] for row in result["coverage"]] == ["レポート.pdf"]
    assert server.delete("/api/documents/レポート.pdf").status_code == 204


def test_a20_twenty_files_from_ten_threads_are_all_there_and_found_after_a_restart_too(tmp_path: Path):
    words = ["ab" + "".join(chr(97 + (n * 7 + i * 3) % 26) for i in range(8)) for n in range(20)]
    with serving(tmp_path) as server:
        with ThreadPoolExecutor(10) as threads:
            answers = list(
                threads.map(lambda word: server.upload((f"{word}.txt", f"The {word} grew.".encode())), words)
            )
        assert [each.json()["results"][0]["stage"] for each in answers] == ["added"] * 20
        _all_there(server, words)
    with serving(tmp_path) as server:
        _all_there(server, words)
        with sqlite3.connect(f"file:{next(server.data.glob('*.sqlite'))}?mode=ro", uri=True) as library:
            assert library.execute("SELECT count(*) FROM passages").fetchone() == (20,)


def _all_there(server, words):
    assert sorted(files(server)) == sorted(f"{word}.txt" for word in words)
    for word in words:
        (hit,) = server.get("/rag/search", params={"q": word, "scorer": "bm25"}).json()["hits"]
        assert word in hit["text"]


@pytest.mark.parametrize("name", ["A35_html.txt", "A35_html.pdf"])
def test_a35_markup_of_a_document_leaves_as_json_letter_for_letter(server, name):
    server.upload((f"<img src=x onerror=alert(1)>{name}", (CASES / name).read_bytes()))
    for answer in (
        server.get("/rag/search", params={"q": "sales onerror"}),
        server.post("/api/agent/query", json={"query": "What were <script>alert(1)</script> sales?"}),
        server.get("/api/documents"),
    ):
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert "onerror=alert" in server.get("/rag/search", params={"q": "sales onerror"}).text
    lines = server.get("/rag/search", params={"q": "onerror"}, headers={"Accept": "text/plain"})
    assert lines.headers["content-type"].startswith("text/plain")
    assert lines.headers["x-content-type-options"] == "nosniff"
