import pytest

from rag.index.store import Store
from tests.agent.shelf import Shelf


@pytest.fixture
def shelf(tmp_path):
    store = Store.open(tmp_path / "library", model=None)
    yield Shelf(store)
    store.close()
