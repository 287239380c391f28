import shutil
from pathlib import Path

from rag.index.dense import DenseScorer
from rag.index.embedding import EmbeddingQueue
from rag.models.hashing import HashingEmbedder
from rag.types import Query
from tests.index.make import read_file

COAL, STEEL = "Coal prices.", "Steel output."


def embed(store, embedder):
    queue = EmbeddingQueue(store, lambda _: embedder)
    assert queue.wait(10)
    queue.close()


def texts(scorer, query):
    return [hit.passage.text for hit in scorer.search(Query(query)).hits]


def test_passages_are_found_once_they_have_a_vector(store, add):
    scorer = DenseScorer(store, HashingEmbedder())
    add(read_file(COAL, STEEL))
    assert texts(scorer, "coal") == []
    embed(store, HashingEmbedder())
    assert texts(scorer, "coal") == [COAL]


def test_what_is_not_nearer_than_the_floor_is_no_match(store, add):
    add(read_file("Coal wind rain sun."))
    embed(store, HashingEmbedder())
    assert texts(DenseScorer(store, HashingEmbedder(), floor=0.4), "coal") == ["Coal wind rain sun."]  # cosine 1/2
    assert texts(DenseScorer(store, HashingEmbedder(), floor=0.6), "coal") == []


def test_a_pickle_in_the_folder_is_left_alone(store, add):
    add(read_file(COAL))
    embed(store, HashingEmbedder())
    pickle = Path(__file__).parents[1] / "data" / "A19_index.pkl"
    for name in ("index.pkl", "hashing-256.faiss", "hashing-256.pkl"):
        shutil.copy(pickle, store.folder / name)
    assert texts(DenseScorer(store, HashingEmbedder()), "coal") == [COAL]
    assert not list(store.folder.rglob("PICKLE_WAS_EXECUTED")) + list(Path().glob("PICKLE_WAS_EXECUTED"))
