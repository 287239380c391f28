"""Whole runs: what is searched, said and recorded, whatever the reasoner does."""

import threading

import pytest

from rag.errors import BadInput
from rag.types import (
    AnswerDelta,
    Decision,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
)
from tests.agent.scripted import Scripted, look, reply
from tests.agent.shelf import actions, states

THEME = "Which reports mention pollinator decline as a risk?"


# Events


def test_events_come_in_order_and_the_last_holds_the_whole_trace(three):
    first, *middle, delta, last = three.events(THEME)
    assert isinstance(first, RunStarted) and isinstance(delta, AnswerDelta) and isinstance(last, RunFinished)
    assert [type(event) for event in middle] == [StepStarted, StepFinished] * len(last.trace.steps)
    assert [event.step for event in middle[1::2]] == list(last.trace.steps)
    assert [step.number for step in last.trace.steps] == list(range(1, len(last.trace.steps) + 1))
    assert delta.text == last.trace.answer.text
    assert first.run_id == last.trace.run_id


def test_a_step_is_told_before_it_is_taken(three):
    started = [event for event in three.events(THEME) if isinstance(event, StepStarted)]
    assert [(event.kind, event.action) for event in started] == [
        ("plan", None),
        ("action", "search_documents"),
        ("action", "compare_chunks"),
        ("action", "answer_directly"),
    ]
    assert started[1].action_input["query"] == "pollinator decline risk"


def test_the_trace_says_how_it_was_made(three):
    trace = three.ask(THEME, iteration_limit=4)
    assert (trace.question, trace.mode, trace.reasoner, trace.iteration_limit) == (THEME, "agent", "rules", 4)
    assert trace.iterations == sum(step.kind == "action" for step in trace.steps) == 3
    assert set(trace.titles.values()) == {f"{name} annual report 2023" for name in ("Alder", "Birch", "Cedar")}
    assert (trace.selection, len(trace.scope)) == (None, 3)
    assert trace.seconds >= sum(step.seconds for step in trace.steps) > 0


def test_runs_have_addresses_of_their_own(three):
    assert three.ask(THEME).run_id != three.ask(THEME).run_id


def test_the_same_question_gets_the_same_answer(three):
    first, second = three.ask(THEME), three.ask(THEME)
    assert (first.answer, first.coverage, first.retrieved) == (second.answer, second.coverage, second.retrieved)


# Selection and scope


def test_only_the_selection_is_searched(three):
    alder = three.store.documents()[0].id
    trace = three.ask(THEME, selection=(alder,))
    assert trace.scope == trace.selection == (alder,)
    assert {hit.passage.document_id for hit in trace.retrieved} == {alder}


def test_an_empty_library_says_so(shelf):
    trace = shelf.ask("What are the common risks?")
    assert trace.status == "not_found"
    assert trace.answer.text == "The library holds no document yet. Add reports first."


@pytest.mark.parametrize("question", ["", "???", "the of and", "<|endoftext|>", "$x$ ![](http://a.b)"])
@pytest.mark.parametrize("mode", ["agent", "single_shot"])
def test_an_odd_question_ends_in_a_plain_answer(three, question, mode):
    trace = three.ask(question, mode=mode)
    assert trace.status in ("not_found", "partial")
    assert trace.answer.text and trace.error is None


# The sweep


def test_a_reasoner_that_answers_at_once_still_gets_everything_searched(three):
    trace = three.ask(THEME, reasoner=Scripted(reply("No idea.")))
    assert actions(trace) == ["plan", "sweep", "answer_directly"]
    assert states(trace) == {"Alder": "offered", "Birch": "offered", "Cedar": "nothing_found"}


def test_the_sweep_is_a_step_of_its_own_and_no_iteration(three):
    trace = three.ask(THEME, reasoner=Scripted(reply("No idea.")))
    sweep = trace.steps[1]
    assert (sweep.kind, sweep.decision, trace.iterations) == ("sweep", None, 1)
    assert sweep.thought == (
        "Never searched, so searched before the answer: Alder annual report 2023, Birch annual report 2023, "
        "Cedar annual report 2023."
    )


def test_after_the_sweep_the_answer_is_decided_anew(three):
    late = Scripted(reply("No idea."), lambda run: reply(f"Bees are dying [{len(run.evidence)}]."))
    trace = three.ask(THEME, reasoner=late)
    assert trace.answer.text == "Bees are dying [1]."
    assert len(trace.answer.citations) == 1


def test_only_what_was_never_searched_is_swept_and_with_the_runs_own_words(three):
    some = Scripted(look(query="competition", documents=["alder.md"]), reply("Done."))
    trace = three.ask(THEME, reasoner=some)
    assert actions(trace) == ["plan", "search_documents", "sweep", "answer_directly"]
    (search,) = trace.steps[2].observation.searches
    assert search.query == "competition"
    assert [trace.titles[i] for i in search.documents] == ["Birch annual report 2023", "Cedar annual report 2023"]


