"""The sample reports: made from their text, marked as invented, sound in their figures, and asked about rightly."""

import importlib.util
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest

from rag.evaluation.corpus import corpus
from rag.settings import Settings
from rag.types import Mode, RunFinished, Trace
from rag.workspace import Workspace

SAMPLES = Path(__file__).parent.parent / "samples"
LONG, MIDDLE, SHORT = FILES = ("quillmoor_2025.pdf", "vennhall_2025.pdf", "brackenfold_2025.pdf")
QUESTIONS = [json.loads(line) for line in (SAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()]

# Where each question's answer stands: a page counts when it holds these words.
EVIDENCE = {
    "cyber-attacks": "cyber|ransom|intruder",
    "exchange-rates": r"exchange rate|foreign currency|Canadian dollar",
    "climate": "climate change|drought",
    "key-people": "loss of (?:key people|senior managers)|key people left",
    "animal-disease": "animal disease",
    "pension": "pension scheme|retirement benefit",
    "capital-expenditure": r"capital expenditures? |\((?:61\.1|49\.6|18\.0)\)|€49\.6|\$(?:61\.1|18\.0) million",
    "total-assets": r"^total assets",
    "inventories": r"^(?:total )?inventories \$?(?:263\.4|131\.7|38\.9)",
    "diluted-earnings": r"diluted (?:share|\$?1\.80|0\.70|earnings)|per share, diluted",
    "stores": "186 (?:shops|stores)|at the end of the year 186",
    "customers": "58 percent",
    "pension-deficit": r"\b47\.5\b",
}


def pages(file: str) -> list[str]:
    document = pypdfium2.PdfDocument(SAMPLES / file)
    try:
        return [" \n".join(page.get_textpage().get_text_range().splitlines()) for page in document]
    finally:
        document.close()


TEXT = {file: pages(file) for file in FILES}


def evidence(question_id: str) -> re.Pattern[str]:
    """Its words, wherever a line may break between them."""
    return re.compile(EVIDENCE[question_id].replace(" ", r"\s+"), re.I | re.M)


def number(cell: str) -> float:
    return float(re.sub(r"[$,)]", "", cell).replace("(", "-"))


def add(lines: Sequence[Sequence[float]]) -> list[float]:
    return [sum(year) for year in zip(*lines, strict=True)]


def figures(file: str, line: str) -> list[float]:
    """The two years that the statements give for a line."""
    found = re.search(rf"^{re.escape(line)} (\(?\$?[\d,.]+\)?) (\(?\$?[\d,.]+\)?) *$", "\n".join(TEXT[file]), re.M)
    assert found, f"{file} has no line {line!r}"
    return [number(cell) for cell in found.groups()]


def test_the_committed_files_are_what_their_text_makes(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("make", SAMPLES / "make.py")
    assert spec and spec.loader
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    for file in FILES:
        make.write(SAMPLES / "text" / file.replace(".pdf", ".md"), tmp_path / file)
        assert (tmp_path / file).read_bytes() == (SAMPLES / file).read_bytes()


@pytest.mark.parametrize("file", FILES)
def test_every_page_says_that_the_company_is_invented(file: str) -> None:
    assert all("invented company, for demonstration" in page for page in TEXT[file])


def test_one_report_is_long_and_one_short() -> None:
    assert [len(TEXT[file]) for file in FILES] == [17, 11, 8]


@pytest.mark.parametrize("file", FILES)
def test_the_printed_page_numbers_are_roman_and_then_count_from_one(file: str) -> None:
    document = pypdfium2.PdfDocument(SAMPLES / file)
    labels = [document.get_page_label(n) for n in range(len(document))]
    outline = [item.get_title() for item in document.get_toc(max_depth=1)]
    document.close()
    assert labels == ["i", "ii", "iii", *map(str, range(1, len(labels) - 2))]
    assert all(TEXT[file][n].rstrip().endswith(label) for n, label in enumerate(labels) if n)
    assert any("risk" in title.lower() for title in outline)


TOTALS = {
    LONG: ("Total assets", "Total liabilities", "Total shareholders' equity", "Cash and cash equivalents, end of year"),
    MIDDLE: ("Total assets", "Total liabilities", "Total equity", "Cash and cash equivalents at 31 December"),
    SHORT: ("Total assets", "Total liabilities", "Total shareholders' equity", "Cash at end of year"),
}
FLOWS = {
    LONG: (
        "Total provided by operating activities",
        "Total used in investing activities",
        "Total used in financing activities",
        "Effect of exchange rates on cash",
        "Cash and cash equivalents, beginning of year",
    ),
    MIDDLE: (
        "Total net cash from operating activities",
        "Total net cash used in investing activities",
        "Total net cash used in financing activities",
        "Effect of exchange rate changes on cash",
        "Cash and cash equivalents at 1 January",
    ),
    SHORT: (
        "Total cash provided by operating activities",
        "Total cash used in investing activities",
        "Total cash used in financing activities",
        "Cash at beginning of year",
    ),
}


@pytest.mark.parametrize("file", FILES)
def test_the_statements_agree_with_each_other(file: str) -> None:
    assets, liabilities, equity, cash = (figures(file, line) for line in TOTALS[file])
    assert assets == pytest.approx(add([liabilities, equity]))
    assert cash == figures(file, "Cash and cash equivalents")
    assert cash == pytest.approx(add([figures(file, line) for line in FLOWS[file]]))


@pytest.mark.parametrize(
    "file, before, tax, net",
    [
        (LONG, "Income before income taxes", "Income tax expense", "Net income"),
        (MIDDLE, "Profit before tax", "Income tax expense", "Profit for the year"),
        (SHORT, "Income before income taxes", "Income taxes", "Net income"),
    ],
)
def test_what_is_left_after_tax_is_the_net_income(file: str, before: str, tax: str, net: str) -> None:
    assert [b - abs(t) for b, t in zip(figures(file, before), figures(file, tax), strict=True)] == pytest.approx(
        figures(file, net)
    )


@pytest.mark.parametrize("file", FILES)
def test_every_total_is_the_sum_of_lines_above_it(file: str) -> None:
    text = (SAMPLES / "text" / file.replace(".pdf", ".md")).read_text(encoding="utf-8")
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        open_lines: list[tuple[float, ...]] = []  # not yet part of a total
        for name, *cells in (line.strip("| \n").split(" | ") for line in table.splitlines()[1:]):
            if len(cells) < 2 or not all(re.fullmatch(r"\(?\$?[\d,.]+\)?", cell) for cell in cells[:2]):
                continue
            years = tuple(number(cell) for cell in cells[:2])
            if name.startswith("Total"):
                sums = (n for n in range(1, len(open_lines) + 1) if add(open_lines[-n:]) == pytest.approx(years))
                n = next(sums, None)
                assert n, f"{file}: {name!r} is no sum"
                del open_lines[-n:]
            open_lines.append(years)


def test_the_question_set_opens_with_the_question_that_the_samples_were_written_for() -> None:
    assert QUESTIONS[0]["question"] == (
        "What are the common risk factors mentioned across these annual reports, and do any of them overlap?"
    )


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q["kind"] != "absent"], ids=lambda q: q["id"])
def test_the_pages_that_a_question_names_are_those_that_speak_of_it(question: dict[str, object]) -> None:
    expected = question["expected"]
    assert isinstance(expected, dict)
    if question["id"] == "risk-factors":
        assert expected == {LONG: [6, 7, 8, 9], MIDDLE: [5, 6], SHORT: [4, 5]}
        return
    wanted = evidence(str(question["id"]))
    assert expected == {file: [n for n, page in enumerate(TEXT[file], 1) if wanted.search(page)] for file in expected}


