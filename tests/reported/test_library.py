"""Cases of the library: what is deleted, replaced, misnamed, interrupted, crowded, tiny or numeric."""

import re
import shutil
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import PIPE, Popen

import pytest
from playwright.sync_api import sync_playwright
from streamlit.testing.v1 import AppTest

from rag.check import check
from rag.index.flat import FlatIndex
from rag.index.store import FILE, Store
from rag.ingest.upload import Upload
from rag.models.hashing import HashingEmbedder
from rag.settings import Settings
from rag.types import Query
from rag.workspace import Workspace
from tests.api.serving import ROOT, serving
from tests.pages.reading import shown
from tests.pages.test_browser import CHROMIUM, FLAGS
from tests.pages.test_browser import pytestmark as in_a_browser
from tests.reported.cases import DATA, GOOD, answer, found, read

SECRET = "What is the secret project called?"


def test_a15_a_deleted_report_is_never_quoted_again(library, add):
    add("A15_delete_me.txt", GOOD)
    first = answer(library, SECRET)
    assert "Bluebell" in first.answer.text
    library.remove("A15_delete_me.txt")
    again = answer(library, SECRET, history=library.history([first.run_id]))
    assert "Bluebell" not in str(again) and "2.4" not in again.answer.text
    assert all("Bluebell" not in text for scorer in library.scorers() for text in found(library, "Bluebell", scorer))
    library.close()
    for path in library.settings.data.rglob("*"):
        assert path.is_dir() or b"Bluebell" not in path.read_bytes(), path


def ask(page, question):
    page.chat_input(key="question").set_value(question).run()
    assert not page.exception
    return page


def test_a15_a_deleted_report_is_gone_from_its_chat_and_from_a_new_one(library, add, show):
    add("A15_delete_me.txt", GOOD)
    chat = ask(show("ask/chat"), SECRET)
    assert "Bluebell" in shown(chat)
    library.remove("A15_delete_me.txt")
    assert "Bluebell" not in shown(ask(chat, SECRET))
    assert "Bluebell" not in shown(ask(show("ask/chat"), SECRET))
    for question in ("Summarise A15_delete_me.txt.", "Compare the revenue of Linden Foods and Alder."):
        assert not re.search(r"Bluebell|2\.4", answer(library, question).answer.text)


def test_a15_a_deleted_report_is_gone_from_the_interface_and_after_a_restart(tmp_path):
    with serving(tmp_path) as server:
        server.upload(("A15_delete_me.txt", read("A15_delete_me.txt").data), (GOOD.file, GOOD.data))
        conversation = server.post("/api/conversations", json={}).json()["id"]
        body = {"query": SECRET, "conversationId": conversation}
        assert "Bluebell" in server.post("/api/agent/query", json=body).text
        assert server.delete("/api/documents/A15_delete_me.txt").status_code == 204
        for asked in (body, {"query": SECRET}):
            assert "Bluebell" not in server.post("/api/agent/query", json=asked).text
        assert "Bluebell" not in server.get(f"/api/conversations/{conversation}").text
    with serving(tmp_path) as server:
        assert "Bluebell" not in server.post("/api/agent/query", json=body).text
        assert server.get("/rag/search", params={"q": "Bluebell"}).json()["hits"] == []


def versions_uploaded(show):
    """The page after both versions of the file, at the question what to do with the second."""
    page = show("library/documents")
    for number in (1, 2):
        file = read(f"A16_v{number}/annual_report.txt")
        page.file_uploader[0].upload(file.file, file.data).run()
    assert "In the library with other content: annual_report.txt" in shown(page).replace("*", "")
    return page


def passengers(library):
    return {number for text in found(library, "passenger numbers") for number in re.findall(r"\d+ million", text)}


def test_a16_a_new_version_takes_the_old_one_s_place_where_the_user_says_so(library, show):
    page = versions_uploaded(show)
    assert passengers(library) == {"11 million"}
    page.button(key="replace").click().run()
    assert passengers(library) == {"14 million"}


def test_a16_versions_side_by_side_are_told_apart_by_name(library, show):
    versions_uploaded(show).button(key="keep-both").click().run()
    titles = {document.title for document in library.documents()}
    assert len(titles) == 2 and all(title in shown(show("library/documents")) for title in titles)
    trace = answer(library, "What are the passenger numbers?")
    assert {citation.title for citation in trace.answer.citations} == titles


