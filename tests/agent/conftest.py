import pytest

from rag.index.store import Store
from tests.agent.reports import ALDER, BIRCH, CEDAR
from tests.agent.shelf import Shelf


@pytest.fixture
def shelf(tmp_path):
    store = Store.open(tmp_path / "library", model=None)
    yield Shelf(store)
    store.close()


@pytest.fixture
def three(shelf):
    """The shelf with Alder, Birch and the silent Cedar."""
    for name, text in (("alder.md", ALDER), ("birch.md", BIRCH), ("cedar.md", CEDAR)):
        shelf.add(name, text)
    return shelf
