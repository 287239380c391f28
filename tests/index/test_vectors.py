import numpy as np

from tests.index.make import read_file

COAL = read_file("Coal prices.", "Steel output.", headings=("Item 1A", "Commodities"))


def test_a_passage_is_embedded_with_its_heading_trail(store, add):
    add(COAL)
    assert store.unembedded(1) == [(f"{COAL.id}:0", "Item 1A > Commodities\nCoal prices.")]


def test_what_has_no_vector_waits_oldest_document_first(store, add):
    late = read_file("Late.")
    add(COAL), add(late)
    store.save_vectors("hashing-256", [f"{COAL.id}:0"], np.ones((1, 2), np.float32))
    assert [id for id, _ in store.unembedded(10)] == [f"{COAL.id}:1", f"{late.id}:0"]


def test_vectors_come_back_in_the_order_of_their_arrival(store, add):
    add(COAL)
    store.save_vectors("m", [f"{COAL.id}:1"], np.array([[1, 2]], np.float32))
    store.save_vectors("m", [f"{COAL.id}:0"], np.array([[3, 4]], np.float32))
    rows, matrix, last = store.vectors("m")
    assert (rows.tolist(), matrix.tolist()) == ([2, 1], [[1, 2], [3, 4]])
    assert store.vectors("m", after=last - 1).matrix.tolist() == [[3, 4]]
    assert store.vectors("m", most=1).matrix.tolist() == [[1, 2]]
    assert store.vectors("m", after=last).rows.tolist() == []
    assert store.vector_rows("m", up_to=last - 1).tolist() == [2]


def test_the_first_vector_of_a_passage_stays(store, add):
    add(COAL)
    for value in (1, 2):
        store.save_vectors("m", [f"{COAL.id}:0"], np.full((1, 2), value, np.float32))
    assert store.vectors("m").matrix.tolist() == [[1, 1]]


def test_vectors_of_what_is_not_there_are_dropped(store, add):
    add(COAL)
    store.save_vectors("m", ["nobody:0", f"{COAL.id}:7"], np.ones((2, 2), np.float32))
    assert store.vectors("m").rows.tolist() == []
