"""Folds the events of a run into a trace, so that a run which breaks or is left half way leaves one, too."""

import time
from datetime import UTC, datetime

from rag.types import Answer, AnswerDelta, Event, Mode, RunFinished, RunStarted, Status, Step, StepFinished, Trace


class Recorder:
    """Sees every event of one run; `trace` is the whole of it, or as much as there was."""

    def __init__(self, question: str, mode: Mode, selection: tuple[str, ...] | None, titles: dict[str, str]) -> None:
        self._question, self._mode, self._selection, self._titles = question, mode, selection, titles
        self._start: RunStarted | None = None
        self._steps: list[Step] = []
        self._text = ""
        self._began = time.perf_counter()
        self._started_at = datetime.now(UTC).isoformat(timespec="seconds")
        self.finished: Trace | None = None  # as the loop itself gave it

    def see(self, event: Event) -> None:
        match event:
            case RunStarted():
                self._start = event
            case StepFinished(step):
                self._steps.append(step)
            case AnswerDelta(text):
                self._text += text
            case RunFinished(trace):
                self.finished = trace

    def trace(self, status: Status, error: str | None = None) -> Trace | None:
        """The finished trace, else what was seen so far under this status; None: the run never began."""
        if self.finished or not self._start:
            return self.finished
        return Trace(
            run_id=self._start.run_id,
            question=self._question,
            mode=self._mode,
            reasoner=self._start.reasoner,
            status=status,
            selection=self._selection,
            scope=(),
            titles=self._titles,
            steps=tuple(self._steps),
            retrieved=(),
            coverage=(),
            answer=Answer(self._text),
            iterations=sum(step.kind == "action" for step in self._steps),
            iteration_limit=self._start.iteration_limit,
            started_at=self._started_at,
            seconds=time.perf_counter() - self._began,
            error=error,
        )
