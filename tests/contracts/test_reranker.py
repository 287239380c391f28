"""What every reranker promises."""

import pytest

from rag.models.overlap import OverlapReranker
from rag.models.rerank import RerankServer
from tests.rerank_server import serving

TEXTS = ("Steel output fell.", "Coal prices rose in the north.", "The board raised the dividend.", "")


@pytest.fixture(params=["overlap", "server"])
def reranker(request):
    if request.param == "overlap":
        yield OverlapReranker()
    else:
        with serving() as server:
            yield RerankServer(server.url)


@pytest.mark.parametrize("query", ["coal prices", "", "???", "penguins"])
def test_as_many_scores_as_texts_all_between_0_and_1(reranker, query):
    scores = reranker.rerank(query, TEXTS)
    assert len(scores) == len(TEXTS)
    assert all(0 <= score <= 1 for score in scores)


def test_the_best_text_scores_best(reranker):
    scores = reranker.rerank("coal prices", TEXTS)
    assert max(scores) == scores[1] > scores[0]


def test_the_same_gives_the_same(reranker):
    assert reranker.rerank("coal", TEXTS) == reranker.rerank("coal", TEXTS)


def test_no_texts_no_scores(reranker):
    assert reranker.rerank("coal", ()) == ()
