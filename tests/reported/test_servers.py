"""Cases of other people's servers: those that refuse, those that take strings alone, those that know no tools."""

from rag.ingest.upload import Upload
from rag.models.endpoint_embedder import BATCH
from rag.settings import Settings
from rag.types import Query
from rag.workspace import Workspace
from tests import embedding_server, openai_server
from tests.embedding_server import TOO_MANY
from tests.openai_server import says
from tests.reported.cases import GOOD, answer, found

LONG = Upload(
    "long.txt", "\n\n".join(f"Cedar plc paid bill {number}. " + "Word " * 40 for number in range(3 * BATCH)).encode()
)


def test_a28_a_rate_limit_ends_in_plain_words_and_another_try_leaves_no_doubles(tmp_path):
    """What has no vector yet is found by word, and says so, so that nothing is half there."""
    with embedding_server.serving() as server:
        replies = [embedding_server.answer] * 2
        server.reply = lambda asked: replies.pop()(asked) if replies else TOO_MANY
        settings = server.settings(data=tmp_path, embedding_model="small", retries=2, chunk_tokens=64)
        with Workspace.open(Settings(**settings)) as library:
            list(library.add([LONG]))
            assert not library.wait_for_embeddings(10)
            assert len(server.asked) == 2 + 3  # the third batch is tried three times, then no more
            (document,) = library.documents()
            assert document.state == "embedding" and "failed with 429" in document.trouble
            assert "bill 100" in found(library, "bill 100")[0]
            assert answer(library, "What bill did Cedar pay?").error is None
            server.reply = embedding_server.answer
            library.embed_again()
            assert library.wait_for_embeddings(10)
            (document,) = library.documents()
            assert (document.state, document.embedded) == ("ready", document.passages)
            (vectors,) = library._store.connection().execute("SELECT count(*) FROM vectors").fetchone()
            assert vectors == document.passages


def test_a28_a_model_that_is_asked_too_often_is_said_in_plain_words(tmp_path):
    with openai_server.serving(openai_server.fails(429, "slow down", Retry_After="0.01")) as server:
        settings = Settings(data=tmp_path, embeddings="off", openai_base_url=server.url, model="m", retries=2)
        with Workspace.open(settings) as library:
            list(library.add([GOOD]))
            trace = answer(library, "What was the revenue?")
    assert len(server.bodies) == 3  # once, and twice again after the wait that it names
    assert trace.status == "error" and "429" in trace.error and "Traceback" not in trace.error
    assert "12 million" in trace.answer.text


def test_a29_a_server_without_tools_is_asked_in_json_by_itself(tmp_path):
    look = says('{"thought": "Look.", "action": "search_documents", "action_input": {"query": "revenue"}}')
    done = says(
        '{"thought": "Done.", "action": "answer_directly", "action_input": {"answer": "It was 12 million [1]."}}'
    )
    with openai_server.serving(look, done, refuses=["tools"]) as server:
        settings = Settings(data=tmp_path, embeddings="off", openai_base_url=server.url, model="m")
        with Workspace.open(settings) as library:
            list(library.add([GOOD]))
            trace = answer(library, "What was the revenue?")
    assert (trace.status, trace.answer.text) == ("answered", "It was 12 million [1].")
    assert ["tools" in body for body in server.bodies] == [True, False, False]


def test_a30_a_server_that_takes_strings_alone_makes_the_vectors(tmp_path):
    with embedding_server.serving() as server:
        with Workspace.open(Settings(**server.settings(data=tmp_path, embedding_model="small"))) as library:
            list(library.add([GOOD]))
            assert library.wait_for_embeddings(10)
            assert "12 million" in found(library, "revenue", "dense")[0]
            assert library.search(Query("revenue")).hits
        assert server.answered == server.asked
        assert all(isinstance(text, str) for asked in server.asked for text in asked["input"])
