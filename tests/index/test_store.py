import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rag.errors import UnknownDocument
from rag.index.bm25 import Bm25Scorer
from rag.index.store import Store
from rag.types import Card, Page, Query
from tests.index.make import as_bytes, read_file

BLUEBELL = read_file("Project Bluebell cost 2.4 million.", "It ended in May.", file="bluebell.txt")
COAL = read_file(["Coal prices rose.", "Steel prices fell."], file="coal.txt")


def test_a_document_comes_back_as_it_was_stored(store, add):
    card = Card("Bluebell", ("Bluebell plc",), "10-K", 2023, "2023-05-31")
    page = Page(3, "iii", "\n".join(["Coal", "März"]), ((0, 5), (5, 11)), "balance")
    passage = replace(COAL.passages[0], page=3, label="iii", start=5, end=9, text="März", statement="balance")
    given = replace(COAL, card=card, pages=(page,), passages=(passage,), search=COAL.search[:1], notes=("odd",))
    document = add(given)
    assert (document.card, document.notes, document.pages, document.passages) == (card, ("odd",), 1, 1)
    assert store.page(document.id, 3) == page
    assert store.passages(document.id) == (passage,)
    assert store.passage(passage.id) == passage
    assert store.file(document.id) == as_bytes(given)


def test_documents_are_listed_oldest_first(store, add):
    first, second = add(COAL), add(BLUEBELL)
    assert store.documents() == (first, second)


def test_passages_of_one_page(store, add):
    document = add(BLUEBELL)
    assert [passage.text for passage in store.passages(document.id, page=2)] == ["It ended in May."]
    assert store.passages(document.id, page=9) == ()


def test_the_same_bytes_are_stored_once(store, add):
    first = add(COAL)
    assert add(replace(COAL, file="again.txt")) == first
    assert store.by_sha256(COAL.sha256) == first
    assert store.documents() == (first,)


def test_a_corrected_card_stays(store, add):
    document = add(COAL)
    assert store.correct(document.id, Card("Coal Board", kind="10-K", fiscal_year=2023)).title == "Coal Board 10-K 2023"
    with pytest.raises(UnknownDocument):
        store.correct("nobody", Card())


@pytest.mark.parametrize("passage_id", ["nobody", "nobody:0", f"{COAL.id}:2", f"{COAL.id}:x", f"{COAL.id}:-1"])
def test_unknown_passages_are_refused_by_name(store, add, passage_id):
    add(COAL)
    with pytest.raises(UnknownDocument, match=passage_id):
        store.passage(passage_id)


def test_unknown_documents_and_pages_are_refused(store, add):
    document = add(COAL)
    for ask in (store.document, store.passages, store.file, store.remove):
        with pytest.raises(UnknownDocument, match="'nobody'"):
            ask("nobody")
    with pytest.raises(UnknownDocument, match="no page 2"):
        store.page(document.id, 2)


def test_passages_that_are_not_spans_of_their_page_are_a_mistake_of_ours(store, add):
    wrong = replace(COAL, passages=(replace(COAL.passages[0], start=1), COAL.passages[1]))
    with pytest.raises(ValueError, match="span"):
        add(wrong)


def test_an_upload_that_fails_half_way_stores_nothing(store, add):
    twice = replace(COAL, pages=COAL.pages * 2)  # two pages of one number: refused when the document is in already
    with pytest.raises(sqlite3.IntegrityError):
        add(twice)
    assert store.documents() == ()
    assert list((store.folder / "files").glob("*")) == []
    assert add(COAL).passages == 2


def test_an_upload_whose_file_cannot_be_written_stores_nothing(store, add):
    (store.folder / "files").write_text("a file where the folder should be")
    with pytest.raises(FileExistsError):
        add(COAL)
    assert store.documents() == ()


def test_nothing_of_a_removed_document_stays_on_the_disk(store, add):
    document = add(BLUEBELL)
    add(COAL)
    store.save_vectors("m", [f"{document.id}:0"], np.full((1, 4), 7.77, np.float32))
    store.remove(document.id)
    assert [left.file for left in store.documents()] == ["coal.txt"]
    store.close()
    traces = [b"Bluebell", b"bluebel", b"2.4 million", np.float32(7.77).tobytes()]
    for path in store.folder.rglob("*"):
        assert path.is_dir() or not [trace for trace in traces if trace in path.read_bytes()], path


def test_twenty_uploads_from_ten_threads(store, add):
    words = [f"quokka{number:02}" for number in range(20)]
    with ThreadPoolExecutor(10) as threads:
        list(threads.map(lambda word: add(read_file(f"All about {word}.", file=word)), words))
    assert sorted(document.file for document in store.documents()) == words
    scorer = Bm25Scorer(store)
    assert [scorer.search(Query(word)).hits[0].passage.text for word in words] == [f"All about {w}." for w in words]


def test_the_same_file_from_ten_threads_is_stored_once(store, add):
    with ThreadPoolExecutor(10) as threads:
        assert len(set(threads.map(lambda _: add(COAL).id, range(10)))) == 1
    assert len(store.documents()) == 1


def test_what_one_process_writes_another_sees(store, add):
    other = Store.open(store.folder, model=store.model)
    scorer = Bm25Scorer(other)
    assert scorer.search(Query("coal")).hits == ()
    document = add(COAL)
    assert other.documents() == (document,)
    assert len(scorer.search(Query("coal")).hits) == 1
    store.remove(document.id)
    assert scorer.search(Query("coal")).hits == ()
    other.close()


def test_connections_of_threads_that_ended_are_closed(store):
    for _ in range(5):
        with ThreadPoolExecutor(1) as thread:
            thread.submit(store.documents).result()
    assert len(store._connections) <= 2


def test_a_process_killed_in_the_middle_leaves_whole_documents_only(store):
    program = """
import sys
from pathlib import Path
from rag.index.store import Store
from tests.index.make import as_bytes, read_file
store = Store.open(Path(sys.argv[1]))
for number in range(10_000):
    parsed = read_file(*[f"Page {page} of {number}." for page in range(20)], file=str(number))
    store.add(parsed, as_bytes(parsed))
    print(number, flush=True)
"""
    for count in (1, 4, 9):
        command = [sys.executable, "-c", program, str(store.folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as process:
            for _ in range(count):
                process.stdout.readline()
            process.kill()
        Store.open(store.folder).close()
        stored = store.documents()
        assert len(stored) >= count
        assert {path.name for path in (store.folder / "files").iterdir()} == {document.id for document in stored}
        for document in stored:
            assert len(store.passages(document.id)) == 20
            assert b"Page 19" in store.file(document.id)
        assert len(Bm25Scorer(store).search(Query("page", k=100_000)).hits) == 20 * len(stored)


def test_files_that_an_interrupted_upload_left_go_at_the_next_start(store, add):
    document = add(COAL)
    files = store.folder / "files"
    for name in ("0123456789abcdef", "0123456789abcdef.part", "notes of mine.txt"):
        (files / name).write_text("left over")
    Store.open(store.folder).close()
    assert {path.name for path in files.iterdir()} == {document.id, "notes of mine.txt"}
