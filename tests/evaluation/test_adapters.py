import json

import pytest

from rag.errors import BadInput
from rag.evaluation.adapters import load, reports
from rag.evaluation.questions import Sample

OWN = {"id": "1", "kind": "cross-theme", "question": "Who?", "expected": {"a.pdf": [2, 3]}}
FINANCEBENCH = {
    "financebench_id": "financebench_id_90001",
    "company": "Alder",
    "doc_name": "ALDER_2023_10K",
    "question_type": "metrics-generated",
    "question": "What is Alder's FY2023 revenue?",
    "answer": "$12.00",
    "evidence": [
        {"evidence_text": "Revenue 12", "evidence_doc_name": "ALDER_2023_10K", "evidence_page_num": 58},
        {"evidence_text": "Revenue 12", "evidence_doc_name": "ALDER_2023_10K", "evidence_page_num": 0},
        {"evidence_text": "Revenue 11", "doc_name": "ALDER_2022_10K", "evidence_page_num": 7},
    ],
}
REVENUE, HIGHER = 'What was the revenue of "Alder"?', 'Which is higher: "Alder" or "Birch"?'
ANSWERS = [
    {"question": HIGHER, "schema": "name", "answer": ["Birch plc", "N/A"], "comment": "Alder has none"},
    {"question": REVENUE, "schema": "number", "answer": 12_000_000},
]


def write(path, value):
    path.parent.mkdir(exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2))
    return path


def test_our_own_form_is_read_as_ever(tmp_path):
    expected = Sample("1", "cross-theme", "Who?", expected={"a.pdf": frozenset({2, 3})})
    assert load(write(tmp_path / "questions.jsonl", json.dumps(OWN))) == load(tmp_path) == (expected,)


@pytest.mark.parametrize("name", ["financebench_open_source.jsonl", "data/financebench_open_source.jsonl"])
def test_financebench_counts_pages_from_0_and_we_from_1(tmp_path, name):
    file = write(tmp_path / name, json.dumps(FINANCEBENCH) + "\n")
    expected = {"ALDER_2023_10K.pdf": frozenset({59, 1}), "ALDER_2022_10K.pdf": frozenset({8})}
    sample = Sample("financebench_id_90001", "metrics-generated", FINANCEBENCH["question"], expected=expected)
    assert load(tmp_path) == load(file) == (sample,)


def test_the_challenge_has_its_questions_in_one_file_and_what_is_right_in_another(tmp_path):
    write(tmp_path / "answers.json", ANSWERS)
    asked = write(tmp_path / "questions.json", [{"question": REVENUE, "schema": "number", "answer": None}])
    samples = (Sample("erc-01", "erc", REVENUE, accepted=(12_000_000,)),)
    assert load(tmp_path) == load(asked) == samples


def test_answers_alone_are_questions_too(tmp_path):
    samples = load(write(tmp_path / "answers.json", ANSWERS))
    assert [sample.accepted for sample in samples] == [("Birch plc", "N/A"), (12_000_000,)]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "holds no question set. It takes one of financebench_open_source.jsonl, "),
        (
            {"financebench_open_source.jsonl": '{"financebench_id": "1"}'},
            "open_source.jsonl:1 is no question: KeyError",
        ),
        ({"questions.jsonl": ""}, "holds no question"),
        ({"answers.json": "[]"}, "holds no question"),
        ({"answers.json": "[1]"}, "no set of the Enterprise RAG Challenge"),
        ({"answers.json": ANSWERS, "questions.json": [{"question": "Else?"}]}, "KeyError.'Else"),
    ],
)
def test_a_set_that_cannot_be_used_says_why(tmp_path, files, message):
    for name, value in files.items():
        write(tmp_path / name, value)
    with pytest.raises(BadInput, match=message):
        load(tmp_path)


def test_questions_without_answers_are_refused(tmp_path):
    with pytest.raises(BadInput, match=r"no 'answers\.json' beside it"):
        load(write(tmp_path / "questions.json", [{"question": "Who?"}]))


@pytest.mark.parametrize("place", ["pdfs", "set/pdfs"])
def test_the_reports_lie_beside_the_set(tmp_path, place):
    file = write(tmp_path / "set" / "questions.jsonl", "")
    (tmp_path / place).mkdir()
    assert reports(file) == reports(file.parent) == tmp_path / place


def test_without_reports_the_option_is_named(tmp_path):
    with pytest.raises(BadInput, match="--corpus"):
        reports(tmp_path / "set" / "questions.jsonl")
