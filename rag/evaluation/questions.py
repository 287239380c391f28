"""Question sets. A file holds one JSON object a line, such as

    {"id": "cross-1", "kind": "cross-metric", "question": "Compare inventories across Alder and Birch.",
     "documents": null, "expected": {"alder.pdf": [59, 61], "birch.pdf": []}}

where `expected` names the pages that count, an empty list says that a report is silent, and `documents` is what the
user has selected (null: the whole library).
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag.errors import BadInput


@dataclass(frozen=True)
class Sample:
    id: str
    kind: str  # "cross-…", "absent", "erc", or any other for a question with one place to find
    question: str
    documents: tuple[str, ...] | None = None  # file names selected; None: the whole library
    expected: Mapping[str, frozenset[int]] = field(default_factory=dict)  # file name -> pages that count, from 1
    unclear: frozenset[str] = frozenset()  # files that are not scored
    absent: tuple[str, ...] = ()  # companies asked for that no document bears
    present: tuple[str, ...] = ()  # companies asked for that one does
    accepted: tuple[object, ...] = ()  # values that count as right; "N/A": saying no does


Form = Callable[[Mapping[str, Any]], Sample]  # from the object of one line; raises what a missing field raises


def load(path: Path, form: Form | None = None) -> tuple[Sample, ...]:
    """The samples of a JSONL file; raises `BadInput` naming the file and line. Without a form: the one above."""
    return of_text(read(path), str(path), form)


def of_text(text: str, name: str, form: Form | None = None) -> tuple[Sample, ...]:
    """The samples of a JSONL file's text; `name` is the file's, for errors."""
    lines = enumerate(text.splitlines(), 1)
    return checked([parse(line, f"{name}:{number}", form) for number, line in lines if line.strip()], name)


def read(path: Path) -> str:
    """The text of a question set; raises `BadInput`."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"The question set {str(path)!r} cannot be read: {error}.") from error


def about(samples: Iterable[Sample], files: Set[str]) -> tuple[Sample, ...]:
    """Those of whose reports one is among these files, and those that name none."""
    return tuple(sample for sample in samples if not sample.expected or sample.expected.keys() & files)


def checked(samples: Sequence[Sample], name: str) -> tuple[Sample, ...]:
    """The samples; raises `BadInput` where there are none, or two of one id."""
    if not samples:
        raise BadInput(f"The question set {name!r} holds no question.")
    if len({sample.id for sample in samples}) < len(samples):
        raise BadInput(f"In the question set {name!r} an id stands twice.")
    return tuple(samples)


def parse(line: str, where: str, form: Form | None = None) -> Sample:
    """The sample of one line; `where` is named in the error."""
    try:
        return (form or _sample)(json.loads(line))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        wanted = "" if form else " It takes an object with id, kind and question."
        raise BadInput(f"{where} is no question: {error!r}.{wanted}") from error


def _sample(row: Mapping[str, Any]) -> Sample:
    documents = row.get("documents")
    return Sample(
        id=str(row["id"]),
        kind=str(row["kind"]),
        question=str(row["question"]),
        documents=None if documents is None else tuple(documents),
        expected={name: frozenset(map(int, pages)) for name, pages in row.get("expected", {}).items()},
        unclear=frozenset(row.get("unclear", ())),
        absent=tuple(row.get("absent", ())),
        present=tuple(row.get("present", ())),
        accepted=tuple(row.get("accepted", ())),
    )
