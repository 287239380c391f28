import numpy as np

from rag.index.ranking import best
from rag.index.terms import Terms
from tests.index.make import read_file


def test_the_best_k_above_zero_with_equal_ones_by_id(store, add):
    add(read_file(*(f"Page {number}." for number in range(12))))
    lexicon = Terms(store).now()
    scores = np.array([0.5, 0, 0.5, 0.9, 0.5, 0, 0, 0, 0, 0, 0.5, 0.5 + 1e-9])
    ordinals = [lexicon.passage_id(row).partition(":")[2] for row, _ in best(lexicon.rows, scores, 4, lexicon)]
    assert ordinals == ["3", "0", "10", "11"]  # ids are text: "10" comes before "2"
    assert len(best(lexicon.rows, scores, 100, lexicon)) == 6


def test_a_passage_removed_meanwhile_is_left_out(store, add):
    document = add(read_file("Coal.", "Steel."))
    rows = [store.row(f"{document.id}:{n}") for n in (0, 1)]
    lexicon = Terms(store).now()
    store.remove(document.id)
    assert store.passages_at(rows) == {}
    assert lexicon.passages(rows) == {}


def test_passages_once_read_are_kept_for_as_long_as_the_library_stays_as_it_is(store, add):
    document = add(read_file("Coal.", "Steel."))
    terms = Terms(store)
    rows = [store.row(f"{document.id}:{n}") for n in (0, 1)]
    first, again = terms.now().passages(rows[:1]), terms.now().passages(rows)
    assert again[rows[0]] is first[rows[0]] and again[rows[1]].text == "Steel."
    store.remove(document.id)
    assert terms.now().passages(rows) == {}
