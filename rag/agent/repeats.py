"""What a model does again though it was done before: it is refused, and where it goes on like that, the run ends."""

from collections.abc import Mapping, Sequence

from rag.agent.run import Run
from rag.errors import BadInput
from rag.types import Action, Step
from rag.words import stems

SAME = 0.8  # share of common words (Jaccard) from which a query counts as one that was made before
_REFUSED = "This was done before"


def refuse_if_done(action: Action, given: Mapping[str, object], run: Run) -> None:
    """Raises `BadInput` where a step did the same with the same input, and was not refused."""
    for step in run.steps:
        same = step.decision and step.decision.action == action and dict(step.decision.action_input) == dict(given)
        if same and not step.observation.error:
            raise _refusal([step])


def refuse_if_searched(queries: Sequence[str], documents: Sequence[str], run: Run) -> None:
    """Raises `BadInput` where each query asks what a step asked all these documents before, or nearly that."""
    before = [step for query in queries if (step := _searched(query, documents, run))]
    if len(before) == len(queries):
        raise _refusal(before)


def goes_round(steps: Sequence[Step]) -> bool:
    """Whether the last two actions were refused as done before: it would go on like that."""
    last = [step.observation.error or "" for step in steps if step.kind == "action"][-2:]
    return len(last) == 2 and all(error.startswith(_REFUSED) for error in last)


def _refusal(before: Sequence[Step]) -> BadInput:
    steps = ", ".join(dict.fromkeys(f"step {step.number}" for step in before))
    return BadInput(
        f"{_REFUSED} ({steps}). It is not done again: look for something else, compare what was found, or answer."
    )


def _searched(query: str, documents: Sequence[str], run: Run) -> Step | None:
    for step in run.steps:
        for search in step.observation.searches:
            if set(documents) <= set(search.documents) and _alike(query, search.query):
                return step
    return None


def _alike(left: str, right: str) -> bool:
    """Whether two queries ask for nearly the same; another number or year is another query."""
    words, others = set(stems(left)), set(stems(right))
    differ = any(word[0].isdigit() for word in words ^ others)
    return not differ and len(words & others) >= SAME * len(words | others)
