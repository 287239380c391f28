import json
import shutil
import sqlite3
import threading
import zipfile
from contextlib import closing

import pytest

from rag.__main__ import main
from rag.backup import MANIFEST, backup
from rag.check import check
from rag.errors import BadInput, BadLibrary
from rag.index.store import FILE, Store
from rag.ingest.upload import Upload
from rag.models.hashing import HashingEmbedder
from rag.notebook import new_notebook
from rag.restore import restore
from rag.settings import Settings
from rag.types import Query
from rag.ways import WayStore
from rag.workspace import Workspace

ALDER = Upload("alder.txt", b"Alder plc\nAnnual report 2023\n\nRevenue was $12 million. Refunds rose.\n")
BIRCH = Upload("birch.txt", b"Birch plc\nAnnual report 2023\n\nRevenue was $7 million. Staff left.\n")


def opened(folder):
    embedder = HashingEmbedder()
    return Workspace(Settings(data=folder, embeddings="off"), Store.open(folder, model=embedder.name), embedder)


@pytest.fixture
def archive(tmp_path):
    """A backup of a library with Alder in it, its vectors, a run and a retrieval test."""
    with opened(tmp_path / "first") as work:
        list(work.add([ALDER]))
        list(work.ask("What was the revenue?"))
        (passage,) = work.passages(work.documents()[0].id)
        work.keep_test(Query("refunds"), passage.id)
        assert work.wait_for_embeddings(30)
        assert backup(work._store, tmp_path / "alder.backup") == 1
    return tmp_path / "alder.backup"


def found(work, text):
    return {
        name: [work.document(hit.passage.document_id).file for hit in work.search(Query(text), scorer=name).hits]
        for name in ("keyword", "bm25", "dense")
    }


def test_a_backup_comes_back_into_an_empty_folder(archive, tmp_path):
    assert restore(archive, tmp_path / "new") == 1
    with opened(tmp_path / "new") as work:
        (alder,) = work.documents()
        assert (alder.file, alder.embedded) == ("alder.txt", 1)
        assert work._store.file(alder.id) == ALDER.data
        assert set(map(str, found(work, "refunds rose").values())) == {"['alder.txt']"}
        assert (len(work.traces()), len(work.retrieval_tests())) == (1, 1)
        assert check(work._store) == ()
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["files", FILE]