def test_companies_that_a_question_asks_for_in_vain_are_in_no_report() -> None:
    absent = [name for question in QUESTIONS for name in question.get("absent", [])]
    assert absent and not any(name in page for name in absent for text in TEXT.values() for page in text)


def test_one_report_is_silent_on_what_the_others_share() -> None:
    silent = {q["id"]: [file for file, found in q["expected"].items() if not found] for q in QUESTIONS}
    assert silent["cyber-attacks"] == silent["exchange-rates"] == [SHORT]
    assert silent["animal-disease"] == [LONG, MIDDLE]


def test_the_reports_and_nothing_else_are_what_the_questions_are_asked_of() -> None:
    assert sorted(upload.file for upload in corpus(SAMPLES)) == sorted(FILES)


def asked(folder: Path, question: str, mode: Mode = "agent") -> Trace:
    """The run of a question over the samples."""
    workspace = Workspace.open(Settings(data=folder, embeddings="off"))
    try:
        list(workspace.add_samples())
        *_, last = workspace.ask(question, mode=mode)
    finally:
        workspace.close()
    assert isinstance(last, RunFinished)
    return last.trace


@pytest.mark.parametrize("mode, untouched", [("agent", set()), ("single_shot", {MIDDLE, SHORT})])
def test_one_search_leaves_out_what_a_plan_covers(tmp_path: Path, mode: Mode, untouched: set[str]) -> None:
    coverage = asked(tmp_path, QUESTIONS[0]["question"], mode).coverage
    assert {row.file for row in coverage if row.state == "not_searched"} == untouched
    assert {row.file for row in coverage if row.state == "cited"} == set(FILES) - untouched


def test_a_year_that_ends_in_the_next_one_is_found_under_its_end(tmp_path: Path) -> None:
    """Quillmoor's fiscal 2025 stands under "January 31, 2026", beside a column headed 2025 that is fiscal 2024."""
    answer = asked(tmp_path, "Compare capital expenditures across these reports.").answer.text
    assert all(figure in answer for figure in ("61.1", "49.6", "18.0")) and "57.6" not in answer


def test_the_year_before_is_found_likewise(tmp_path: Path) -> None:
    answer = asked(tmp_path, "What were the year-end inventories of Quillmoor in fiscal 2024?").answer.text
    assert "281.0" in answer and "263.4" not in answer
