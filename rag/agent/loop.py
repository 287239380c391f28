"""The loop: reason, act, observe, until there is enough. The only path from a question to an answer.

Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models" (2023), with a ledger that code keeps.
"""

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from secrets import token_urlsafe
from typing import TypeVar

from rag.agent.finish import Outcome, finish
from rag.agent.repeats import goes_round
from rag.agent.rules import RuleReasoner
from rag.agent.run import UNBOUND, Bounds, Library, Run
from rag.agent.single_shot import answer_in_one_pass, search_in_one_pass
from rag.agent.sweep import sweep
from rag.agent.tools import use_tool
from rag.errors import ModelFailed, OutOfBounds, ReplyBroken, Stopped, TracebookError
from rag.ports import Reasoner, Retriever, WordCounts
from rag.search.scope import Scope, find_scope
from rag.types import (
    AnswerDelta,
    Decision,
    Event,
    Exchange,
    Mode,
    Observation,
    RunFinished,
    RunStarted,
    Spent,
    Step,
    StepFinished,
    StepKind,
    StepStarted,
    Thinking,
    Trace,
)

T = TypeVar("T")
Steps = Generator[Event, None, Outcome]


def run(
    question: str,
    *,
    library: Library,
    retriever: Retriever,
    counts: WordCounts,
    selection: tuple[str, ...] | None,
    mode: Mode = "agent",
    reasoner: Reasoner | None = None,
    history: Sequence[Exchange] = (),
    top_k: int = 5,
    iteration_limit: int = 5,
    bounds: Bounds = UNBOUND,
    cancel: threading.Event | None = None,
) -> Iterator[Event]:
    """The run's events as they happen; the last is `RunFinished` with the whole trace.

    `history` is the conversation so far, oldest first: a question that follows on from it is read as it stands alone.

    What a model or a document did wrong ends in the trace, with status "error" at worst; our own faults are raised.
    """
    reasoner, cancel = reasoner or RuleReasoner(), cancel or threading.Event()
    run_id, started, began = (
        token_urlsafe(16),
        datetime.now(UTC).isoformat(timespec="milliseconds"),
        time.perf_counter(),
    )
    yield RunStarted(run_id, question, mode, reasoner.name, iteration_limit)
    documents = tuple(d for d in library.documents() if selection is None or d.id in selection)

    def scope_of(asked: str) -> Scope:
        return find_scope(asked, documents, holds=lambda word: counts.passages_with(word) > 0)

    state = Run(
        question, library, retriever, counts, documents, scope_of(question), top_k, iteration_limit, cancel, bounds
    )

    def finished(outcome: Outcome) -> Trace:
        return finish(
            state,
            outcome,
            run_id=run_id,
            mode=mode,
            reasoner=reasoner.name,
            selection=selection,
            iteration_limit=iteration_limit,
            started_at=started,
            seconds=time.perf_counter() - began,
        )

    try:
        if history and mode == "agent" and (asked := (yield from _restated(state, reasoner, history))) != question:
            state.restated, state.scope = asked, scope_of(asked)
        trace = finished((yield from _one_pass(state) if mode == "single_shot" else _reason(state, reasoner)))
    except TracebookError as wrong:  # a report that was removed meanwhile, too
        trace = finished(Outcome(status="error", error=str(wrong)))
    if trace.answer.text != state.streamed:
        yield AnswerDelta(trace.answer.text, anew=bool(state.streamed))
    yield RunFinished(trace)


def _restated(run: Run, reasoner: Reasoner, history: Sequence[Exchange]) -> Generator[Event, None, str]:
    """The question as it stands alone; as it was asked where the model cannot say."""
    try:
        return (yield from _heard(run, reasoner.restate(run.question, history, run)))
    except (ModelFailed, Stopped):
        return run.question  # what ends the run shows at the first decision


def _reason(run: Run, reasoner: Reasoner) -> Steps:
    """Plans, then decides and acts; whatever ends it, the answer is the best that what was found carries."""
    asked = f"Read as: “{run.restated}” " if run.restated else ""
    yield from _step(run, "plan", None, f"{asked}{run.scope.reason}", lambda: Observation(_in_scope(run)))
    try:
        return (yield from _decide_and_act(run, reasoner))
    except Stopped:
        return _stopped(run)
    except ReplyBroken as broken:
        yield from _act(run, Decision(str(broken), "answer_directly", {"answer": broken.text}))
        return Outcome(text=broken.text, by_model=True, status="error", error=str(broken))
    except OutOfBounds as end:
        return (yield from _answer_by_rules(run, str(end))).limited()
    except ModelFailed as wrong:
        outcome = yield from _answer_by_rules(run, str(wrong))
        return replace(outcome, status="error", error=str(wrong))


