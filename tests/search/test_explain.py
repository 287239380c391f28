import pytest

from rag.index.bm25 import Bm25Scorer
from rag.index.dense import DenseScorer
from rag.index.keyword import KeywordScorer
from rag.index.store import Store
from rag.models.hashing import HashingEmbedder
from rag.search.explain import explain
from rag.search.hybrid import HybridRetriever
from rag.search.support import LOOSE, SUPPORT
from rag.types import Query
from tests.index.make import as_bytes, read_file

EMBEDDER = HashingEmbedder(1024)
PORTS = "Closed ports delay the supply of resin."
STAFF = "Staff left, and resin was dear."
CANTEEN = "A canteen was opened."


class Library:
    def __init__(self, store):
        self.store = store
        words, dense = Bm25Scorer(store), DenseScorer(store, EMBEDDER, floor=0.1)
        self.retrievers = (KeywordScorer(store), words, dense, HybridRetriever(words, dense, counts=words))

    def add(self, *pages):
        """Ids of the passages, one a page."""
        parsed = read_file(*pages)
        self.store.add(parsed, as_bytes(parsed))
        while waiting := self.store.unembedded(100):
            ids, texts = zip(*waiting, strict=True)
            self.store.save_vectors(EMBEDDER.name, ids, EMBEDDER.embed(texts))
        return [passage.id for passage in parsed.passages]

    def explain(self, query, passage_id):
        return explain(query, self.store.passage(passage_id), self.retrievers)


@pytest.fixture
def library(tmp_path):
    store = Store.open(tmp_path, model=EMBEDDER.name)
    yield Library(store)
    store.close()


def test_a_passage_that_is_found_has_the_rank_and_score_of_the_search(library):
    ports, *_ = library.add(PORTS, STAFF, CANTEEN)
    query = Query("closed ports resin", k=2)
    found = library.explain(query, ports)
    assert [standing.scorer for standing in found.standings] == ["keyword", "bm25", "dense", "hybrid"]
    for standing, retriever in zip(found.standings, library.retrievers, strict=True):
        best = retriever.search(query).hits[0]
        assert (best.passage.id, best.score) == (ports, standing.score)
        assert (standing.rank, standing.listed) == (1, True)
    assert (found.matched, found.unmatched, found.in_scope) == (("closed", "ports", "resin"), (), True)


def test_the_shares_sum_up_to_the_hybrid_score(library):
    _, staff, _ = library.add(PORTS, STAFF, CANTEEN)
    found = library.explain(Query("closed ports resin"), staff)
    assert sum(share.contribution for share in found.shares) == pytest.approx(found.standings[-1].score)
    assert found.topic == next(share.score for share in found.shares if share.name == "topic")
    assert (found.support, found.loose) == (SUPPORT, LOOSE)


def test_a_passage_below_the_cut_is_told_its_rank_and_who_stands_at_the_cut(library):
    ports, staff, _ = library.add(PORTS, STAFF, CANTEEN)
    found = library.explain(Query("closed ports resin", k=1), staff)
    keyword = found.standings[0]
    assert (keyword.rank, keyword.listed, keyword.cut.passage.id) == (2, False, ports)
    assert keyword.score == pytest.approx(1 / 3)
    assert found.unmatched == ("closed", "ports")


def test_a_passage_that_shares_nothing_has_no_score_and_no_rank(library):
    _, _, canteen = library.add(PORTS, STAFF, CANTEEN)
    found = library.explain(Query("closed ports"), canteen)
    assert [(each.score, each.rank) for each in found.standings[:2]] == [(0.0, None), (0.0, None)]
    assert (found.matched, found.unmatched, found.topic) == ((), ("closed", "ports"), 0.0)


def test_a_passage_out_of_scope_keeps_the_score_that_it_would_have(library):
    ports, *_ = library.add(PORTS, STAFF)
    other, *_ = library.add("Resin is made of oil.")
    inside = library.explain(Query("resin"), ports)
    outside = library.explain(Query("resin", documents=(other.split(":")[0],)), ports)
    assert not outside.in_scope
    assert [each.score for each in outside.standings] == [each.score for each in inside.standings]
    assert {each.rank for each in outside.standings} == {None}


def test_a_blank_query_explains_nothing_and_breaks_nothing(library):
    ports, *_ = library.add(PORTS)
    found = library.explain(Query("the of and"), ports)
    assert (found.shares, found.matched, found.unmatched) == ((), (), ())


def test_a_passage_left_out_as_a_copy_is_told_of_which(library):
    hail = "Hail broke nine greenhouses in the valley, and tomatoes had to be bought from growers abroad that year."
    first, copy = library.add(hail, f"{hail} Again.")
    told = library.explain(Query("hail tomatoes"), copy)
    assert told.copy_of.id == first
    assert (told.standings[-1].listed, told.standings[-1].rank) == (False, None)
    assert sum(share.contribution for share in told.shares) == pytest.approx(told.standings[-1].score)
    assert library.explain(Query("hail tomatoes"), first).copy_of is None
