"""Asks every sample of a question set and gives what came of it."""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rag.evaluation.questions import Sample
from rag.evaluation.results import Result, of_trace
from rag.evaluation.score import Scores, score
from rag.types import Mode, RunFinished, Trace
from rag.workspace import Workspace


class Outcome(NamedTuple):
    sample: Sample
    result: Result
    scores: Scores
    trace: Trace | None  # None: the question crashed before it left one


def evaluate(
    workspace: Workspace,
    samples: Iterable[Sample],
    *,
    mode: Mode = "agent",
    files: Mapping[str, str] | None = None,
    cancel: threading.Event | None = None,
) -> Iterator[Outcome]:
    """One outcome a sample, as each is done; a question that crashes gives one with status "error".

    `files` maps document ids to the file names that the samples use; None: those of the library.
    """
    names = files or {document.id: document.file for document in workspace.documents()}
    for sample in samples:
        if cancel and cancel.is_set():
            return
        started = time.perf_counter()
        trace = None
        try:
            trace = _ask(workspace, sample, mode, names)
            result = of_trace(sample.id, trace, names, time.perf_counter() - started)
        except Exception as error:  # whatever breaks in one question must not cost the others
            message = f"{type(error).__name__}: {error}"
            result = Result(sample.id, mode, "error", message, seconds=round(time.perf_counter() - started, 3))
        yield Outcome(sample, result, score(sample, result), trace)


def _ask(workspace: Workspace, sample: Sample, mode: Mode, names: Mapping[str, str]) -> Trace:
    ids = {name: document_id for document_id, name in names.items()}
    chosen = None if sample.documents is None else [ids.get(name, name) for name in sample.documents]
    traces = [
        event.trace
        for event in workspace.ask(sample.question, documents=chosen, mode=mode)
        if isinstance(event, RunFinished)
    ]
    return traces[-1]
