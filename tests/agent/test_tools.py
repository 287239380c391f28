import pytest

from rag.agent.tools import TOOLS, search_each, supports, use_tool
from rag.types import Component, Decision, Hit, Observation, Step
from tests.agent.shelf import hit, passage


@pytest.fixture
def state(three):
    return three.state("Which reports mention pollinator decline?")


def ids(run, *titles):
    return [document.id for title in titles for document in run.selection if document.title.startswith(title)]


def searched(run, action="search_documents", **given):
    """The observation, taken by the run as a step."""
    seen = use_tool(action, given, run)
    step = Step(len(run.steps) + 1, "action", Decision("", action, given), "", seen, "2026-01-01T00:00:00Z", 0.0)
    run.take(step)
    return seen


# search_documents


def test_each_document_in_scope_is_asked_for_itself(state):
    seen = searched(state, query="pollinator decline")
    (search,) = seen.searches
    assert search.documents == state.scope.documents
    assert {h.passage.document_id for h in search.hits} == set(ids(state, "Alder", "Birch"))
    assert set(search.best) == set(search.near) == set(state.scope.documents)
    assert seen.text.startswith(f"{len(search.hits)} passages in 2 of 3 documents, best 0.")
    assert seen.error is None


def test_several_queries_are_several_searches(state):
    seen = searched(state, queries=["bees", "competition"], documents=ids(state, "Cedar"))
    assert [search.query for search in seen.searches] == ["bees", "competition"]
    assert [len(search.hits) for search in seen.searches] == [0, 1]


@pytest.mark.parametrize("name", ["alder.md", "Alder annual report 2023"])
def test_documents_go_by_file_or_title_as_well(state, name):
    (search,) = searched(state, query="bees", documents=[name]).searches
    assert search.documents == tuple(ids(state, "Alder"))


def test_a_document_named_twice_is_asked_once(state):
    (search,) = searched(state, query="bees", documents=["alder.md", "Alder annual report 2023"]).searches
    assert len(search.documents) == 1


def test_at_most_top_k_of_each_document(shelf):
    notes = "\n\n".join(
        f"# Note {n}\n\nBees live in hive number {n}, {'and honey flows there ' * 12}." for n in range(9)
    )
    for name in ("elm", "fir"):
        shelf.add(f"{name}.md", f"{notes}\n\nThis is {name}.")
    run = shelf.state("bees")
    (search,) = use_tool("search_documents", {"query": "bees", "top_k": 2}, run).searches
    assert [sum(h.passage.document_id == d for h in search.hits) for d in run.scope.documents] == [2, 2]
    scores = [h.score for h in search.hits]
    assert scores == sorted(scores, reverse=True)


def test_exact_asks_a_passage_to_say_what_is_asked(shelf):
    shelf.add("elm.txt", "Elm annual report. The decline of our harbour is slow.")
    shelf.add("fir.txt", "Fir annual report. Pollinators in decline cost us the harvest of our harbour.")
    shelf.add("oak.txt", "Oak annual report. We sell books.")
    shelf.add("yew.txt", "Yew annual report. We sell tea.")
    run = shelf.state("pollinator decline")
    exact = use_tool("search_documents", {"query": "pollinator decline", "exact": True}, run).searches[0]
    loose = use_tool("search_documents", {"query": "pollinator decline"}, run).searches[0]
    assert len(exact.hits) == 1 and len(loose.hits) == 2
    assert sorted(exact.near.values()) == [0, 0, 0, 1]


def test_nothing_found_is_said(state):
    assert searched(state, query="zeppelins").text == "0 passages in 0 of 3 documents."


# What was wrong with an input is an observation


