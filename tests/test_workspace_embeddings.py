"""A library whose vectors come from a server, and its change from one embedding model to another."""

import pytest

from rag.errors import BadInput, EmbeddingFailed
from rag.ingest.upload import Upload
from rag.models.endpoint_embedder import BATCH
from rag.settings import Settings
from rag.types import EmbeddingProgress, Query, RunFinished
from rag.workspace import Workspace
from tests.embedding_server import TOO_MANY, answer, serving

ALDER = Upload("alder.txt", b"Alder plc\nAnnual report 2023\n\nRevenue was $12 million. Refunds rose.\n")
BIRCH = Upload("birch.txt", b"Birch plc\nAnnual report 2023\n\nRevenue was $7 million. Staff left.\n")
LONG = Upload(
    "long.txt", "\n\n".join(f"Cedar plc paid bill {number}. " + "Word " * 40 for number in range(3 * BATCH)).encode()
)


@pytest.fixture
def server():
    with serving() as server:
        yield server


@pytest.fixture
def open_library(server, tmp_path):
    """The library, opened as a process does whose settings name this model of the server."""

    def open_library(model, *, embed=True, retries=1, **others):
        settings = server.settings(data=tmp_path, embedding_model=model, retries=retries, chunk_tokens=64, **others)
        return Workspace.open(Settings(**settings), embed=embed)

    return open_library


@pytest.fixture
def space(server):
    return lambda model: f"{server.address.removeprefix('http://')}:{model}"


@pytest.fixture
def small(open_library):
    """A library of two reports with vectors of "small"."""
    with open_library("small") as library:
        list(library.add([ALDER, BIRCH]))
        assert library.wait_for_embeddings(10)


def held(library):
    """Vectors that the library holds of each model."""
    return dict(library._store.connection().execute("SELECT model, count(*) FROM vectors GROUP BY model"))


def parts(library, text="refunds rose"):
    (hit, *_) = library.search(Query(text)).hits
    return {component.name for component in hit.components}


def from_second_batch(replies):
    """The reply to the first request of a model is right, those after it as told."""
    first = []
    return lambda asked: answer(asked) if not first and not first.append(1) else replies(asked)


def test_a_new_library_takes_the_model_that_is_set_without_asking(server, open_library, space):
    with open_library("small") as library:
        assert server.asked == []
        list(library.add([ALDER, BIRCH]))
        assert library.wait_for_embeddings(10)
        assert library.embedding_change() is None
        assert held(library) == {space("small"): 2}
        assert library.search(Query("refunds rose"), scorer="dense").hits
        assert "dense" in parts(library)
        with pytest.raises(BadInput, match="nothing to change"):
            library.change_embeddings()


def test_another_model_is_offered_with_its_cost_and_nothing_is_begun(server, small, open_library, space):
    with open_library("large", embedding_price=20.0) as library:
        assert library.wait_for_embeddings(10)
        change = library.embedding_change()
        assert (change.before, change.after, change.passages) == (space("small"), space("large"), 2)
        assert change.tokens >= sum(document.tokens for document in library.documents())
        assert change.price == pytest.approx(change.tokens * 20 / 1_000_000)
        assert (change.begun, change.gap) == (False, False)
        assert "dense" in parts(library)
        assert server.embedded("large") == []


def test_what_comes_before_the_change_is_agreed_to_gets_the_old_model_s_vectors(small, open_library, space):
    with open_library("large") as library:
        list(library.add([LONG]))
        assert library.wait_for_embeddings(10)
        assert set(held(library)) == {space("small")}


def test_the_old_model_serves_over_restarts_until_the_new_one_is_whole(server, small, open_library, space):
    with open_library("small") as library:
        list(library.add([LONG]))
        assert library.wait_for_embeddings(10)
        total = library.embedding().total
    server.reply = from_second_batch(lambda asked: TOO_MANY if asked["model"] == "large" else answer(asked))
    with open_library("large") as library:
        library.change_embeddings()
        assert not library.wait_for_embeddings(10)
        assert library.embedding().done == BATCH
        assert library.embedding_change().begun
        assert "asked too often" in library.embedding().error
    with open_library("large", embed=False) as library:
        assert library.embedding() == EmbeddingProgress(BATCH, total, running=False)
        assert library.embedding_change().passages == total - BATCH
        asked = len(server.embedded("small"))
        assert library.search(Query("refunds rose"), scorer="dense").hits
        assert server.embedded("small")[asked:] == ["refunds rose"]
        assert {document.state for document in library.documents()} == {"ready"}
    server.reply = answer
    with open_library("large") as library:
        assert library.wait_for_embeddings(10)
        assert library.embedding_change() is None
        assert held(library) == {space("large"): total}
        assert library.search(Query("staff left"), scorer="dense").hits
        assert server.asked[-1] == server.asked[-1] | {"model": "large", "input": ["staff left"]}
    assert len(server.embedded("large")) == len(set(server.embedded("large"))) == total + 1


