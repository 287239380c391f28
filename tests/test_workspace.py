import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from rag.errors import AmbiguousDocument, BadInput, UnknownDocument
from rag.index.store import Store
from rag.ingest.upload import Upload
from rag.models.hashing import HashingEmbedder
from rag.notebook import add_cell, new_cell, new_notebook
from rag.settings import Settings
from rag.types import AnswerDelta, Card, Component, EmbeddingProgress, Query, RunFinished, RunStarted
from rag.workspace import Workspace, shared
from tests.rerank_server import serving

ALDER = Upload("alder.txt", b"Alder plc\nAnnual report 2023\n\nRevenue was $12 million. Refunds rose.\n")
BIRCH = Upload("birch.txt", b"Birch plc\nAnnual report 2023\n\nRevenue was $7 million. Staff left.\n")


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(Settings(data=tmp_path, embeddings="off")) as opened:
        yield opened


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """A library of two reports, for tests that only read."""
    with Workspace.open(Settings(data=tmp_path_factory.mktemp("two"), embeddings="off")) as opened:
        list(opened.add([ALDER, BIRCH]))
        yield opened


def last_stages(progress):
    """How each file ended."""
    return {each.file: each.stage for each in progress}


def test_files_are_added_and_found_by_word(two):
    (hit,) = two.search(Query("refunds"), scorer="keyword").hits
    assert (hit.score, two.document(hit.passage.document_id).file) == (1.0, "alder.txt")
    assert {document.file for document in two.documents()} == {"alder.txt", "birch.txt"}


def test_the_same_bytes_are_recognised_within_a_batch_and_later(workspace):
    twin = Upload("copy.txt", ALDER.data)
    assert last_stages(workspace.add([ALDER, twin])) == {"alder.txt": "added", "copy.txt": "duplicate"}
    (again,) = workspace.add([twin])
    assert (again.stage, again.document.file) == ("duplicate", "alder.txt")
    assert len(workspace.documents()) == 1


def test_a_new_version_is_kept_beside_the_old_one_and_told_apart(workspace):
    newer = replace(ALDER, data=ALDER.data.replace(b"12", b"14"))
    list(workspace.add([ALDER]))
    assert [document.file for document in workspace.new_versions([newer, BIRCH])] == ["alder.txt"]
    assert workspace.new_versions([ALDER]) == ()
    list(workspace.add([newer]))
    first, second = workspace.documents()
    assert (second.title, second.version) == (f"{first.title} (version 2)", 2)
    *_, finished = workspace.ask("What was Alder's revenue?")
    assert {row.title for row in finished.trace.coverage} == {first.title, second.title}
    assert {each.title for each in finished.trace.answer.citations} == {first.title, second.title}
    *_, finished = workspace.ask("What was Alder's revenue?", documents=[second.id])
    assert "14" in finished.trace.answer.text and "12" not in finished.trace.answer.text


def test_a_new_version_takes_the_place_of_all_old_ones(workspace):
    versions = [replace(ALDER, data=ALDER.data.replace(b"12", b"%d" % million)) for million in (12, 13, 14)]
    for upload in versions[:2]:
        list(workspace.add([upload]))
    list(workspace.ask("What was Alder's revenue?"))
    *_, end = workspace.add([versions[2]], replace=True)
    assert (end.stage, len(end.replaced)) == ("added", 2)
    (document,) = workspace.documents()
    assert document == end.document and document.title == "Alder annual report 2023"
    assert [hit.passage.document_id for hit in workspace.search(Query("revenue")).hits] == [document.id]
    assert "$13" not in str(workspace.traces())
    assert {path.name for path in (workspace.settings.data / "files").iterdir()} == {document.id}


def test_a_new_version_that_cannot_be_read_replaces_nothing(workspace):
    list(workspace.add([ALDER]))
    *_, end = workspace.add([replace(ALDER, data=b"")], replace=True)
    assert end.stage == "failed"
    assert [document.file for document in workspace.documents()] == ["alder.txt"]


