import numpy as np
import pytest

from rag.__main__ import main
from rag.check import check
from rag.index.store import Store
from rag.ingest.upload import Upload
from rag.models.hashing import HashingEmbedder
from rag.repair import repair
from rag.settings import Settings
from rag.types import Query
from rag.workspace import Workspace

ALDER = Upload("alder.txt", b"Alder plc\nAnnual report 2023\n\nRevenue was $12 million. Refunds rose.\n")
BIRCH = Upload("birch.txt", b"Birch plc\nAnnual report 2023\n\nRevenue was $7 million. Staff left.\n")


@pytest.fixture
def library(tmp_path):
    """Two reports with vectors, closed."""
    settings, embedder = Settings(data=tmp_path, embeddings="off"), HashingEmbedder()
    with Workspace(settings, Store.open(tmp_path, model=embedder.name), embedder) as work:
        for upload in (ALDER, BIRCH):  # one after the other, so that Alder has the first rows
            list(work.add([upload]))
        assert work.wait_for_embeddings(30)
    return tmp_path


@pytest.fixture
def store(library):
    store = Store.existing(library)
    yield store
    store.close()


def change(store, sql, *values):
    connection = store.connection()
    connection.execute("PRAGMA foreign_keys = OFF")
    with connection:
        connection.execute(sql, values)
    connection.execute("PRAGMA foreign_keys = ON")


def test_a_whole_library_has_no_fault(store):
    assert check(store) == ()


DERIVED = {
    "keyword rows gone": "DELETE FROM search WHERE rowid = 1",
    "other words": "UPDATE search SET body = 'zebra' WHERE rowid = 1",
    "a keyword row too many": "INSERT INTO search (rowid, heading, body) VALUES (99, '', 'zebra')",
    "a length in words": "UPDATE passages SET words = 7000",
    "a count of pages": "UPDATE documents SET pages = 9",
    "a count of tokens": "UPDATE documents SET tokens = 0",
    "a row number used again": "UPDATE library SET next_row = 1",
    "vectors of nothing": "UPDATE vectors SET row = 77 WHERE row = 1",
    "a vector of another length": "UPDATE vectors SET vector = zeroblob(length(vector)) WHERE row = 1",
    "a vector cut short": "UPDATE vectors SET vector = zeroblob(5) WHERE row = 1",
    "a vector of another model": "INSERT INTO vectors (row, model, vector) SELECT row, 'old', vector FROM vectors",
    "an index that lost a word": "UPDATE search_content SET c1 = 'zebra' WHERE id = 1",
    "a keyword index torn": "DELETE FROM search_data WHERE id > 10",
}


@pytest.mark.parametrize("sql", DERIVED.values(), ids=DERIVED.keys())
def test_what_can_be_derived_is_found_and_made_anew(store, sql):
    change(store, sql)
    faults = check(store)
    assert faults and all(fault.repairable for fault in faults)
    assert repair(store) == ()
    assert len(store.documents()) == 2


LOST = {
    "a span beyond its page": "UPDATE passages SET stop = 5000 WHERE row = 1",
    "a passage gone": "DELETE FROM passages WHERE row = 1",
    "a page gone": "DELETE FROM pages WHERE document = 1",
}


@pytest.mark.parametrize("sql", LOST.values(), ids=LOST.keys())
def test_lost_text_is_found_named_and_not_made_up(store, sql):
    change(store, sql)
    (fault,) = [fault for fault in check(store) if not fault.repairable]
    assert "'alder.txt'" in fault.text and "add its file again" in fault.text
    assert fault in repair(store)


def test_a_changed_or_missing_file_is_found(store):
    alder, birch = store.documents()
    store.originals.path(alder.id).write_bytes(b"other bytes")
    store.originals.path(birch.id).unlink()
    assert ["alder.txt" in fault.text or "birch.txt" in fault.text for fault in repair(store)] == [True, True]


def test_files_and_indexes_of_nothing_go(store):
    for path in (store.originals.path("0123456789abcdef"), store.folder / "old.faiss"):
        path.write_bytes(b"left over")
    (store.folder / "files" / "notes of mine.txt").write_text("mine")
    assert [fault.text for fault in check(store)] == [
        "old.faiss is no whole index of the vectors that serve.",
        "1 file of no document.",
    ]
    assert repair(store) == ()
    assert (store.folder / "files" / "notes of mine.txt").exists()


def test_wrong_vectors_are_embedded_again(library, store):
    change(store, "UPDATE vectors SET vector = ?", np.zeros(256, np.float32).tobytes())
    assert repair(store) == ()
    assert [document.embedded for document in store.documents()] == [0, 0]
    embedder = HashingEmbedder()
    with Workspace(Settings(data=library), Store.open(library, model=embedder.name), embedder) as work:
        assert work.wait_for_embeddings(30)
    assert check(store) == ()


def test_a_library_in_use_sees_what_was_repaired(library, store):
    with Workspace.open(Settings(data=library, embeddings="off")) as work:
        change(store, "DELETE FROM search")
        assert repair(store) == ()
        assert work.search(Query("refunds"), scorer="bm25").hits[0].passage.document_id == work.document("alder.txt").id


def test_runs_that_quote_a_deleted_report_are_emptied(library, store):
    with Workspace.open(Settings(data=library, embeddings="off")) as work:
        list(work.ask("What was the revenue of Alder?"))
        store.remove(work.document("alder.txt").id)
    assert [fault.text for fault in check(store)] == ["Stored runs quote 1 document deleted since."]
    assert repair(store) == ()


def test_a_database_damaged_inside_is_a_fault_and_no_crash(library):
    database = library / "library.sqlite"
    data = bytearray(database.read_bytes())
    data[4096 * 3 : 4096 * 9] = b"\xa5" * (4096 * 6)
    database.write_bytes(data)
    store = Store(library)
    faults = check(store)
    assert faults and not all(fault.repairable for fault in faults)
    assert repair(store)
    store.close()


def test_the_command_says_what_is_wrong_and_repairs_it(library, store, capsys):
    data = ("--data", str(library))
    assert main(["check", *data]) == 0
    assert capsys.readouterr().out == "2 documents: nothing is wrong.\n"
    change(store, "UPDATE documents SET pages = 9 WHERE file = 'alder.txt'")
    assert main(["check", *data]) == 1
    assert "'alder.txt'" in capsys.readouterr().out
    assert main(["check", "--repair", *data]) == 0
    assert main(["check", *data]) == 0


def test_the_command_makes_no_library_where_there_is_none(tmp_path, capsys):
    assert main(["check", "--data", str(tmp_path / "none")]) == 2
    assert "no library" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
