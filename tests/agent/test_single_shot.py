from rag.agent.single_shot import answer_in_one_pass, search_in_one_pass
from tests.agent.shelf import step

THEME = "Which reports mention pollinator decline as a risk?"


def test_one_search_for_the_question_as_it_stands(three):
    run = three.state(THEME)
    run.top_k = 2
    seen = search_in_one_pass(run)
    (search,) = seen.searches
    assert (search.query, len(search.hits)) == (THEME, 2)
    assert seen.text == f"2 passages in {len(search.documents)} of 3 documents."


def test_only_documents_that_it_touched_count_as_searched(three):
    run = three.state(THEME)
    run.top_k = 1
    run.take(step(search_in_one_pass(run)))
    assert len(run.open) == 2


def test_the_best_score_of_each_document_is_kept(three):
    run = three.state(THEME)
    (search,) = search_in_one_pass(run).searches
    assert search.best == {d: max(h.score for h in search.hits if h.passage.document_id == d) for d in search.documents}


def test_the_answer_is_written_from_these_passages(three):
    run = three.state(THEME)
    run.take(step(search_in_one_pass(run)))
    decision = answer_in_one_pass(run)
    assert decision.action == "answer_directly"
    assert "Pollinator decline could cut our almond harvest by a third. [" in decision.action_input["answer"]


def test_where_nothing_matches_it_says_so(three):
    run = three.state("zeppelins")
    run.take(step(search_in_one_pass(run)))
    line = "No passage matches the question."
    assert answer_in_one_pass(run).action_input == {"answer": line, "counted": [line], "said": None}