def test_where_all_was_searched_nothing_is_swept(three):
    assert "sweep" not in actions(three.ask(THEME, reasoner=Scripted(look(query="bees"), reply("Done."))))


# Limits and cancel


def test_a_reasoner_that_searches_for_ever_ends_with_the_best_answer(three):
    trace = three.ask(THEME, reasoner=Scripted(look(query="pollinator decline")), iteration_limit=3)
    assert trace.status == "step_limit"
    assert actions(trace) == ["plan", *["search_documents"] * 3, "answer_directly"]
    assert {c.file for c in trace.answer.citations} == {"alder.md", "birch.md"}


def test_at_the_limit_a_reasoner_may_still_answer(three):
    trace = three.ask(
        THEME,
        reasoner=Scripted(look(query="bees"), look(query="hives"), reply("Bees are dying [1].")),
        iteration_limit=2,
    )
    assert (trace.status, trace.answer.text) == ("step_limit", "Bees are dying [1].")


def test_rules_that_are_cut_short_say_so(three):
    trace = three.ask("What are the common risk factors?", iteration_limit=2)
    assert trace.status == "step_limit"
    assert trace.iterations == 2
    assert trace.answer.citations


@pytest.mark.parametrize(
    "question", [THEME, "Compare the hatchery tonnage", "What are the common risks?", "Summarise the reports"]
)
def test_with_a_single_iteration_everything_is_searched_still(three, question):
    trace = three.ask(question, iteration_limit=1)
    assert "not_searched" not in states(trace).values()
    assert trace.iterations == 1


def test_a_run_that_is_stopped_at_once_has_a_trace(three):
    stop = threading.Event()
    stop.set()
    trace = three.ask(THEME, cancel=stop)
    assert (trace.status, trace.answer.text, actions(trace)) == ("cancelled", "", ["plan"])
    assert set(states(trace).values()) == {"not_searched"}
    assert "Alder annual report 2023: not searched before the run ended." in trace.answer.not_covered


def test_a_run_that_is_stopped_keeps_the_steps_that_it_took(three):
    stop = threading.Event()

    def look_then_stop(run):
        if run.evidence:
            stop.set()
        return look(query="bees")

    trace = three.ask(THEME, reasoner=Scripted(look(query="bees"), look_then_stop), cancel=stop)
    assert (trace.status, actions(trace)[:2]) == ("cancelled", ["plan", "search_documents"])
    assert trace.retrieved


def test_a_search_that_is_stopped_says_which_documents_it_had_searched(three):
    stop = threading.Event()

    def stop_then_look(run):
        stop.set()
        return look(query="bees")

    trace = three.ask(THEME, reasoner=Scripted(stop_then_look), cancel=stop)
    assert trace.status == "cancelled"
    assert trace.steps[-1].observation.searches[0].documents == ()
    assert {row.state for row in trace.coverage} == {"not_searched"}


def test_single_shot_can_be_stopped_too(three):
    stop = threading.Event()
    stop.set()
    assert three.ask(THEME, mode="single_shot", cancel=stop).status == "cancelled"


# What goes wrong


def test_what_a_reasoner_did_wrong_is_an_observation_and_the_run_goes_on(three):
    odd = Scripted(
        look(),
        look(query="bees", documents=["elm.md"]),
        Decision("Buys.", "lookup_stock_price", {"ticker": "ABC"}),
        Decision("Compares.", "compare_chunks", {"left": 1, "right": 2}),
        reply("Bees decline [1]."),
    )
    trace = three.ask(THEME, reasoner=odd)
    assert [step.observation.error is None for step in trace.steps] == [True, False, False, False, False, True, True]
    assert trace.status == "answered"


def test_an_error_of_ours_to_tell_ends_the_run_in_words(three):
    def fails(run):
        raise BadInput("The model's key is missing. Set OPENAI_API_KEY.")

    trace = three.ask(THEME, reasoner=Scripted(fails))
    assert (trace.status, trace.error) == ("error", "The model's key is missing. Set OPENAI_API_KEY.")
    assert actions(trace) == ["plan"]


def test_our_own_faults_are_raised(three):
    def breaks(run):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        three.ask(THEME, reasoner=Scripted(breaks))


def test_an_answer_without_text_is_told_to_be_wrong(three):
    trace = three.ask(THEME, reasoner=Scripted(look(query="bees"), reply("  ")))
    refused = [step for step in trace.steps if (step.observation.error or "").startswith("answer_directly needs")]
    assert len(refused) > 1 and trace.status == "step_limit"
    assert trace.answer.text  # what was found answers for itself
