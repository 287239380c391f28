import json

import pytest

from rag.errors import BadInput
from rag.evaluation.questions import Sample, load

LINE = {"id": "1", "kind": "cross-theme", "question": "Who?", "documents": ["a.pdf"], "expected": {"a.pdf": [2, 3]}}


def write(path, *lines):
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return path


def test_a_line_becomes_a_sample(tmp_path):
    sample = Sample("1", "cross-theme", "Who?", ("a.pdf",), {"a.pdf": frozenset({2, 3})})
    assert load(write(tmp_path / "q.jsonl", LINE, "")) == (sample,)


def test_no_selection_means_the_whole_library(tmp_path):
    assert load(write(tmp_path / "q.jsonl", LINE | {"documents": None}))[0].documents is None


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([LINE, "{"], "q.jsonl:2 is no question"),
        ([{"id": "1", "kind": "x"}], "question"),
        (["[]"], "q.jsonl:1"),
        ([LINE, LINE], "an id stands twice"),
        ([""], "holds no question"),
    ],
)
def test_a_bad_set_is_refused_by_line(tmp_path, lines, message):
    with pytest.raises(BadInput, match=message):
        load(write(tmp_path / "q.jsonl", *lines))


def test_a_missing_set_is_refused(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        load(tmp_path / "none.jsonl")
