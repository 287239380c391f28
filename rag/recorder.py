"""Folds the events of a run into a trace, so that a run which breaks or is left half way leaves one, too."""

import secrets
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from rag.errors import reason
from rag.types import Answer, AnswerDelta, Event, Mode, RunFinished, RunStarted, Step, StepFinished, Trace, Usage


class Recorder:
    """Sees every event of one run; `trace` is the whole of it, or as much as there was."""

    def __init__(self, question: str, mode: Mode, selection: tuple[str, ...] | None, titles: Mapping[str, str]) -> None:
        self._start = RunStarted(secrets.token_urlsafe(16), question, mode, "none", 0)
        self._selection, self._titles = selection, titles
        self._steps: list[Step] = []
        self._text = ""
        self.finished = False
        self._began, self._started_at = time.perf_counter(), datetime.now(UTC).isoformat(timespec="seconds")

    def see(self, event: Event) -> None:
        match event:
            case RunStarted():
                self._start = event
            case StepFinished(step):
                self._steps.append(step)
            case AnswerDelta():
                self._text = event.text if event.anew else self._text + event.text
            case RunFinished():
                self.finished = True

    def trace(self, error: Exception | None = None) -> Trace:
        """What was seen so far: with the error the trace of a run that broke, without it that of one left half way."""
        return Trace(
            run_id=self._start.run_id,
            question=self._start.question,
            mode=self._start.mode,
            reasoner=self._start.reasoner,
            status="error" if error else "cancelled",
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
            usage=sum((step.usage for step in self._steps), Usage()),
            error=_why(error) if error else None,
        )


def _why(error: Exception) -> str:
    return f"The run broke ({type(error).__name__}: {reason(error)}). Ask again; if it breaks again, report it."
