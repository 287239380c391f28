import logging

import numpy as np
import pytest

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


def near(index, *, floor=0.1, first=1, stop=1000):
    found = index.near(np.array([1, 0], np.float32), floor, first, stop)
    return dict(zip(found.rows.tolist(), found.cosines.round(4).tolist(), strict=True))


def test_cosines_above_the_floor(store, document):
    index = FlatIndex(store, "m")
    assert near(index) == {1: 1.0, 2: 0.6}
    assert near(index, floor=0.7) == {1: 1.0}
    assert near(index, first=2, stop=4) == {2: 0.6}


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
