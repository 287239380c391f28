import io
import json

from rag.evaluation.results import Result, of_trace, read, write
from tests.runs import run

FILES = {"a1": "alder.pdf", "b2": "birch.pdf"}
RESULT = of_trace("q1", run(), FILES, 0.1234)


def test_a_line_names_documents_by_file_and_pages_by_number():
    out = io.StringIO()
    write(RESULT, out)
    assert json.loads(out.getvalue()) == {
        "id": "q1",
        "mode": "agent",
        "status": "partial",
        "answer": "**Alder**: revenue was $12 million [1].",
        "retrieved": [{"document": "alder.pdf", "page": 12, "score": 0.83}],
        "citations": [{"document": "alder.pdf", "page": 12}],
        "coverage": [
            {"document": "alder.pdf", "state": "cited"},
            {"document": "birch.pdf", "state": "nothing_found"},
        ],
        "notInLibrary": ["Cedar"],
        "value": 12e6,
        "seconds": 0.123,
    }


def test_a_results_file_is_read_back(tmp_path):
    lines = [RESULT, Result("q2", "agent", "error", "broke")]
    with (tmp_path / "results.jsonl").open("w") as out:
        for line in lines:
            write(line, out)
    assert list(read(tmp_path / "results.jsonl")) == lines
