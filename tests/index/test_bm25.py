from math import log1p

import numpy as np
import pytest

from rag.index.bm25 import Bm25Scorer
from rag.index.terms import Counts
from rag.types import Query
from tests.index.make import read_file


def test_the_formula_by_hand():
    # Two passages of 4 and 8 words; the first word stands once in the first, the second twice in the second only.
    counts = Counts(np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([4.0, 8.0]), np.array([1.0, 3.0]), 10, 6.0)
    rare, common = log1p((10 - 1 + 0.5) / 1.5), log1p((10 - 3 + 0.5) / 3.5)
    short, long = 1.2 * (0.25 + 0.75 * 4 / 6), 1.2 * (0.25 + 0.75 * 8 / 6)
    assert Bm25Scorer.formula(counts) == pytest.approx(
        [rare * 1 / (1 + short) / (rare + common), common * 2 / (2 + long) / (rare + common)]
    )


@pytest.fixture
def search(store):
    return lambda text: [hit.passage.text for hit in Bm25Scorer(store).search(Query(text)).hits]


def test_a_rare_word_counts_more_than_a_common_one(add, search):
    add(read_file("Coal risk.", "Wind risk.", "Sun risk.", "Coal rain."))
    assert search("wind coal") == ["Wind risk.", "Coal risk.", "Coal rain."]


def test_a_word_in_the_heading_counts_more_than_in_the_text(add, search):
    add(read_file("Plain text of coal.", file="a"))
    add(read_file("Plain text of mines.", file="b", headings=("Coal",)))
    assert search("coal") == ["Plain text of mines.", "Plain text of coal."]


def test_a_short_passage_counts_more_than_a_long_one(add, search):
    add(read_file("Coal is one of many things that this long text speaks of.", "Coal burns."))
    assert search("coal")[0] == "Coal burns."


def test_a_word_that_no_passage_holds_lowers_the_score(store, add):
    add(read_file("Coal burns.", "Steel melts."))
    (all_held,), (half,) = (Bm25Scorer(store).search(Query(text)).hits for text in ("coal", "coal penguins"))
    assert all_held.score > 2 * half.score > 0


def test_how_many_passages_hold_a_word(store, add):
    add(read_file("Coal burns.", "Coals burnt.", "Steel melts."))
    scorer = Bm25Scorer(store)
    assert (scorer.passages_in_all(), scorer.passages_with("coal"), scorer.passages_with("penguin")) == (3, 2, 0)
