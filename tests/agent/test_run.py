import pytest

from rag.types import Observation
from tests.agent.shelf import hit, search, step


@pytest.fixture
def state(three):
    return three.state("Which reports mention bees?")


def found(state, ordinal=0, *, document=0, score=0.8):
    return hit(f"Bees {ordinal}.", ordinal, document=state.selection[document].id, score=score)


def take(state, *hits, documents=None):
    documents = [d.id for d in state.selection] if documents is None else documents
    state.take(step(Observation("", (search("bees", documents, hits),))))


def test_evidence_is_numbered_in_the_order_of_its_offering(state):
    first, second, third = found(state, 0, score=0.3), found(state, 1), found(state, 2, document=1)
    take(state, first, second)
    take(state, third, first)
    assert state.evidence == (first, second, third)
    assert [state.mark(h.passage.id) for h in state.evidence] == ["[1]", "[2]", "[3]"]


def test_a_passage_found_again_keeps_its_number_and_its_best_score(state):
    take(state, found(state, 0, score=0.3), found(state, 1))
    take(state, found(state, 0, score=0.9))
    assert [h.score for h in state.evidence] == [0.9, 0.8]
    take(state, found(state, 0, score=0.1))
    assert [h.score for h in state.evidence] == [0.9, 0.8]


def test_what_is_offered_of_one_document_comes_best_first(state):
    take(state, found(state, 0, score=0.3), found(state, 1, score=0.7), found(state, 2, document=1))
    assert [h.score for h in state.offered(state.selection[0].id)] == [0.7, 0.3]
    assert state.offered(state.selection[2].id) == ()


def test_documents_are_open_until_they_are_searched_or_read(state):
    ids = tuple(d.id for d in state.selection)
    assert state.open == ids
    take(state, documents=ids[:1])
    assert state.open == ids[1:]
    passage = state.library.passages(ids[1])[0]
    state.take(step(Observation("", passages=(passage,))))
    assert state.open == ids[2:]


def test_what_a_summary_rests_on_is_evidence(state):
    passage = state.library.passages(state.selection[0].id)[0]
    state.take(step(Observation("", passages=(passage,))))
    assert [h.passage for h in state.evidence] == [passage]


def test_what_is_searched_beyond_the_scope_joins_it(three):
    state = three.state("What does Alder say of bees?")
    alder, _, cedar = (d.id for d in state.selection)
    assert state.scope.documents == (alder,)
    take(state, documents=[cedar])
    assert state.scope.documents == (alder, cedar)
    assert [row.document_id for row in state.coverage()] == [alder, cedar]
