"""What every reasoner promises, on runs of every kind of question."""

from typing import get_args

import pytest

from rag.agent.language import LanguageReasoner
from rag.agent.rules import RuleReasoner
from rag.agent.run import Run
from rag.agent.tools import use_tool
from rag.index.bm25 import Bm25Scorer
from rag.index.store import Store
from rag.models.scripted import ScriptedChat, call
from rag.search.hybrid import HybridRetriever
from rag.search.scope import find_scope
from rag.types import Action, Step
from tests.agent.scripted import result
from tests.index.make import as_bytes, read_file


class Ways(dict):
    """The port `WayMemory` in memory."""

    way = dict.get

    def remember(self, model, way):
        self[model] = way


def thinks(messages):
    """Searches once, then answers with the first passage."""
    if any(message.role == "tool" for message in messages) or "No decision is left" in messages[-1].text:
        return call("answer_directly", '{"thought": "Enough.", "answer": "See [1]."}')
    return call("search_documents", '{"thought": "First.", "query": "pollinator decline"}')


REASONERS = {
    "rules": RuleReasoner,
    "model": lambda: LanguageReasoner(ScriptedChat(thinks), Ways(), room=8_000),
}
QUESTIONS = (
    "Which reports mention pollinator decline?",
    "Compare the hatchery tonnage of the reports",
    "What are the common risk factors?",
    "Summarise the reports",
    "Who chairs the board?",
    "What was Elm's revenue?",
    "???",
)


@pytest.fixture(params=REASONERS)
def reasoner(request):
    return REASONERS[request.param]()


@pytest.fixture(params=["three documents", "no documents"])
def run(request, tmp_path):
    """Makes a run that has not begun, with so many iterations left."""
    store = Store.open(tmp_path, model=None)
    if request.param == "three documents":
        for file, texts in {
            "alder.txt": ["Pollinator decline may cut our harvest.", "Hatchery tonnage 412 398"],
            "birch.txt": ["The decline of pollinators hurts.", "Hatchery tonnage was 2,051 in the year."],
            "cedar.txt": ["We sell old books by post.", "The board met."],
        }.items():
            parsed = read_file(*texts, file=file)
            store.add(parsed, as_bytes(parsed))
    words = Bm25Scorer(store)

    def make(question, iterations=5):
        documents = store.documents()
        scope = find_scope(question, documents)
        retriever = HybridRetriever(words, None, counts=words)
        return Run(question, store, retriever, words, documents, scope, 5, iterations)

    yield make
    store.close()


def act(run, decision):
    seen = use_tool(decision.action, decision.action_input, run)
    run.take(Step(len(run.steps) + 1, "action", decision, decision.thought, seen, "2026-01-01T00:00:00Z", 0.0))
    run.iterations_left -= 1
    return seen


def test_has_a_name(reasoner):
    assert reasoner.name and reasoner.name == reasoner.name.strip()


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_decision_is_one_of_the_actions_and_says_why(reasoner, run, question):
    state = run(question)
    while state.iterations_left:
        decision = result(reasoner.decide(state))
        assert decision.action in get_args(Action)
        assert decision.thought.strip()
        if decision.action == "answer_directly":
            break
        act(state, decision)


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_decision_is_refused_by_its_tool(reasoner, run, question):
    state = run(question)
    while state.iterations_left:
        decision = result(reasoner.decide(state))
        assert act(state, decision).error is None
        if decision.action == "answer_directly":
            break


@pytest.mark.parametrize("question", QUESTIONS)
def test_it_comes_to_an_answer_and_without_iterations_at_once(reasoner, run, question):
    state = run(question, 12)
    while (decision := result(reasoner.decide(state))).action != "answer_directly":
        act(state, decision)
        assert state.iterations_left > 0
    assert result(reasoner.decide(run(question, 0))).action == "answer_directly"


@pytest.mark.parametrize("question", QUESTIONS)
def test_without_a_conversation_a_question_stays_as_it_is(reasoner, run, question):
    assert result(reasoner.restate(question, (), run(question))) == question


@pytest.mark.parametrize("question", QUESTIONS)
def test_deciding_changes_nothing_and_the_same_run_leads_to_the_same_decision(reasoner, run, question):
    state = run(question)
    before = (state.evidence, state.searches, state.scope, state.iterations_left)
    assert result(reasoner.decide(state)) == result(reasoner.decide(state))
    assert (state.evidence, state.searches, state.scope, state.iterations_left) == before
