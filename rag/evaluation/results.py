"""What a run gave for one sample, as one line of a results file. Documents are named by file, pages count from 1."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rag.types import CoverageState, Mode, Status, Trace
from rag.wire import from_json, to_json


@dataclass(frozen=True)
class Place:
    document: str  # file name
    page: int
    score: float | None = None  # of a retrieved passage, in (0, 1]; None for a citation


@dataclass(frozen=True)
class State:
    document: str
    state: CoverageState


@dataclass(frozen=True)
class Result:
    id: str  # the sample's
    mode: Mode
    status: Status
    answer: str = ""
    retrieved: tuple[Place, ...] = ()  # in the order in which the answer was given them
    citations: tuple[Place, ...] = ()
    coverage: tuple[State, ...] = ()  # a row for every document in scope
    not_in_library: tuple[str, ...] = ()
    value: float | str | bool | None = None  # the answer alone in plain units, where the question asks for one
    seconds: float = 0.0  # wall time of the question


def of_trace(sample_id: str, trace: Trace, files: Mapping[str, str], seconds: float) -> Result:
    """The result that a run came to; `files` maps document ids to file names."""
    answer = trace.answer
    return Result(
        id=sample_id,
        mode=trace.mode,
        status=trace.status,
        answer=answer.text or trace.error or "",
        retrieved=tuple(Place(files[hit.passage.document_id], hit.passage.page, hit.score) for hit in trace.retrieved),
        citations=tuple(Place(files[each.passage.document_id], each.passage.page) for each in answer.citations),
        coverage=tuple(State(files[row.document_id], row.state) for row in trace.coverage),
        not_in_library=answer.not_in_library,
        value=answer.value,
        seconds=round(seconds, 3),
    )


def write(result: Result, out: TextIO) -> None:
    """Appends one line, flushed, so that a run that is cut short leaves what it had."""
    row = to_json(result)
    row["citations"] = [{"document": place.document, "page": place.page} for place in result.citations]
    out.write(json.dumps(row, ensure_ascii=False) + "\n")
    out.flush()


def read(path: Path) -> tuple[Result, ...]:
    """The results of a file that `write` made."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(from_json(Result, json.loads(line)) for line in lines if line.strip())
