import threading

import pytest

from rag.errors import RerankFailed
from rag.models.rerank import RerankServer
from tests.rerank_server import FORMS, answer, serving

KEY = "sk-very-secret"
TEXTS = ("Steel fell.", "Coal prices rose.", "Coal fell.")


@pytest.fixture
def server():
    with serving() as given:
        yield given


def error_of(reranker):
    with pytest.raises(RerankFailed) as caught:
        reranker.rerank("coal prices", TEXTS)
    assert KEY not in repr(caught.value) and caught.value.__cause__ is None
    return str(caught.value)


@pytest.mark.parametrize("form", FORMS)
def test_scores_come_in_the_order_of_the_texts(server, form):
    server.reply = lambda asked: answer(form, asked)
    assert RerankServer(server.url).rerank("coal prices", TEXTS) == (0.0, 1.0, 0.5)


def test_it_asks_for_all_texts_with_model_and_key(server):
    RerankServer(server.url, model="reranker-v2", key=KEY).rerank("coal", TEXTS)
    assert server.asked == [{"model": "reranker-v2", "query": "coal", "documents": list(TEXTS), "top_n": 3}]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_without_model_and_key_it_sends_none(server):
    RerankServer(server.url).rerank("coal", TEXTS)
    assert "model" not in server.asked[0] and "Authorization" not in server.headers[0]


def test_what_the_server_leaves_out_or_puts_below_nothing_has_no_score(server):
    server.reply = lambda _: (
        200,
        b'{"results": [{"index": 2, "relevance_score": 0.4}, {"index": 0, "relevance_score": -1}]}',
    )
    assert RerankServer(server.url).rerank("coal", TEXTS) == (0.0, 0.0, 0.4)


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (401, "failed with 401. It refuses the key: check TRACEBOOK_RERANK_KEY."),
        (404, "check TRACEBOOK_RERANK_URL and TRACEBOOK_RERANK_MODEL"),
        (429, "failed with 429. It is asked too often"),
        (500, "failed with 500. It cannot answer."),
    ],
)
def test_a_status_says_what_to_do(server, status, says):
    server.reply = lambda _: (status, f"no, not with {KEY}".encode())
    assert says in error_of(RerankServer(server.url, key=KEY))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b'{"results": {"a": 1}}',
        b'{"results": [{"index": 0}]}',
        b'{"results": [{"index": 1e999, "relevance_score": 1}]}',
    ],
)
def test_an_answer_of_another_form_is_refused(server, body):
    server.reply = lambda _: (200, body)
    assert "not of the /rerank form" in error_of(RerankServer(server.url, key=KEY))


@pytest.mark.parametrize(
    "results", ['{"index": 3, "relevance_score": 0.5}', '{"index": 0, "relevance_score": 7.5}', ""]
)
def test_scores_that_fit_no_text_or_scale_are_refused(server, results):
    server.reply = lambda _: (200, f'{{"results": [{results}]}}'.encode())
    assert "take a model that scores from 0 to 1" in error_of(RerankServer(server.url, key=KEY))


def test_a_slow_server_is_given_up(server):
    late = threading.Event()
    server.reply = lambda asked: (late.wait(5), answer("jina", asked))[1]
    message = error_of(RerankServer(server.url, key=KEY, seconds=0.1))
    late.set()
    assert "No answer (TimeoutError)" in message


def test_nobody_there_is_said():
    assert "No answer (ConnectionRefusedError): check" in error_of(RerankServer("http://127.0.0.1:1/rerank"))


def test_an_address_is_named_without_what_is_secret_in_the_address():
    message = error_of(RerankServer("http://user:pass@127.0.0.1:1/rerank?token=abc", key=KEY))
    assert "'http://127.0.0.1:1/rerank'" in message
    assert not any(secret in message for secret in ("user", "pass", "abc"))


def test_it_follows_no_redirect_since_the_key_would_go_along(server):
    with serving() as other:
        server.reply, server.location = lambda _: (302, b""), other.url
        assert "failed with 302" in error_of(RerankServer(server.url, key=KEY))
        assert other.headers == []
