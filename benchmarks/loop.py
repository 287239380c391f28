"""What the loop itself takes of each step, the model's own time left out, in a library of real filings:

    python benchmarks/loop.py DIR --questions FILE.jsonl [--data LIBRARY]

A model that answers at once searches the reports in scope for the question's words, then for others, and answers. Time
is what passes between one of its replies and the next request: reading the decision, searching, keeping the ledger,
writing the next briefing with every passage found so far. Without --data the library is a temporary one.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.filings import asked
from rag.agent.language import LanguageReasoner
from rag.models.scripted import ScriptedChat, call
from rag.types import Delta, Message, Tool, Way
from rag.workspace import Workspace

SEARCHES = ("risk factors", "liquidity and capital resources", "employees")


class Timed(ScriptedChat):
    """Notes how long it was left alone between two requests, in milliseconds."""

    def __init__(self, question: str) -> None:
        queries = (question, *SEARCHES)
        looks = [call("search_documents", json.dumps({"thought": "Next.", "query": query})) for query in queries]
        super().__init__(*looks, call("answer_directly", '{"thought": "Done.", "answer": "See [1]."}'))
        self.steps: list[float] = []
        self._left = 0.0

    def stream(
        self, messages: Sequence[Message], way: Way, tools: Sequence[Tool], *, cancel: threading.Event, seconds: float
    ) -> Iterator[Delta]:
        if self._left:
            self.steps.append(1000 * (time.perf_counter() - self._left))
        yield from super().stream(messages, way, tools, cancel=cancel, seconds=seconds)
        self._left = time.perf_counter()


class Ways:
    """Remembers that the model takes tool calls."""

    def way(self, model: str) -> Way | None:
        return "tools"

    def remember(self, model: str, way: Way) -> None:
        pass


def run(workspace: Workspace, questions: Sequence[str]) -> None:
    for _ in workspace.ask("What was revenue?"):
        pass  # loads the embedding model and opens the index
    spent: dict[str, list[float]] = {"up to 3 reports in scope": [], "more": []}
    beside: dict[str, list[float]] = {name: [] for name in spent}
    for question in questions:
        model = Timed(question)
        reasoner = LanguageReasoner(model, Ways(), room=workspace.settings.context_tokens)
        *_, last = workspace.ask(question, reasoner=reasoner)
        group = "up to 3 reports in scope" if len(last.trace.scope) <= 3 else "more"
        searched = [1000 * step.seconds for step in last.trace.steps if step.kind == "action"]
        spent[group] += model.steps
        beside[group] += [whole - search for whole, search in zip(model.steps, searched, strict=False)]
    for name, steps in spent.items():
        if len(steps) > 1:
            slowest = quantiles(steps, n=20)[-1]
            own = median(beside[name])
            print(
                f"{name:26}{len(steps):5} steps, median {median(steps):6.1f} ms, p95 {slowest:6.1f} ms; "
                f"of that beside the search {own:.1f} ms"
            )


if __name__ == "__main__":
    with asked(__doc__) as (workspace, questions):
        run(workspace, questions)