def _decide_and_act(run: Run, reasoner: Reasoner) -> Steps:
    """Until an answer is decided, the limit is reached, the same is done again and again, or somebody stops it."""
    while run.iterations_left and not run.cancel.is_set() and not goes_round(run.steps):
        decision = yield from _heard(run, reasoner.decide(run))
        if decision.action == "answer_directly" and run.must_sweep:
            yield from _sweep(run)  # then it is decided anew, from all that was found
        elif decision.action == "answer_directly":
            if outcome := (yield from _answer(run, reasoner, decision)):
                return outcome
        else:
            run.iterations_left -= 1
            yield from _act(run, decision)
    if run.cancel.is_set():
        return _stopped(run)
    if run.must_sweep:
        yield from _sweep(run)
    run.iterations_left = 0
    decision = yield from _heard(run, reasoner.decide(run))
    if decision.action == "answer_directly" and (outcome := (yield from _answer(run, reasoner, decision))):
        return outcome.limited()
    # whoever wants to go on now would do so for ever
    return (yield from _answer_by_rules(run, "No answer was given within the limit.")).limited()


def _stopped(run: Run) -> Outcome:
    """With as much of the answer as was written."""
    return Outcome(text=run.streamed.strip(), by_model=bool(run.streamed), status="cancelled")


def _answer_by_rules(run: Run, why: str) -> Steps:
    """The answer that what was found carries by itself, where the reasoner has none."""
    if run.must_sweep and not run.cancel.is_set():
        yield from _sweep(run)
    run.iterations_left = 0
    run.notes.append(why)
    rules = RuleReasoner()
    decision = yield from _heard(run, rules.decide(run))
    outcome = yield from _answer(run, rules, replace(decision, thought=f"{why} {decision.thought}"))
    return outcome or Outcome()


def _heard(run: Run, thinking: Generator[Thinking, None, T]) -> Generator[Event, None, T]:
    """What the reasoner comes to; what happens meanwhile is kept for the step that follows, and passed on."""
    while True:
        try:
            event = next(thinking)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        run.hear(event)
        if not isinstance(event, Spent):
            yield event


def _answer(run: Run, reasoner: Reasoner, decision: Decision) -> Generator[Event, None, Outcome | None]:
    """What the run ends with; None where the answer could not be used, and the reasoner was told why."""
    run.iterations_left = max(0, run.iterations_left - 1)
    yield from _act(run, decision)
    if run.steps[-1].observation.error:
        return None
    by_code = isinstance(reasoner, RuleReasoner)  # no model may say of its own words that code counted them
    return Outcome.of(decision, counted_by_code=by_code)


def _sweep(run: Run) -> Iterator[Event]:
    """Before an answer goes out, the documents in scope that were never searched are searched."""
    titles = ", ".join(run.by_id[i].title for i in run.open)
    return _step(run, "sweep", None, f"Never searched, so searched before the answer: {titles}.", lambda: sweep(run))


def _one_pass(run: Run) -> Steps:
    """One search over the whole selection with the question as it stands, and an answer from what came back."""
    decision = Decision("One search over all documents, as it stands.", "search_documents", {"query": run.question})
    if run.cancel.is_set():
        return Outcome(status="cancelled")
    yield from _step(run, "action", decision, decision.thought, lambda: search_in_one_pass(run))
    if run.cancel.is_set():
        return Outcome(status="cancelled")
    decision = answer_in_one_pass(run)
    yield from _act(run, decision)
    return Outcome.of(decision, counted_by_code=True)


def _act(run: Run, decision: Decision) -> Iterator[Event]:
    use = lambda: use_tool(decision.action, decision.action_input, run)  # noqa: E731
    return _step(run, "action", decision, decision.thought, use)


def _step(
    run: Run, kind: StepKind, decision: Decision | None, thought: str, act: Callable[[], Observation]
) -> Iterator[Event]:
    number, began = len(run.steps) + 1, time.perf_counter()
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    action, given = (decision.action, decision.action_input) if decision else (None, {})
    yield StepStarted(number, kind, thought, action, given)
    usage, notes = run.thought()
    step = Step(number, kind, decision, thought, act(), started, time.perf_counter() - began, usage, notes)
    run.take(step)
    yield StepFinished(step)


def _in_scope(run: Run) -> str:
    titles = [document.title for document in run.documents]
    return f"In scope: {', '.join(titles)}." if titles else "No document is in scope."