def test_a17_a_name_is_shown_as_it_is_and_never_becomes_a_path(library, add):
    names = [
        "../../evil.txt",
        "/etc/passwd",
        "a\\b.txt",
        "レポート.pdf",
        "<img src=x>.txt",
        "con.txt",
        "x" * 300 + ".txt",
    ]
    uploads = [Upload(name, GOOD.data + name.encode()) for name in names if not name.endswith(".pdf")]
    assert add(*uploads, "レポート.pdf") == {}
    assert {document.file for document in library.documents()} == set(names)
    written = {path.name for path in library.settings.data.parent.rglob("*") if path.is_file()}
    assert all(re.fullmatch(r"[0-9a-f]{16}|library\.sqlite(-wal|-shm)?", name) for name in written)
    for name in names:
        library.remove(name)
    assert library.documents() == ()


def test_a17_a_name_in_another_script_is_listed_cited_and_deleted_in_the_browser(library, show):
    page = show("library/documents")
    page.file_uploader[0].upload("レポート.pdf", read("レポート.pdf").data).run()
    (document,) = library.documents()
    assert "レポート.pdf" in shown(page)
    first = library.passages(document.id)[0].text
    assert "レポート.pdf" in {citation.file for citation in answer(library, first).answer.citations}
    page.button(key=f"delete-{document.id}").click().run()
    assert library.documents() == () and "レポート.pdf" not in shown(show("library/documents"))


ADDING = """
import sys
from itertools import count
from pathlib import Path
from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.workspace import Workspace
with Workspace.open(Settings(data=Path(sys.argv[1]), embeddings="off")) as work:
    for number in count(int(sys.argv[2])):
        list(work.add([Upload(f"{number}.txt", f"Report of quokka{number}".encode())]))
        print(number, flush=True)
"""


def test_a18_a_library_killed_in_the_middle_of_uploads_starts_whole(tmp_path):
    settings, added = Settings(data=tmp_path, embeddings="off"), 0
    for kill in range(20):
        command = [sys.executable, "-c", ADDING, str(tmp_path), str(1000 * kill)]
        with Popen(command, stdout=PIPE, cwd=ROOT) as process:
            for _ in range(kill % 4 + 1):
                assert process.stdout.readline()
                added += 1
            process.kill()
        with Workspace.open(settings) as work:
            assert len(work.documents()) >= added
            assert check(work._store) == ()


def opened(folder):
    """A library with vectors, which need no model here."""
    embedder = HashingEmbedder()
    return Workspace(Settings(data=folder, embeddings="off"), Store.open(folder, model=embedder.name), embedder)


def indexed(folder):
    """The index file of a library with one report in it."""
    with opened(folder) as work:
        list(work.add([GOOD]))
        assert work.wait_for_embeddings(30)
        model = HashingEmbedder()
        FlatIndex(work._store, model.name, save_after=1).near(model.embed(["revenue"])[0], 0.1, range(1, 9))
    (file,) = folder.glob("*.faiss")
    return file


@pytest.mark.parametrize("share", [0.5, 0])
def test_a18_a_cut_index_is_made_anew_from_the_library_and_that_is_said(tmp_path, share, caplog):
    file = indexed(tmp_path)
    whole = file.read_bytes()
    for _ in range(2):
        file.write_bytes(whole[: int(len(whole) * share)])
        with opened(tmp_path) as work:
            assert "12 million" in found(work, "revenue", "dense")[0]
    assert "made anew" in caplog.text


@pytest.mark.parametrize("share", [0.5, 0])
def test_a18_a_cut_database_is_said_with_the_way_out_and_the_files_stay(tmp_path, share, monkeypatch):
    monkeypatch.setenv("TRACEBOOK_DATA", str(tmp_path))
    monkeypatch.setenv("TRACEBOOK_EMBEDDINGS", "off")
    with Workspace.open(Settings(data=tmp_path, embeddings="off")) as work:
        list(work.add([GOOD]))
    database = tmp_path / FILE
    database.write_bytes(database.read_bytes()[: int(database.stat().st_size * share)])
    for _ in range(2):
        app = AppTest.from_file(ROOT / "app.py", default_timeout=30).run()
        assert not app.exception and "backup" in app.error[0].value
    assert [path.read_bytes() for path in (tmp_path / "files").iterdir()] == [GOOD.data]


