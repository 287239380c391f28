"""Published question sets, read as they are published, from a folder or file that the user has.

FinanceBench (Islam et al. 2023, arXiv 2311.11944), a line of financebench_open_source.jsonl, pages counted from 0:

    {"financebench_id": "id_1", "question_type": "metrics-generated", "question": "What is Alder's FY2023 revenue?",
     "doc_name": "ALDER_2023_10K", "evidence": [{"evidence_doc_name": "ALDER_2023_10K", "evidence_page_num": 58}]}

Enterprise RAG Challenge (TIMETOACT Austria 2024), an entry of answers.json, all of whose answers count as right:

    {"question": "What was the revenue of \\"Alder\\" in 2023?", "schema": "number", "answer": [23410000, "N/A"]}
"""

import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag.errors import BadInput
from rag.evaluation import questions
from rag.evaluation.questions import Sample

FINANCEBENCH = "financebench_open_source.jsonl"
ANSWERS, ASKED = "answers.json", "questions.json"
_IN_A_FOLDER = (FINANCEBENCH, f"data/{FINANCEBENCH}", ANSWERS, "questions.jsonl")


def load(path: Path) -> tuple[Sample, ...]:
    """The samples of a file, or of a folder that holds one; its form is told by what it holds. Raises `BadInput`."""
    file = _file_of(path) if path.is_dir() else path
    text = questions.read(file)
    if not _is_erc(text):
        return of_files({str(file): text})
    beside = [place for name in (ANSWERS, ASKED) if (place := file.with_name(name)).is_file()]
    return of_files({str(file): text} | {str(place): questions.read(place) for place in beside})


def of_files(files: Mapping[str, str]) -> tuple[Sample, ...]:
    """The samples of a set's files, text by name: one, or the challenge's two. Raises `BadInput`."""
    if files and all(map(_is_erc, files.values())):
        return _erc_of(files)
    if len(files) != 1:
        raise BadInput(
            f"A question set is one file, or {ANSWERS} with {ASKED}. These are {', '.join(files) or 'none'}."
        )
    ((name, text),) = files.items()
    return questions.of_text(text, name, _financebench if '"financebench_id"' in text.partition("\n")[0] else None)


def _is_erc(text: str) -> bool:
    return text.lstrip().startswith("[")


def reports(path: Path) -> Path:
    """The folder of the reports that a set's folder holds, "pdfs"; raises `BadInput` where there is none."""
    folder = path if path.is_dir() else path.parent
    for place in (folder / "pdfs", folder.parent / "pdfs"):
        if place.is_dir():
            return place
    raise BadInput(f"No folder 'pdfs' lies beside {str(path)!r}. Name that of the reports with --corpus.")


def _financebench(row: Mapping[str, Any]) -> Sample:
    expected: dict[str, set[int]] = defaultdict(set)
    for each in row["evidence"]:
        name = each.get("evidence_doc_name") or each.get("doc_name") or row["doc_name"]
        expected[f"{name}.pdf"].add(int(each["evidence_page_num"]) + 1)
    pages = {name: frozenset(numbers) for name, numbers in expected.items()}
    return Sample(str(row["financebench_id"]), str(row["question_type"]), str(row["question"]), expected=pages)


def _erc_of(files: Mapping[str, str]) -> tuple[Sample, ...]:
    """A sample a question of questions.json, or where there is none of answers.json."""
    named = {Path(name).name: text for name, text in files.items()}
    first = next(iter(files))
    if ANSWERS not in named:
        raise BadInput(f"{first!r} has no {ANSWERS!r} beside it, which says what counts as right.")
    try:
        accepted = {str(row["question"]): row["answer"] for row in json.loads(named[ANSWERS])}
        texts = [str(row["question"]) for row in json.loads(named[ASKED])] if ASKED in named else [*accepted]
        samples = [
            Sample(f"erc-{number:02}", "erc", text, accepted=tuple(_listed(accepted[text])))
            for number, text in enumerate(texts, 1)
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{first!r} is no set of the Enterprise RAG Challenge: {error!r}.") from error
    return questions.checked(samples, first)


def _listed(answer: object) -> list[object]:
    return answer if isinstance(answer, list) else [answer]


def _file_of(folder: Path) -> Path:
    for name in _IN_A_FOLDER:
        if (folder / name).is_file():
            return folder / name
    raise BadInput(f"{str(folder)!r} holds no question set. It takes one of {', '.join(_IN_A_FOLDER)}.")
