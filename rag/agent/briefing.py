"""From a run to the messages that a model decides by: what was asked, every step so far, where things stand.

They are made anew for each decision, from the run alone, so the same run gives the same messages.
"""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rag import prompts
from rag.agent.run import Run, in_turn
from rag.ingest.tokens import count as tokens
from rag.types import Call, Comparison, Hit, Message, Passage, Step, Way
from rag.wire import to_json

FENCES = 40  # tokens of a passage's fences and heading, about
MOST_MARKS = 30  # numbers of passages that are named where there is no room for them
SHORT = 600  # characters of an earlier thought that are shown again


class Briefing(NamedTuple):
    messages: tuple[Message, ...]
    left_out: tuple[int, ...]  # numbers of passages for which there was no room, rising
    tokens: int  # of all messages, about
    passages: int  # tokens of them that passages take


def brief(run: Run, way: Way, *, room: int) -> Briefing:
    """The messages within `room` tokens; passages that do not fit are left out, the weakest first."""
    head, state = _head(run, way), Message("user", _state(run))
    bare = (*head, *_steps(run, way, shown=frozenset()), state)  # what takes room before any passage does
    used = sum(tokens(message.text) for message in bare)
    kept = keep(run.evidence, room - used)
    left_out = tuple(mark for mark, hit in enumerate(run.evidence, 1) if hit.passage.id not in kept)
    taken = sum(_size(hit) for hit in run.evidence if hit.passage.id in kept)
    return Briefing((*head, *_steps(run, way, shown=kept), state), left_out, used + taken, taken)


def keep(evidence: Sequence[Hit], room: int) -> frozenset[str]:
    """Ids of the passages that fit into so many tokens: the weakest go first, the best of each report last."""
    first: dict[str, str] = {}
    for hit in sorted(evidence, key=lambda hit: -hit.score):
        first.setdefault(hit.passage.document_id, hit.passage.id)
    best, kept = set(first.values()), set[str]()
    for hit in sorted(evidence, key=lambda hit: (hit.passage.id not in best, -hit.score)):
        if (size := _size(hit)) <= room:
            kept.add(hit.passage.id)
            room -= size
    return frozenset(kept)


def _size(hit: Hit) -> int:
    return (hit.passage.tokens or tokens(hit.passage.text)) + FENCES


def _head(run: Run, way: Way) -> tuple[Message, ...]:
    others = [document for document in run.selection if document.id not in run.scope.documents]
    return (
        Message("system", prompts.system(way, run.documents, others)),
        Message("user", prompts.question(run.asked, run.scope.reason)),
    )


def _steps(run: Run, way: Way, *, shown: frozenset[str]) -> Iterator[Message]:
    told: set[str] = set()  # passages that an earlier step has shown
    for step in run.steps:
        yield from _step(step, run, way, shown, told)


def _step(step: Step, run: Run, way: Way, shown: frozenset[str], told: set[str]) -> Iterator[Message]:
    if step.kind == "plan":
        return
    observed = "\n".join(_observed(step, run, shown, told))
    if step.decision is None:
        yield Message("user", f"Code searched the reports that you had not asked.\n{observed}")
    elif way == "tools":
        given = {"thought": step.thought[:SHORT]} | dict(step.decision.action_input)
        call = Call(f"step-{step.number}", step.decision.action, _json(given))
        yield Message("assistant", "", call)
        yield Message("tool", observed, call)
    else:
        decision = {
            "thought": step.thought[:SHORT],
            "action": step.decision.action,
            "action_input": dict(step.decision.action_input),
        }
        yield Message("assistant", _json(decision))
        yield Message("user", f"Observation: {observed}")


def _json(value: object) -> str:
    return json.dumps(to_json(value), ensure_ascii=False)


def _observed(step: Step, run: Run, shown: frozenset[str], told: set[str]) -> Iterator[str]:
    observation = step.observation
    if observation.error:
        yield f"Refused: {prompts.quoted(observation.error)}"
        return
    if observation.text:
        yield prompts.fenced_text(observation.text)
    if observation.passages:
        yield "Its sentences stand in these passages, which can be cited:"
    hits = in_turn([search.hits for search in observation.searches])
    passages = list(dict.fromkeys([*(hit.passage for hit in hits), *observation.passages]))
    for passage in passages:
        if passage.id in shown:
            yield _passage(passage, run, told)
    if left_out := [run.mark(passage.id) for passage in passages if passage.id not in shown]:
        yield f"{len(left_out)} more, for which there is no room: {' '.join(left_out[:MOST_MARKS])}"
    if observation.comparison:
        yield from _compared(observation.comparison, run)
    for search in observation.searches:
        given = {hit.passage.document_id for hit in search.hits}
        silent = [run.by_id[d].title for d in search.documents if d not in given and d in run.by_id]
        if silent:
            yield prompts.quoted(f"Nothing on {search.query!r} in {', '.join(silent)}.")


def _passage(passage: Passage, run: Run, told: set[str]) -> str:
    if passage.id in told:
        return f"{run.mark(passage.id)} again, see above."
    told.add(passage.id)
    title, score = run.by_id[passage.document_id].title, run.found[passage.id].score
    return prompts.passage(run.numbers[passage.id], title, passage, score)


def _compared(comparison: Comparison, run: Run) -> Iterator[str]:
    left, right = run.mark(comparison.left.id), run.mark(comparison.right.id)
    for relation in comparison.relations:
        sides = ((left, relation.left), (right, relation.right))
        said = " / ".join(f"{mark} “{prompts.quoted(text)}”" for mark, text in sides if text)
        yield f"{relation.kind} on {prompts.quoted(relation.point)}: {said}"


def _state(run: Run) -> str:
    def titles(state: str) -> str:
        return ", ".join(prompts.quoted(row.title) for row in rows if row.state == state)

    rows = run.coverage()
    states = (("offered", "Passages found in"), ("nothing_found", "Nothing found in"), ("not_searched", "Still open"))
    ledger = [f"{label}: {titles(state)}" for state, label in states if titles(state)]
    return prompts.state(iterations=run.iterations_left, tokens=run.tokens_left, ledger=ledger, absent=run.scope.absent)