def test_a_locked_file_is_read_with_its_password_which_is_kept_nowhere(workspace):
    data = (Path(__file__).parent / "data" / "odd" / "password.pdf").read_bytes()
    locked, wrong, opened = (Upload("locked.pdf", data, password) for password in ("", "wrong", "open sesame"))
    for upload, said in ((locked, "protected by a password"), (wrong, "does not open it")):
        *_, end = workspace.add([upload])
        assert end.locked and said in end.error
    *_, end = workspace.add([opened])
    assert end.stage == "added" and "not kept" in end.document.notes[0]
    assert workspace.search(Query("quokka")).hits
    for path in workspace.settings.data.rglob("*"):
        assert path.is_dir() or b"open sesame" not in path.read_bytes()


def test_a_bad_file_stores_nothing_and_the_others_go_on(workspace):
    progress = list(workspace.add([Upload("bad.pdf", b""), ALDER, Upload("bad too.pdf", b"")]))
    assert last_stages(progress) == {"bad.pdf": "failed", "alder.txt": "added", "bad too.pdf": "failed"}
    assert all(each.error for each in progress if each.stage == "failed")
    assert [document.file for document in workspace.documents()] == ["alder.txt"]


def test_a_stopped_upload_stores_nothing_more(workspace):
    cancel = threading.Event()
    cancel.set()
    assert last_stages(workspace.add([ALDER, BIRCH], cancel=cancel)) == {"alder.txt": "failed", "birch.txt": "failed"}
    assert workspace.documents() == ()


def test_two_files_of_one_name_are_both_kept_and_the_name_alone_is_refused(workspace):
    list(workspace.add([Upload("report.txt", ALDER.data)]))
    list(workspace.add([Upload("report.txt", BIRCH.data)]))
    first, second = workspace.documents()
    assert first.title != second.title
    assert (first.notes, second.notes) == ((), (f"added beside {first.id}, which bears the same file name",))
    with pytest.raises(AmbiguousDocument, match=f"{first.id} and {second.id}"):
        workspace.document("report.txt")
    assert workspace.resolve([second.id]) == (second.id,)


def test_names_resolve_to_ids_each_once(two):
    alder = two.document("alder.txt")
    assert two.resolve(["alder.txt", alder.id]) == (alder.id,)
    assert two.resolve(None) is None
    assert two.resolve([]) == ()
    with pytest.raises(UnknownDocument, match=r"'cedar.txt'.*birch.txt"):
        two.resolve(["cedar.txt"])


def test_all_of_a_process_share_one_workspace_until_it_is_closed(tmp_path):
    settings = Settings(data=tmp_path, embeddings="off")
    with ThreadPoolExecutor(4) as threads:
        first, *others = threads.map(shared, [settings] * 4)
    assert others == [first] * 3
    first.close()
    assert shared(settings) is not first
    shared(settings).close()


def test_a_removed_document_is_found_no_more(workspace):
    list(workspace.add([ALDER, BIRCH]))
    assert workspace.remove("alder.txt").file == "alder.txt"
    assert [document.file for document in workspace.documents()] == ["birch.txt"]
    assert workspace.search(Query("refunds")).hits == ()


def test_nothing_of_a_removed_document_stays_on_the_disk(workspace, tmp_path):
    list(workspace.add([ALDER, BIRCH]))
    *_, last = workspace.ask("What was Alder's revenue?")
    assert "12 million" in last.trace.answer.text
    workspace.remove("alder.txt")
    held = [path.name for path in tmp_path.rglob("*") if path.is_file() and b"12 million" in path.read_bytes()]
    assert held == []


def test_a_card_is_corrected_and_stays_so(workspace, tmp_path):
    list(workspace.add([ALDER]))
    card = Card("Alder", kind="10-K", fiscal_year=2022)
    assert workspace.correct(workspace.document("alder.txt").id, card).title == "Alder 10-K 2022"
    with Workspace.open(Settings(data=tmp_path, embeddings="off")) as again:
        assert again.documents()[0].card == card


def test_passages_are_found_by_the_company_that_a_card_is_corrected_to(workspace):
    list(workspace.add([Upload("q4.txt", ALDER.data.replace(b"Alder plc", b"Adler plc")), BIRCH]))
    document = workspace.document("q4.txt")
    assert document.card.company == "Adler"
    before = workspace.search(Query("Alder refunds"), scorer="bm25").hits[0].score
    workspace.correct(document.id, Card("Alder Holdings", (), "annual report", 2023))
    (hit,) = workspace.search(Query("holdings"), scorer="bm25").hits
    assert hit.passage.document_id == document.id
    assert workspace.search(Query("Alder refunds"), scorer="bm25").hits[0].score > before
    workspace.correct(document.id, Card("Alder", (), "annual report", 2023))
    assert workspace.search(Query("holdings"), scorer="bm25").hits == ()
    assert workspace.search(Query("holdings"), scorer="keyword").hits == ()


