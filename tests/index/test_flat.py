import logging

import numpy as np
import pytest

from rag.errors import EmbeddingFailed
from rag.index.flat import FlatIndex
from tests.index.make import read_file


@pytest.fixture
def file(store):
    return store.folder / "m.faiss"


@pytest.fixture
def kept(store):
    """Each call an index as a new process would make it, with a file from the first vector on."""
    return lambda: FlatIndex(store, "m", save_after=1)


@pytest.fixture
def document(store, add):
    """Three passages whose vectors are (1, 0), (.6, .8) and (0, 1)."""
    document = add(read_file("One.", "Two.", "Three."))
    store.save_vectors("m", ids(document), np.array([[1, 0], [0.6, 0.8], [0, 1]], np.float32))
    return document


def ids(document):
    return [f"{document.id}:{number}" for number in range(document.passages)]


def near(index, *, floor=0.1, among=range(1, 1000)):
    found = index.near(np.array([1, 0], np.float32), floor, among)
    return dict(zip(found.rows.tolist(), found.cosines.round(4).tolist(), strict=True))


def test_cosines_above_the_floor(store, document):
    index = FlatIndex(store, "m")
    assert near(index) == {1: 1.0, 2: 0.6}
    assert near(index, floor=0.7) == {1: 1.0}
    assert near(index, among=range(2, 4)) == {2: 0.6}
    assert near(index, among=[2, 7]) == {2: 0.6}


def test_new_vectors_join_and_removed_ones_leave(store, document, add):
    index = FlatIndex(store, "m")
    near(index)
    other = add(read_file("Four."))
    store.save_vectors("m", ids(other), np.array([[0.8, 0.6]], np.float32))
    assert near(index) == {1: 1.0, 2: 0.6, 4: 0.8}
    store.remove(document.id)
    assert near(index) == {4: 0.8}


def test_vectors_of_another_name_are_not_compared(store, document):
    store.save_vectors("other", ids(document)[2:], np.array([[1, 0]], np.float32))
    assert near(FlatIndex(store, "m")) == {1: 1.0, 2: 0.6}
    assert near(FlatIndex(store, "other")) == {3: 1.0}


def test_the_file_is_read_where_it_fits(store, document, kept, file):
    near(kept())
    assert file.exists()
    index, last = kept()._read()
    assert (index.ntotal, last) == (3, 3)


@pytest.mark.parametrize("length", [0, 10, 60, 0.5])
def test_a_file_cut_short_is_made_anew(store, document, kept, file, length, caplog):
    near(kept())
    whole = file.read_bytes()
    file.write_bytes(whole[: int(length * len(whole)) if length < 1 else length])
    with caplog.at_level(logging.WARNING):
        assert near(kept()) == {1: 1.0, 2: 0.6}
    assert "made anew" in caplog.text
    assert file.read_bytes() == whole


def test_a_missing_file_is_made_anew(store, document, kept, file):
    near(kept())
    file.unlink()
    assert near(kept()) == {1: 1.0, 2: 0.6}
    assert file.exists()


def test_a_file_of_another_state_is_made_anew(store, document, kept, file, add):
    near(kept())
    old = file.read_bytes()
    store.remove(document.id)
    assert not file.exists()
    other = add(read_file("Four."))
    store.save_vectors("m", ids(other), np.array([[0.8, 0.6]], np.float32))
    file.write_bytes(old)
    assert near(kept()) == {4: 0.8}


def test_a_file_of_another_model_is_not_taken_for_ones_own(store, document, caplog):
    store.save_vectors("a:b", ids(document), np.array([[0, 1], [0, 1], [1, 0]], np.float32))
    store.save_vectors("a.b", ids(document), np.array([[1, 0], [0, 1], [0, 1]], np.float32))
    for _ in range(2):  # both names come to a_b.faiss
        assert near(FlatIndex(store, "a:b", save_after=1)) == {3: 1.0}
        assert near(FlatIndex(store, "a.b", save_after=1)) == {1: 1.0}
    assert "made anew" in caplog.text


def test_a_library_keeps_the_file_of_one_model(store, document, kept, file):
    near(kept())
    store.save_vectors("other", ids(document)[2:], np.array([[1, 0]], np.float32))
    near(FlatIndex(store, "other", save_after=1))
    assert [path.name for path in store.folder.glob("*.faiss")] == ["other.faiss"]


def test_a_query_of_other_dimensions_is_refused_and_the_next_one_is_answered(store, document):
    index = FlatIndex(store, "m")
    assert near(index)
    with pytest.raises(EmbeddingFailed, match="gives 3 dimensions, but its vectors in the library have 2"):
        index.near(np.array([1, 0, 0], np.float32), 0.1, range(1, 1000))
    assert near(index) == {1: 1.0, 2: 0.6}
