import numpy as np
import pytest

from rag.errors import EmbeddingFailed
from rag.index.serving import ServingScorer
from rag.index.store import Store
from rag.index.terms import Terms
from rag.models.hashing import HashingEmbedder
from rag.types import Query
from tests.index.make import read_file

OLD, NEW = HashingEmbedder(), HashingEmbedder(64)
REPORT = read_file("Coal prices.", "Steel output.")


@pytest.fixture
def scorer(store, add):
    """Over a report whose vectors are of OLD, in a process whose settings name NEW."""
    add(REPORT)
    embed(store, OLD, *range(2))
    ours = Store.open(store.folder, model=NEW.name)
    yield ServingScorer(ours, {OLD.name: OLD, NEW.name: NEW}.get, Terms(ours))
    ours.close()


def embed(store, embedder, *ordinals):
    texts = [REPORT.passages[ordinal].text for ordinal in ordinals]
    store.save_vectors(embedder.name, [f"{REPORT.id}:{ordinal}" for ordinal in ordinals], embedder.embed(texts))


def found(scorer, text):
    return [(hit.passage.text, hit.score) for hit in scorer.search(Query(text)).hits]


def cosine(embedder, text, other):
    one, two = embedder.embed([text, other])
    return pytest.approx(float(one @ two), abs=1e-4)


def test_the_old_model_serves_until_the_new_one_is_whole(store, scorer):
    before = [("Coal prices.", cosine(OLD, "coal", "Coal prices."))]
    assert found(scorer, "coal") == before
    scorer._store.spaces.agree()
    embed(store, NEW, 0)
    assert not scorer._store.spaces.settle(NEW.name)
    assert found(scorer, "coal") == before
    embed(store, NEW, 1)
    assert found(scorer, "coal") == before
    assert scorer._store.spaces.settle(NEW.name)
    assert found(scorer, "coal") == [("Coal prices.", cosine(NEW, "coal", "Coal prices."))]
    assert scorer.score(Query("steel"), [f"{REPORT.id}:1"]) == {f"{REPORT.id}:1": cosine(NEW, "steel", "Steel output.")}


def test_a_change_in_the_middle_of_a_search_is_searched_again_with_the_new_model(store, scorer):
    class Slow(HashingEmbedder):
        def embed(self, texts):
            ours = scorer._store
            if ours.spaces.serving() == self.name:
                ours.spaces.agree()
                embed(store, NEW, 0, 1)
                assert ours.spaces.settle(NEW.name)
            return super().embed(texts)

    scorer._embedder = {OLD.name: Slow(), NEW.name: NEW}.get
    assert found(scorer, "coal") == [("Coal prices.", cosine(NEW, "coal", "Coal prices."))]


def test_vectors_of_two_models_are_never_compared_even_of_as_many_dimensions(store, scorer):
    class Mirrored(HashingEmbedder):
        def __init__(self):
            super().__init__()
            self.name = "mirrored"

        def embed(self, texts):
            return -super().embed(texts)

    mirrored = Mirrored()
    store.save_vectors("mirrored", [f"{REPORT.id}:0"], np.array(mirrored.embed(["Coal prices."])))
    assert found(scorer, "coal") == [("Coal prices.", cosine(OLD, "coal", "Coal prices."))]


def test_a_model_that_cannot_be_asked_is_said(scorer):
    scorer._embedder = lambda _: None
    with pytest.raises(EmbeddingFailed, match="of the embedding model 'hashing-256', which cannot be asked"):
        scorer.search(Query("coal"))


def test_a_model_that_gives_other_dimensions_than_before_is_refused(store, scorer):
    changed = HashingEmbedder(32)
    changed.name = OLD.name
    scorer._embedder = lambda _: changed
    with pytest.raises(EmbeddingFailed, match="gives 32 dimensions, but its vectors in the library have 256"):
        scorer.search(Query("coal"))
    with pytest.raises(EmbeddingFailed, match="another model goes by its name"):
        embed(store, changed, 0)
