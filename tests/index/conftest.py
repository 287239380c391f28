import pytest

from rag.index.store import Store
from tests.index.make import as_bytes


@pytest.fixture
def store(tmp_path):
    store = Store.open(tmp_path / "library", model="hashing-256")
    yield store
    store.close()


@pytest.fixture
def add(store):
    return lambda parsed: store.add(parsed, as_bytes(parsed))
