import json
import sqlite3
from dataclasses import replace

import pytest

from rag.trace import SqliteTraceStore, quoted, to_json, to_markdown, trace_from_json, without_quotes
from rag.types import Answer, TraceHead
from tests.runs import ALDER, run


@pytest.fixture
def store():
    connection = sqlite3.connect(":memory:")
    yield SqliteTraceStore(lambda: connection)
    connection.close()


def test_a_trace_survives_json():
    assert trace_from_json(json.loads(json.dumps(to_json(run())))) == run()


def test_a_saved_run_is_loaded_whole(store):
    store.save(run())
    assert store.load("run-1") == run()


def test_runs_are_counted(store):
    assert store.count() == 0
    store.save(run())
    assert store.count() == 1


def test_an_unknown_run_is_none(store):
    assert store.load("run-9") is None


def test_saving_again_replaces(store):
    store.save(run())
    store.save(replace(run(), status="answered"))
    assert [trace.status for trace in store.recent()] == ["answered"]


def test_recent_runs_come_newest_first_and_obey_the_limit(store):
    for day in (2, 3, 1):
        store.save(run(f"run-{day}", started_at=f"2026-01-0{day}T00:00:00Z"))
    assert [trace.run_id for trace in store.recent(limit=2)] == ["run-3", "run-2"]


def test_an_owner_sees_only_their_runs(store):
    store.save(run("mine"), owner="me")
    store.save(run("theirs"), owner="them")
    store.save(replace(run("mine"), error="late"))
    assert [trace.run_id for trace in store.recent(owner="me")] == ["mine"]
    assert len(store.recent()) == 2


def test_runs_that_quote_a_deleted_document_keep_only_question_status_and_ledger(store):
    store.save(run())
    store.forget("b2")  # in the ledger, but not quoted
    assert store.load("run-1") == run()
    store.forget("a1")
    emptied = store.load("run-1")
    assert (emptied.question, emptied.coverage) == (run().question, run().coverage)
    assert "12 million" not in str(emptied)
    assert "deleted" in emptied.answer.text


def test_documents_are_quoted_by_their_passages_not_by_what_looks_like_one():
    id = "0123456789abcdef"
    citation = replace(run().answer.citations[0], passage=replace(ALDER, id=f"{id}:7", document_id=id))
    trace = replace(run(question="12:30"), answer=Answer("At 12:30 [1].", (citation,)))
    assert quoted(trace) == {id}
    assert quoted(without_quotes(trace)) == set()


def test_the_markdown_holds_steps_scores_citations_and_the_ledger():
    text = to_markdown(run())
    for part in (
        "# What was Alder's revenue?",
        "rules, no language model",
        "**2. search\\_documents**",
        "| 0.83 | Alder 10-K 2023 | p. iv (sheet 12) | revenue |",
        "alder.pdf, p. iv (sheet 12)",
        "| Birch 10-K 2023 | nothing found | 2 | 0.00 | 0 | 0 |",
        "Not covered:\n\n- Cedar is not in the library.",
        "Silent:\n\n- Birch 10-K 2023: nothing found.",
        "over 2 documents: 1 passage.",
    ):
        assert part in text


def test_text_of_documents_never_comes_alive():
    hostile = "<img src=x onerror=alert(1)> ![a](http://x/y) [1](javascript:alert(1)) $a$ `c`\n# head"
    text = to_markdown(replace(run(question=hostile), answer=Answer(hostile)))
    for alive in ("<img", "![", "](", "$a", " `c"):
        assert alive not in text.replace("\\" + alive[0], "").replace("\\[", "").replace("\\]", "")
    assert "\n# head" not in text


def test_an_answers_own_markup_stays():
    answer = "Of two:\n\n- **Alder**: 5_000 [1]\n\n| Report | Revenue |\n|---|---|\n| Alder | 12*3 [1] |"
    text = to_markdown(replace(run(), answer=Answer(answer)))
    assert "- **Alder**: 5\\_000 [1]\n" in text
    assert "| Report | Revenue |\n|---|---|\n| Alder | 12\\*3 [1] |" in text


OLD = "CREATE TABLE traces (run_id TEXT PRIMARY KEY, owner TEXT, started_at TEXT NOT NULL, body TEXT NOT NULL)"
HEAD = TraceHead(
    "run-1", run().question, "partial", "agent", "rules", "strong", 1, 2, "2026-01-01T00:00:00Z", seconds=0.4
)


def test_a_list_shows_what_a_run_was_without_reading_it(store):
    store.save(run(), owner="me")
    store.save(run("run-2", started_at="2026-01-02T00:00:00Z"))
    assert [head.run_id for head in store.heads()] == ["run-2", "run-1"]
    assert store.heads(limit=1)[0].run_id == "run-2"
    assert store.heads(owner="me") == store.heads(runs=["run-1", "run-9"]) == (HEAD,)
    assert store.heads(runs=[]) == ()


def test_the_head_follows_its_run(store):
    store.save(run())
    store.save(replace(run(), status="answered"))
    assert store.heads()[0].status == "answered"
    store.forget("a1")
    assert store.heads() == (replace(HEAD, status="answered", evidence="none"),)


def test_runs_stored_before_there_were_heads_get_theirs():
    connection = sqlite3.connect(":memory:")
    connection.execute(OLD)
    body = json.dumps(to_json(run()))
    connection.execute("INSERT INTO traces VALUES (?, ?, ?, ?)", ("run-1", None, run().started_at, body))
    assert SqliteTraceStore(lambda: connection).heads() == (HEAD,)
    assert SqliteTraceStore(lambda: connection).load("run-1") == run()
    connection.close()
