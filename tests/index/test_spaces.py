import numpy as np
import pytest

from rag.index.store import Store
from tests.index.make import read_file

REPORT = read_file("Coal prices.", "Steel output.", headings=("Item 1A", "Commodities"))


@pytest.fixture
def opened(store):
    """The library as a process opens it whose settings name this model."""
    stores = []

    def opened(model):
        stores.append(Store.open(store.folder, model=model))
        return stores[-1]

    yield opened
    for each in stores:
        each.close()


@pytest.fixture
def held(store, add):
    """A report with vectors of "hashing-256", which the store's own settings name."""
    add(REPORT)
    save(store, "hashing-256", 0, 1)
    return store


def save(store, model, *ordinals):
    store.save_vectors(
        model, [f"{REPORT.id}:{ordinal}" for ordinal in ordinals], np.ones((len(ordinals), 2), np.float32)
    )


def models(store):
    """Of all vectors that the library holds."""
    return {model for (model,) in store.connection().execute("SELECT model FROM vectors")}


def test_a_library_without_vectors_takes_the_model_that_is_set(store, opened):
    assert (store.spaces.serving(), opened("other").spaces.serving()) == ("hashing-256", "other")
    opened("other").spaces.adopt()
    assert store.spaces.serving() == "other"
    store.spaces.adopt()
    assert opened("other").spaces.serving() == "hashing-256"


def test_the_model_that_serves_stays_whatever_another_process_has_set(held, opened):
    other = opened("other")
    other.spaces.adopt()
    assert (other.spaces.serving(), other.spaces.agreed(), other.spaces.wanted()) == (
        "hashing-256",
        None,
        "hashing-256",
    )
    assert (other.documents()[0].embedded, other.documents()[0].state) == (2, "ready")


def test_once_agreed_ours_is_wanted_and_the_other_serves_until_it_is_whole(held, opened):
    other = opened("other")
    other.spaces.agree()
    assert (other.spaces.wanted(), other.spaces.serving()) == ("other", "hashing-256")
    assert held.spaces.wanted() == "hashing-256"
    save(other, "other", 0)
    assert (other.spaces.settle("other"), other.spaces.serving()) == (False, "hashing-256")
    assert (other.spaces.progress(), other.documents()[0].embedded) == ((1, 2), 2)
    save(other, "other", 1)
    assert (other.spaces.settle("other"), other.spaces.serving(), other.spaces.agreed()) == (True, "other", None)
    assert models(held) == {"other"}


def test_nothing_takes_over_that_was_not_agreed_on(held, opened):
    save(held, "other", 0, 1)
    other = opened("other")
    assert other.spaces.settle("other")
    assert (other.spaces.serving(), models(held)) == ("hashing-256", {"hashing-256", "other"})


def test_a_change_that_is_given_up_leaves_nothing(held, opened):
    other = opened("other")
    other.spaces.agree()
    save(other, "other", 0)
    other.spaces.give_up()
    assert (other.spaces.agreed(), other.spaces.wanted(), models(held)) == (None, "hashing-256", {"hashing-256"})


def test_another_change_drops_what_was_made_for_the_first(held, opened):
    opened("other").spaces.agree()
    save(held, "other", 0)
    third = opened("third")
    assert third.spaces.wanted() == "hashing-256"
    third.spaces.agree()
    assert (third.spaces.agreed(), models(held)) == ("third", {"hashing-256"})


def test_a_library_whose_reports_are_gone_takes_the_model_that_is_set(held, opened):
    other = opened("other")
    other.remove(REPORT.id)
    other.spaces.adopt()
    assert other.spaces.serving() == "other"


def test_what_a_change_takes_is_counted_with_the_headings(held):
    assert held.spaces.missing("hashing-256") == (0, 0)
    assert held.spaces.missing("other") == (2, 2 * 2 + 2 * (len('["Item 1A", "Commodities"]') // 4))


def test_without_a_model_there_is_nothing_to_make(held, opened):
    off = opened(None)
    assert (off.spaces.wanted(), off.spaces.progress()) == (None, (0, 0))