def test_a19_no_pickle_of_the_library_s_folder_is_ever_opened(tmp_path):
    file = indexed(tmp_path)
    for name in ("index.pkl", "index.faiss", "docstore.pkl", file.name, f"{file.stem}.pkl", "files/index.pkl"):
        shutil.copy(DATA / "A19_index.pkl", tmp_path / name)
    with opened(tmp_path) as work:
        for scorer in work.scorers():
            assert found(work, "revenue", scorer)
    assert not [*tmp_path.rglob("PICKLE_WAS_EXECUTED"), *Path().glob("PICKLE_WAS_EXECUTED")]


def upload_in_a_browser(address, files):
    """Returns once the page says that each of them was added."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        page = chromium.new_page()
        page.goto(f"{address}/documents")
        page.locator("input[type=file]").set_input_files(
            [{"name": each.file, "mimeType": "text/plain", "buffer": each.data} for each in files], timeout=60_000
        )
        page.get_by_text("added as").nth(len(files) - 1).wait_for(timeout=60_000)
        chromium.close()


@in_a_browser[0]
@in_a_browser[1]
def test_a20_files_from_two_browsers_and_ten_threads_are_all_there_after_a_restart_too(tmp_path):
    words = ["ab" + "".join(chr(97 + (n * 7 + i * 3) % 26) for i in range(8)) for n in range(20)]
    files = [Upload(f"{word}.txt", f"The {word} grew.".encode()) for word in words]
    with serving(tmp_path) as server, ThreadPoolExecutor(12) as threads:
        pages = [threads.submit(upload_in_a_browser, str(server.base_url), part) for part in (files[:5], files[5:10])]
        sent = [threads.submit(server.upload, (each.file, each.data)) for each in files[10:]]
        assert [each.result().json()["results"][0]["stage"] for each in sent] == ["added"] * 10
        for page in pages:
            page.result()
    for _ in range(2):
        with opened(tmp_path / "library") as work:
            assert sorted(document.file for document in work.documents()) == sorted(each.file for each in files)
            assert work.wait_for_embeddings(30)
            for word in words:
                assert found(work, word, "bm25") == [f"The {word} grew."]
            assert check(work._store) == ()
        with sqlite3.connect(tmp_path / "library" / FILE) as rows:
            counts = [
                rows.execute(f"SELECT count(*) FROM {each}").fetchone() for each in ("passages", "vectors", "search")
            ]
        rows.close()
        assert counts == [(20,)] * 3


def test_a21_two_tiny_files_are_told_apart_and_odd_queries_find_nothing(library, add, show):
    add("A21_doc1.txt", "A21_doc2.txt")
    for scorer in library.scorers():
        hits = library.search(Query("coal", k=10), scorer=scorer).hits
        assert hits[0].score > 0 and "coal" in hits[0].passage.text and len(hits) <= 2
        assert not any(found(library, query, scorer) for query in ("the of and", "", "???"))
    for query in ("the of and", "???"):
        page = show("library/search", query=query)
        assert "nothing to search for" in shown(page)


@pytest.mark.parametrize(
    "query, line",
    [
        ("12450", "was 12,450"),
        ("12,450", "was 12,450"),
        ("IFRS 16", "IFRS-16"),
        ("1234.5", "(1,234.5)"),
        ("RX-2041", "RX-2041"),
    ],
)
def test_a22_a_number_is_found_in_either_spelling(library, query, line):
    lines = read("A22_numbers.txt").data.decode().splitlines()
    list(library.add([Upload(f"{number}.txt", text.encode()) for number, text in enumerate(lines)]))
    for scorer in library.scorers():
        assert line in found(library, query, scorer)[0]


def test_a22_a_bracketed_loss_is_negative(library, add):
    add("A22_numbers.txt")
    (first, *_) = found(library, "loss before tax")
    assert "(1,234.5)" in first
    trace = answer(library, "What was the loss before tax?")
    assert "(1,234.5) thousand" in trace.answer.text and trace.answer.value == -1_234_500