def test_passages_lie_on_their_pages_and_text_has_no_page_images(two):
    alder = two.document("alder.txt")
    passage = two.passages(alder.id)[0]
    assert two.passage(passage.id) == passage
    assert two.page(alder.id, 1).text[passage.start : passage.end] == passage.text
    assert two.page_image(alder.id, 1, mark=passage) is None


def test_the_samples_are_added_and_have_page_images(workspace):
    assert set(last_stages(workspace.add_samples()).values()) == {"added"}
    document = workspace.documents()[0]
    passage = workspace.passages(document.id, page=1)[0]
    plain, marked = workspace.page_image(document.id, 1), workspace.page_image(document.id, 1, mark=passage)
    assert plain.startswith(b"\x89PNG") and marked.startswith(b"\x89PNG")
    assert plain != marked


def test_vectors_come_in_the_background_and_join_the_ranking(tmp_path):
    settings, embedder = Settings(data=tmp_path), HashingEmbedder()
    with Workspace(settings, Store.open(tmp_path, model=embedder.name), embedder) as workspace:
        list(workspace.add([ALDER, BIRCH]))
        assert workspace.wait_for_embeddings(10)
        assert workspace.embedding() == EmbeddingProgress(2, 2, running=False)
        assert workspace.scorers() == ("keyword", "bm25", "dense", "hybrid")
        (hit, *_) = workspace.search(Query("refunds rose"), scorer="hybrid").hits
        assert "dense" in {component.name for component in hit.components}


def test_the_words_of_a_library_are_read_once_for_all_scorers(tmp_path):
    embedder = HashingEmbedder()
    with Workspace(Settings(data=tmp_path), Store.open(tmp_path, model=embedder.name), embedder) as workspace:
        list(workspace.add([ALDER]))
        workspace.wait_for_embeddings(10)
        asked: list[str] = []
        workspace._store.connection().set_trace_callback(asked.append)
        for scorer in workspace.scorers():
            assert workspace.search(Query("refunds"), scorer=scorer).hits
        assert len([sql for sql in asked if sql.startswith("SELECT row, words FROM passages")]) == 1


def test_a_library_opened_without_embedding_counts_what_is_missing(tmp_path):
    settings, embedder = Settings(data=tmp_path), HashingEmbedder()
    store = Store.open(tmp_path, model=embedder.name)
    with Workspace(settings, store, embedder, embed=False) as workspace:
        list(workspace.add([ALDER]))
        assert workspace.embedding() == EmbeddingProgress(0, 1, running=False)
        assert not workspace.wait_for_embeddings(0.0)


def test_without_embeddings_none_is_awaited(two):
    assert two.scorers() == ("keyword", "bm25", "hybrid")
    assert two.embedding() == EmbeddingProgress(0, 0, running=False)
    assert two.wait_for_embeddings(0.0)


@pytest.mark.parametrize(
    ("query", "scorer", "message"),
    [(Query("refunds"), "dense", "keyword, bm25, hybrid"), (Query("refunds", k=0), "bm25", "k is 0")],
)
def test_a_search_that_cannot_be_made_is_refused(two, query, scorer, message):
    with pytest.raises(BadInput, match=message):
        two.search(query, scorer=scorer)


@pytest.mark.parametrize("mode", ["agent", "single_shot"])
def test_a_run_ends_in_a_trace_that_is_kept(two, mode):
    first, *_, last = two.ask("What was the revenue of Alder and Birch?", mode=mode)
    assert isinstance(first, RunStarted)
    assert isinstance(last, RunFinished)
    assert two.trace(first.run_id) == last.trace
    assert {row.file for row in last.trace.coverage} == {"alder.txt", "birch.txt"}


def test_the_trace_is_kept_before_its_last_event_is_seen(two):
    for event in two.ask("What was Alder's revenue?", owner="me"):
        if isinstance(event, RunFinished):
            assert two.traces(owner="me") == (event.trace,)


def test_a_run_that_nobody_reads_on_is_kept_as_cancelled(two):
    events = two.ask("What was Alder's revenue?")
    started = next(events)
    events.close()
    assert two.trace(started.run_id).status == "cancelled"