@pytest.mark.parametrize(
    "action, given, error",
    [
        ("search_documents", {}, 'search_documents needs a "query": the words to look for.'),
        ("search_documents", {"query": "  "}, 'search_documents needs a "query": the words to look for.'),
        ("search_documents", {"query": 7}, 'search_documents needs a "query": the words to look for.'),
        ("search_documents", {"query": "x", "top_k": 0}, '"top_k" is 0; it takes a whole number from 1 to 50.'),
        ("search_documents", {"query": "x", "top_k": "5"}, "\"top_k\" is '5'; it takes a whole number from 1 to 50."),
        ("get_document_summary", {}, 'get_document_summary needs a "document": its title or file name.'),
        ("answer_directly", {}, 'answer_directly needs an "answer": the text, with [n] after each sentence.'),
        (
            "lookup_stock_price",
            {"ticker": "ABC"},
            "There is no action 'lookup_stock_price'. These exist: search_documents, get_document_summary, "
            "compare_chunks, answer_directly.",
        ),
        (
            "compare_chunks",
            {"left": 1, "right": 2},
            '"left" is 1; compare_chunks takes a passage found before, by its number 1 to 0, or a report by its title.',
        ),
    ],
)
def test_a_wrong_input_says_what_to_do(state, action, given, error):
    assert use_tool(action, given, state) == Observation("", error=error)


@pytest.mark.parametrize("action", ["search_documents", "get_document_summary"])
def test_an_unknown_document_is_named_with_those_that_exist(state, action):
    error = use_tool(action, {"query": "x", "documents": ["elm.md"]}, state).error
    assert error == (
        "No document is named 'elm.md'. These exist: Alder annual report 2023, Birch annual report 2023, "
        "Cedar annual report 2023."
    )


def test_every_action_has_its_tool():
    assert set(TOOLS) == {"search_documents", "get_document_summary", "compare_chunks", "answer_directly"}


# get_document_summary


def test_a_summary_is_made_of_the_documents_own_passages(state):
    seen = searched(state, "get_document_summary", document="cedar.md")
    assert seen.text.startswith("Cedar annual report 2023: We sell old books by post.")
    assert {p.document_id for p in seen.passages} == set(ids(state, "Cedar"))


def test_several_documents_are_summarised_each_for_itself(state):
    seen = searched(state, "get_document_summary", documents=["cedar.md", "birch.md"])
    assert [line.partition(":")[0] for line in seen.text.splitlines()] == [
        "Cedar annual report 2023",
        "Birch annual report 2023",
    ]
    assert {p.document_id for p in seen.passages} == set(ids(state, "Birch", "Cedar"))


# compare_chunks


def test_passages_are_compared_by_number_or_id(state):
    searched(state, query="pollinator decline")
    first, second = state.evidence[0].passage, state.evidence[1].passage
    by_number = use_tool("compare_chunks", {"left": 1, "right": 2}, state)
    by_id = use_tool("compare_chunks", {"left": first.id, "right": second.id}, state)
    assert by_number == by_id
    assert (by_number.comparison.left, by_number.comparison.right) == (first, second)
    assert " p. 1: " in by_number.text and "1 point in agreement, 0 in contradiction." in by_number.text


@pytest.mark.parametrize("bad", [0, 99, "elsewhere:0", None, 3.5])
def test_only_passages_found_before_can_be_compared(state, bad):
    searched(state, query="pollinator decline")
    error = use_tool("compare_chunks", {"left": 1, "right": bad}, state).error
    assert error.startswith(f'"right" is {bad!r}; compare_chunks takes a passage found before')


# What is offered


def test_a_passage_is_offered_by_its_topic_and_else_by_its_score():
    by_topic = Hit(passage("x"), 0.1, (Component("topic", 0.6), Component("bm25", 0.0)))
    assert supports(by_topic)
    assert not supports(Hit(passage("x"), 0.9, (Component("topic", 0.59),)))
    assert supports(hit("x", score=0.6)) and not supports(hit("x", score=0.59))


def test_a_search_of_no_documents_finds_nothing(state):
    search = search_each("bees", (), state, top_k=3)
    assert (search.hits, search.best, search.near) == ((), {}, {})
