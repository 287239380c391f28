import logging

import pytest

from rag.errors import RerankFailed
from rag.index.bm25 import Bm25Scorer
from rag.index.store import Store
from rag.models.overlap import OverlapReranker
from rag.search.reranked import FIRST, RerankedRetriever
from rag.types import Query
from tests.index.make import as_bytes, read_file


@pytest.fixture
def words(tmp_path):
    """bm25 over 60 passages on coal, of which the last ones say the word least often."""
    store = Store.open(tmp_path)
    parsed = read_file(*("coal " * (60 - number) + f"mine {number}" for number in range(60)))
    store.add(parsed, as_bytes(parsed))
    yield Bm25Scorer(store)
    store.close()


class Broken:
    """Fails each time, and counts how often it was asked."""

    def __init__(self):
        self.asked = 0

    def rerank(self, query, texts):
        self.asked += 1
        raise RerankFailed("The server is on fire.")


def last_part(hit):
    part = hit.components[-1]
    return part.name, part.score, part.rank


def test_the_score_is_half_of_each_and_the_part_is_kept(words):
    query = Query("coal mine 30", k=60)
    before = {hit.passage.id: hit.score for hit in words.search(query).hits}
    hits = RerankedRetriever(words, OverlapReranker()).search(query).hits
    assert all(hit.score == (before[hit.passage.id] + hit.components[-1].score) / 2 for hit in hits)
    assert "mine 30" in hits[0].passage.text
    assert last_part(hits[0]) == ("rerank", 1.0, 1)


def test_what_lies_beyond_the_first_counts_as_judged_with_nothing(words):
    hits = RerankedRetriever(words, OverlapReranker()).search(Query("coal", k=60)).hits
    assert len(hits) == 60
    assert {last_part(hit) for hit in hits[FIRST:]} == {("rerank", 0.0, None)}


def test_a_score_does_not_depend_on_how_many_are_asked_for(words):
    reranked = RerankedRetriever(words, OverlapReranker())
    assert reranked.search(Query("coal", k=3)).hits == reranked.search(Query("coal", k=60)).hits[:3]


def test_a_reranker_that_fails_leaves_the_inner_ranking_and_says_so_once(words, caplog):
    broken = Broken()
    reranked = RerankedRetriever(words, broken)
    with caplog.at_level(logging.WARNING):
        results = [reranked.search(Query("coal", k=5)) for _ in range(3)]
    assert all(result.hits == words.search(Query("coal", k=5)).hits for result in results)
    assert [record.message for record in caplog.records] == [
        "The server is on fire. Searches go on without it for 60 seconds."
    ]
    assert broken.asked == 1


def test_after_the_pause_it_is_asked_again(words):
    broken = Broken()
    reranked = RerankedRetriever(words, broken, pause=0)
    for _ in range(3):
        reranked.search(Query("coal"))
    assert broken.asked == 3


def test_nothing_found_is_nothing_to_judge(words):
    broken = Broken()
    assert RerankedRetriever(words, broken).search(Query("penguins")).hits == ()
    assert broken.asked == 0
