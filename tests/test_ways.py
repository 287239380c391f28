"""How each model has to be asked, kept in the library."""

from rag.index.store import Store
from rag.ways import WayStore


def test_a_way_is_kept_for_each_model_and_outlives_a_restart(tmp_path):
    store = Store.open(tmp_path)
    ways = WayStore(store.connection)
    assert ways.way("a:small") is None
    ways.remember("a:small", "json")
    ways.remember("a:small", "text")
    ways.remember("b:large", "tools")
    store.close()
    store = Store.open(tmp_path)
    ways = WayStore(store.connection)
    assert (ways.way("a:small"), ways.way("b:large")) == ("text", "tools")
    ways.forget("a:small")
    assert ways.way("a:small") is None
    store.close()


def test_a_way_that_this_version_does_not_know_is_none(tmp_path):
    store = Store.open(tmp_path)
    ways = WayStore(store.connection)
    with store.connection() as connection:
        connection.execute("INSERT INTO ways VALUES ('a:small', 'by pigeon')")
    assert ways.way("a:small") is None
    store.close()