def test_a_report_that_comes_during_a_change_is_found_by_word_until_the_change_is_done(server, small, open_library):
    server.reply = lambda asked: TOO_MANY if asked["model"] == "large" else answer(asked)
    with open_library("large") as library:
        library.change_embeddings()
        list(library.add([LONG]))
        assert not library.wait_for_embeddings(10)
        long = library.document("long.txt")
        assert (long.state, long.embedded) == ("embedding", 0) and "asked too often" in long.trouble
        assert library.document("alder.txt").state == "ready"
        assert library.search(Query("bill 100")).hits
        server.reply = answer
        library.embed_again()
        assert library.wait_for_embeddings(10)
        assert {document.state for document in library.documents()} == {"ready"}


def test_a_change_is_given_up_and_offered_again(server, small, open_library, space):
    server.reply = lambda asked: TOO_MANY if asked["model"] == "large" else answer(asked)
    with open_library("large") as library:
        library.change_embeddings()
        assert not library.wait_for_embeddings(10)
        library.keep_embeddings()
        assert library.wait_for_embeddings(10)
        assert (library.embedding_change().begun, library.embedding().error) == (False, None)
        assert held(library) == {space("small"): 2}


def test_the_built_in_model_serves_until_an_endpoint_s_is_whole(open_library, tmp_path, space):
    with Workspace.open(Settings(data=tmp_path)) as library:
        list(library.add([ALDER]))
        assert library.wait_for_embeddings(60)
    with open_library("small") as library:
        assert library.embedding_change().before == "minilm-int8"
        assert library.search(Query("refunds"), scorer="dense").hits
        library.change_embeddings()
        assert library.wait_for_embeddings(10)
        assert held(library) == {space("small"): 1}
    with Workspace.open(Settings(data=tmp_path)) as library:
        assert (library.embedding_change().price, library.embedding_change().gap) == (0.0, True)
        with pytest.raises(EmbeddingFailed, match="Change the library over"):
            library.search(Query("refunds"), scorer="dense")
        (hit,) = library.search(Query("refunds")).hits
        assert library.explain(Query("refunds"), hit.passage.id).standings[-1].scorer == "hybrid"


def test_a_report_whose_embedding_fails_is_found_by_word_and_says_why(server, open_library):
    replies = [answer, answer]
    server.reply = lambda asked: replies.pop()(asked) if replies else TOO_MANY
    with open_library("small", retries=2) as library:
        list(library.add([LONG]))
        assert not library.wait_for_embeddings(10)
        assert len(server.asked) == 2 + 3  # the third batch is tried three times, then no more
        (document,) = library.documents()
        assert (document.state, document.embedded) == ("embedding", 2 * BATCH)
        assert "failed with 429" in document.trouble and "tried again" in document.trouble
        assert library.search(Query("bill 100")).hits
        *_, last = library.ask("What bill did Cedar pay?")
        assert isinstance(last, RunFinished) and last.trace.error is None
        server.reply = answer
        library.embed_again()
        assert library.wait_for_embeddings(10)
        (document,) = library.documents()
        assert (document.state, document.trouble, document.embedded) == ("ready", None, document.passages)
        assert len(held(library)) == 1 and sum(held(library).values()) == document.passages


def test_searches_go_on_by_words_where_the_server_fails(server, small, open_library, caplog):
    with open_library("small") as library:
        server.reply = lambda _: TOO_MANY
        asked = len(server.asked)
        for text in ("refunds rose", "staff left"):
            assert "dense" not in parts(library, text)
        assert len(server.asked) == asked + 1
        assert "Searches go on by keywords" in caplog.text
        with pytest.raises(EmbeddingFailed, match="too often"):
            library.search(Query("refunds rose"), scorer="dense")


def test_a_model_whose_dimensions_change_is_refused_and_what_is_held_stays(server, small, open_library, space):
    server.reply = lambda asked: answer(asked, [[1.0, 0.0]] * len(asked["input"]))
    with open_library("small") as library:
        list(library.add([LONG]))
        assert not library.wait_for_embeddings(10)
        assert "gives 2 dimensions" in library.embedding().error
        assert held(library) == {space("small"): 2}
        assert "dense" not in parts(library)


def test_a_reply_that_does_not_fit_is_not_kept(server, open_library):
    server.reply = lambda asked: answer(asked, [[1.0, 0.0]])
    with open_library("small") as library:
        list(library.add([LONG]))
        assert not library.wait_for_embeddings(10)
        assert "1 vector for 64 texts" in library.embedding().error
        assert held(library) == {}


def test_no_file_of_the_library_and_no_log_holds_the_key(server, small, open_library, tmp_path, caplog):
    with open_library("small") as library:
        server.reply = lambda _: TOO_MANY
        list(library.add([LONG]))
        assert not library.wait_for_embeddings(10)
        list(library.ask("What bill did Cedar pay?"))
    assert all(b"sk-very-secret" not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "sk-very-secret" not in caplog.text