def test_a_run_that_breaks_ends_in_a_trace_that_says_so(workspace, caplog):
    list(workspace.add([ALDER]))
    events = workspace.ask("What was Alder's revenue?")
    started = next(events)
    workspace._store.connection().executescript("DROP TABLE pages")  # the disk plays a trick
    *_, last = events
    assert last.trace.status == "error"
    assert "no such table" in last.trace.error
    assert workspace.trace(started.run_id) == last.trace
    assert "A run broke." in caplog.text


def test_a_run_that_ends_after_its_report_was_removed_keeps_no_quote_of_it(workspace, tmp_path):
    list(workspace.add([ALDER, BIRCH]))
    question = "What was the revenue of Alder and Birch?"
    kept = [event.trace for event in workspace.ask(question) if isinstance(event, RunFinished)]
    assert workspace.trace(kept[0].run_id) == kept[0]
    events = workspace.ask(question)
    seen = [next(events)]
    for event in events:
        seen.append(event)
        if isinstance(event, AnswerDelta) and len(workspace.documents()) == 2:
            workspace.remove("alder.txt")
    assert "12 million" in seen[-1].trace.answer.text  # shown once more to who had asked
    stored = workspace.trace(seen[0].run_id)
    assert stored.question == question and "deleted" in stored.answer.text
    held = [path.name for path in tmp_path.rglob("*") if path.is_file() and b"12 million" in path.read_bytes()]
    assert held == []


def test_an_answer_whose_run_cannot_be_kept_is_given_all_the_same(workspace, caplog):
    list(workspace.add([ALDER]))
    events = workspace.ask("What was Alder's revenue?")
    next(events)
    workspace._store.connection().executescript("DROP TABLE traces")  # the disk plays a trick
    *_, last = events
    assert last.trace.status == "answered"
    assert "12 million" in last.trace.answer.text
    assert "This run was not kept" in last.trace.answer.notes[-1] == caplog.records[0].getMessage()


@pytest.mark.parametrize(
    ("question", "documents", "error"), [(" \n", None, BadInput), ("Revenue?", ["cedar.txt"], UnknownDocument)]
)
def test_a_question_is_checked_before_the_run_begins(two, question, documents, error):
    with pytest.raises(error):
        two.ask(question, documents=documents)


def test_a_notebook_outlives_the_process_and_is_exported(workspace, tmp_path):
    notebook = add_cell(new_notebook("Revenue"), new_cell("What was Alder's revenue?"))
    workspace.save_notebook(notebook, owner="me")
    with Workspace.open(Settings(data=tmp_path, embeddings="off")) as again:
        assert again.notebook(notebook.id) == notebook
        assert again.notebooks(owner="them") == ()
        assert "## What was Alder's revenue?" in again.export_notebook(notebook.id, "markdown")
        assert '"nbformat": 4' in again.export_notebook(notebook.id, "jupyter")
        again.delete_notebook(notebook.id)
        with pytest.raises(BadInput, match="There is no notebook"):
            again.export_notebook(notebook.id, "markdown")


def test_a_rerank_server_judges_what_is_found_and_no_run_holds_its_key(tmp_path):
    with serving() as server:
        settings = Settings(data=tmp_path, embeddings="off", rerank_url=server.url, rerank_key="sk-very-secret")
        with Workspace.open(settings) as opened:
            list(opened.add([ALDER, BIRCH]))
            (hit,) = opened.search(Query("refunds")).hits
            assert hit.components[-1] == Component("rerank", 1.0, 1)
            passage = hit.passage.id
            shares = opened.explain(Query("refunds"), passage).shares
            assert sum(share.contribution for share in shares) == pytest.approx(hit.score)
            (*_, finished) = opened.ask("Which of these reports discuss refunds?")
            server.reply = lambda _: (500, b"")
            assert opened.search(Query("refunds")).hits[0].components[-1].name != "rerank"
        assert finished.trace.status == "answered" and len(server.asked) > 2
        assert "sk-very-secret" not in repr(finished)
        assert all(b"sk-very-secret" not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_a_question_of_many_pages_is_refused_with_the_limit(workspace):
    with pytest.raises(BadInput, match="4,000 are taken"):
        workspace.ask("why " * 1_001)
