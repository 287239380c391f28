import pytest

from rag.agent.repeats import goes_round, refuse_if_done, refuse_if_searched
from rag.errors import BadInput
from rag.types import Decision, Observation
from tests.agent.shelf import search, step

REFUSED = Observation("", error="This was done before (step 1). It is not done again: …")


@pytest.fixture
def state(three):
    """A run that asked two documents for bees."""
    state = three.state("Which reports mention bees?")
    state.take(step(Observation("", (search("bees in the hive of 2023", ("a", "b"), ()),))))
    return state


@pytest.mark.parametrize("query", ["bees in the hive of 2023", "The bees of the hives in 2023"])
def test_a_search_with_nearly_the_same_words_is_refused(state, query):
    with pytest.raises(BadInput, match=r"This was done before \(step 1\)"):
        refuse_if_searched([query], ["a"], state)


@pytest.mark.parametrize(
    ("queries", "documents"),
    [
        (["honey"], ["a"]),
        (["bees in the hive of 2022"], ["a"]),
        (["bees in the hive of 2023"], ["a", "c"]),
        (["bees in the hive of 2023", "honey"], ["a"]),
    ],
    ids=["other words", "another year", "a document more", "a query more"],
)
def test_a_search_that_asks_anything_else_is_not(state, queries, documents):
    refuse_if_searched(queries, documents, state)


def test_another_action_is_refused_with_the_same_input_alone_and_where_it_was_not_refused_before(state):
    given = {"left": 1, "right": 2}
    state.take(
        step(Observation("", error="Nothing there yet."), number=2, decision=Decision("", "compare_chunks", given))
    )
    refuse_if_done("compare_chunks", given, state)
    state.take(step(Observation("Compared."), number=3, decision=Decision("", "compare_chunks", given)))
    refuse_if_done("compare_chunks", {"left": 2, "right": 1}, state)
    with pytest.raises(BadInput, match=r"This was done before \(step 3\)"):
        refuse_if_done("compare_chunks", given, state)


def test_two_refusals_on_end_go_round_and_one_may_be_a_slip():
    assert goes_round([step(REFUSED), step(REFUSED), step(Observation(""), kind="sweep")])
    assert not goes_round([step(REFUSED)])
    assert not goes_round([step(REFUSED), step(Observation("Found.")), step(REFUSED)])