def rows(folder):
    """How many there are in each table of a library; the keyword index keeps its own in tables of SQLite's."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        kept = [name for name in names if not name.startswith(("sqlite_", "search_"))]
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in kept}


def test_what_each_table_holds_comes_back(archive, tmp_path):
    with opened(tmp_path / "first") as work:
        work.save_notebook(new_notebook("Revenue"))
        WayStore(work._store.connection).remember("a model", "tools")
        backup(work._store, tmp_path / "full.backup")
    before = rows(tmp_path / "first")
    assert all(before.values()), before  # a new table needs a row here, and a place in the restore
    restore(tmp_path / "full.backup", tmp_path / "new")
    assert rows(tmp_path / "new") == before


def test_a_library_in_use_becomes_the_backups(archive, tmp_path):
    with opened(tmp_path / "second") as work:
        list(work.add([BIRCH]))
        assert work.wait_for_embeddings(30)
        assert found(work, "Birch staff left")["dense"] == ["birch.txt"]
        with pytest.raises(BadInput, match="holds 1 document"):
            restore(archive, tmp_path / "second")
        assert [document.file for document in work.documents()] == ["birch.txt"]
        restore(archive, tmp_path / "second", replace=True)
        assert set(map(str, found(work, "refunds rose").values())) == {"['alder.txt']"}
        assert not any(found(work, "Birch staff left").values())
        list(work.add([BIRCH]))
        assert work.wait_for_embeddings(30)
        assert found(work, "Birch staff left")["dense"] == ["birch.txt"]
        assert check(work._store) == ()


def test_what_a_restore_that_was_killed_left_behind_goes_with_the_next(archive, tmp_path):
    (tmp_path / "new" / ".restore-killed").mkdir(parents=True)
    (tmp_path / "new" / ".restore-killed" / "text").write_text("Staff left")
    restore(archive, tmp_path / "new")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["files", FILE]


def test_what_was_replaced_leaves_nothing_on_the_disk(archive, tmp_path):
    with opened(tmp_path / "second") as work:
        list(work.add([BIRCH]))
        restore(archive, tmp_path / "second", replace=True)
    for path in (tmp_path / "second").rglob("*"):
        assert path.is_dir() or b"Staff left" not in path.read_bytes(), path


def test_a_backup_is_made_and_brought_back_while_uploads_go_on(archive, tmp_path):
    with opened(tmp_path / "busy") as work:
        done = threading.Event()

        def upload():
            for number in range(30):
                list(work.add([Upload(f"{number}.txt", f"Report of quokka{number}".encode())]))
            done.set()

        thread = threading.Thread(target=upload)
        thread.start()
        made = 0
        while not done.is_set() or not made:
            target = tmp_path / f"{made}.backup"
            documents = backup(work._store, target)
            assert restore(target, tmp_path / f"back {made}") == documents
            made += 1
        thread.join()
        assert check(work._store) == ()


def changed(archive, name, data=None):
    """The archive with one of its files other than it was, or left out."""
    other = archive.with_name("changed.backup")
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(other, "w") as target:
        names = [*source.namelist(), *({name} - {*source.namelist()})]
        for each in names:
            if each != name:
                target.writestr(each, source.read(each))
            elif data is not None:
                target.writestr(each, data)
    return other


def bad_archives(archive):
    whole = archive.read_bytes()
    with zipfile.ZipFile(archive) as opened:
        (original,) = [name for name in opened.namelist() if name.startswith("files/")]
        database = opened.read(FILE)
    manifest = {"format": 1, "schema": 2, "sha256": "0" * 64}
    yield "empty", b""
    yield "cut", whole[: len(whole) // 2]
    yield "no zip", b"text"
    yield "no database", changed(archive, FILE).read_bytes()
    yield "another database", changed(archive, FILE, b"no database").read_bytes()
    yield "bytes changed", changed(archive, FILE, database[:-1] + b"x").read_bytes()
    yield "no original", changed(archive, original).read_bytes()
    yield "another original", changed(archive, original, b"other").read_bytes()
    yield "a file of nothing", changed(archive, "files/0123456789abcdef", b"stray").read_bytes()
    yield "a path out", changed(archive, "files/../../out", b"out").read_bytes()
    yield "no manifest", changed(archive, MANIFEST).read_bytes()
    yield "a manifest of nonsense", changed(archive, MANIFEST, b"[1]").read_bytes()
    yield "a manifest that lies", changed(archive, MANIFEST, json.dumps(manifest)).read_bytes()
    yield "of a newer program", changed(archive, MANIFEST, json.dumps(manifest | {"schema": 99})).read_bytes()


def test_a_bad_archive_is_refused_and_nothing_changes(archive, tmp_path):
    shutil.copytree(tmp_path / "first", tmp_path / "before")
    for what, data in bad_archives(archive):
        (tmp_path / "bad.backup").write_bytes(data)
        with pytest.raises(BadInput, match=r"another backup|Update the program"):
            restore(tmp_path / "bad.backup", tmp_path / "first", replace=True)
        with opened(tmp_path / "first") as work:
            assert [document.file for document in work.documents()] == ["alder.txt"], what
            assert check(work._store) == ()
    assert not (tmp_path / "out").exists()


def test_a_library_that_is_not_whole_is_not_backed_up(archive, tmp_path):
    with opened(tmp_path / "first") as work:
        work._store.originals.path(work.documents()[0].id).unlink()
        with pytest.raises(BadLibrary, match=r"alder\.txt"):
            backup(work._store, tmp_path / "other.backup")
    assert not (tmp_path / "other.backup").exists()


def test_a_backup_never_takes_the_place_of_a_file(archive, tmp_path):
    before = archive.read_bytes()
    with opened(tmp_path / "first") as work, pytest.raises(BadInput, match="already"):
        backup(work._store, archive)
    assert archive.read_bytes() == before


def test_the_commands_say_what_they_did(archive, tmp_path, capsys):
    target, data = tmp_path / "two.backup", tmp_path / "copy"
    assert main(["backup", str(target), "--data", str(tmp_path / "first")]) == 0
    assert main(["restore", str(target), "--data", str(data)]) == 0
    assert capsys.readouterr().out == f"1 document in {target}\n1 document in {data}\n"
    assert main(["restore", str(target), "--data", str(data)]) == 2
    assert main(["restore", str(target), "--data", str(data), "--replace"]) == 0
    assert main(["restore", str(tmp_path / "none"), "--data", str(data), "--replace"]) == 2
