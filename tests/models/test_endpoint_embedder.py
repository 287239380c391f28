from dataclasses import replace

import pytest

from rag.errors import EmbeddingFailed
from rag.models.endpoint import Endpoint
from rag.models.endpoint_embedder import BATCH, EndpointEmbedder
from tests.embedding_server import TOO_MANY, Reply, answer, serving

MANY = [f"Passage {number}." for number in range(3 * BATCH)]


@pytest.fixture
def server():
    with serving() as server:
        yield server


@pytest.fixture
def embedder(server):
    return EndpointEmbedder(server.endpoint(), "small")


def test_a_server_is_sent_strings_in_bounded_batches(server, embedder):
    assert embedder.embed(MANY).shape == (len(MANY), 256)
    assert [len(asked["input"]) for asked in server.asked] == [BATCH] * 3
    assert server.embedded("small") == MANY
    assert {asked["encoding_format"] for asked in server.asked} == {"float"}
    assert {headers["authorization"] for headers in server.headers} == {"Bearer sk-very-secret"}


def test_a_server_without_keys_is_asked_with_none_of_ours(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    EndpointEmbedder(server.endpoint(key=""), "small").embed(MANY[:1])
    assert "sk-very-secret" not in str(server.headers)


def test_nothing_is_asked_before_the_first_use_and_dimensions_are_asked_for_once(server, embedder):
    assert (server.asked, embedder.name) == ([], f"{server.address.removeprefix('http://')}:small")
    assert (embedder.dimensions, embedder.dimensions, len(server.asked)) == (256, 256, 1)


def test_azure_is_asked_by_deployment_whatever_the_environment_says(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    embedder = EndpointEmbedder(server.endpoint(azure=True), "small")
    assert embedder.embed(MANY[:2]).shape == (2, 256)
    assert server.paths == ["/openai/deployments/small/embeddings?api-version=2024-10-21"]
    assert server.headers[0]["api-key"] == "sk-very-secret"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_in_trouble_is_asked_again(server, embedder, status):
    replies = [replace(TOO_MANY, status=status)] * 2
    server.reply = lambda asked: replies.pop() if replies else answer(asked)
    assert embedder.embed(["Coal."]).shape == (1, 256)
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("reply", "asks", "words"),
    [
        (TOO_MANY, 3, "failed with 429.*too often.*It says: slow down"),
        (Reply(500, {}, {"Retry-After": "0.01"}), 3, "failed with 500.*cannot answer"),
        (replace(TOO_MANY, headers={"Retry-After": "9999"}), 1, "failed with 429"),
        (Reply(401, {"error": {"message": "Incorrect API key provided: sk-very-secret"}}), 1, "refuses the key"),
        (Reply(404, {"error": {"message": "no such model"}}), 1, "TRACEBOOK_EMBEDDING_MODEL"),
        (Reply(307, {}, {"Location": "http://127.0.0.1:1/"}), 1, "failed with 307"),
        (Reply(200, {}), 1, "not of the /embeddings form"),
        (Reply(200, {"data": []}), 1, "0 vectors for 1 text"),
        (Reply(200, {"data": [{"vector": [1.0]}]}), 1, "hold what is no number"),
    ],
)
def test_a_server_that_fails_is_asked_so_often_and_said_in_words_without_the_key(server, embedder, reply, asks, words):
    server.reply = lambda _: reply
    with pytest.raises(EmbeddingFailed, match=words) as caught:
        embedder.embed(["Coal."])
    assert len(server.asked) == asks
    assert "sk-very-secret" not in str(caught.value) + repr(embedder._endpoint)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([[1.0, 0.0]], "1 vector for 2 texts"),
        ([[1.0, 0.0]] * 3, "3 vectors for 2 texts"),
        ([[1.0, 0.0], [1.0]], "not of one length"),
        ([[1.0, 0.0], [0.0, 0.0]], "without a direction"),
        ([[1.0, 0.0], [float("nan"), 0.0]], "without a direction"),
        ([[1.0, 0.0]] * 2, "2 dimensions after some of 256"),
    ],
)
def test_vectors_that_do_not_fit_are_refused(server, embedder, rows, words):
    if "after" in words:
        embedder.embed(["Coal."])
    server.reply = lambda asked: answer(asked, rows)
    with pytest.raises(EmbeddingFailed, match=words):
        embedder.embed(["Coal.", "Steel."])


def test_a_server_that_is_not_there_is_said():
    with pytest.raises(EmbeddingFailed, match=r"'127.0.0.1:9:small' failed. It does not answer at all"):
        EndpointEmbedder(Endpoint("http://127.0.0.1:9/v1", "sk", retries=0), "small").embed(["Coal."])


@pytest.mark.parametrize("address", ["http://host:99999/v1", "http://no host/v1"])
def test_an_address_that_leads_nowhere_is_said(address):
    with pytest.raises(EmbeddingFailed, match=r"does not answer at all|not of the /embeddings form"):
        EndpointEmbedder(Endpoint(address, "sk", retries=0), "small").embed(["Coal."])


def test_who_waits_is_told_at_once(server, embedder):
    server.reply = lambda _: TOO_MANY
    with pytest.raises(EmbeddingFailed):
        embedder.hurried().embed(["Coal."])
    assert len(server.asked) == 1
    assert embedder.hurried().name == embedder.name


@pytest.mark.parametrize(
    ("endpoint", "name"),
    [
        (Endpoint(None, "sk"), "openai:m"),
        (Endpoint("http://me:secret@localhost:11434/v1?key=secret", "sk"), "localhost:11434:m"),
        (Endpoint("https://API.Example.com?key=secret", "sk"), "api.example.com:m"),
        (Endpoint(None, "sk", azure="https://ours.openai.azure.com/"), "ours.openai.azure.com:m"),
    ],
)
def test_a_name_says_server_and_model_and_holds_no_key(endpoint, name):
    assert EndpointEmbedder(endpoint, "m").name == name
