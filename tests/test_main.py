import json
from pathlib import Path

import pytest

from rag.__main__ import main
from rag.workspace import SAMPLES

REPORT = "{0} plc\nAnnual report 2023\n\nRevenue was ${1} million. Refunds rose.\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name, revenue in (("Alder", 12), ("Birch", 7)):
        (folder / f"{name.lower()}.txt").write_text(REPORT.format(name, revenue))
    return folder


@pytest.fixture(scope="module")
def library(files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACEBOOK_EMBEDDINGS", "off")
        assert main(["add", str(files / "alder.txt"), str(files / "birch.txt"), "--data", str(folder)]) == 0
    return folder


@pytest.fixture
def tracebook(library, monkeypatch, capsys):
    """Runs a command on the library of two reports; gives exit code, stdout, stderr."""
    monkeypatch.setenv("TRACEBOOK_EMBEDDINGS", "off")

    def run(*arguments, data=library):
        code = main([*map(str, arguments), "--data", str(data)])
        return code, *capsys.readouterr()

    return run


def test_search_prints_score_title_and_page(tracebook):
    code, out, _ = tracebook("search", "refunds of Alder", "-k", 1, "--scorer", "keyword")
    assert (code, out) == (0, "1.00 Alder annual report 2023 p. 1\n")


def test_a_locked_file_is_added_with_its_password(tracebook, tmp_path, monkeypatch):
    file = Path(__file__).parent / "data" / "odd" / "password.pdf"
    code, _, err = tracebook("add", file, data=tmp_path)
    assert code == 1 and "protected by a password" in err
    monkeypatch.setattr("getpass.getpass", lambda prompt: "open sesame")
    assert tracebook("add", file, "--password", data=tmp_path)[0] == 0


def test_a_new_version_replaces_the_old_one(tracebook, tmp_path):
    for revenue in (5, 6):
        (tmp_path / "elm.txt").write_text(REPORT.format("Elm", revenue))
        code, _, err = tracebook("add", tmp_path / "elm.txt", "--replace", data=tmp_path / "library")
        assert code == 0
    assert "in place of the earlier file" in err
    assert len(tracebook("list", data=tmp_path / "library")[1].splitlines()) == 1


def test_search_says_when_nothing_matches(tracebook):
    assert tracebook("search", "zebra")[:2] == (0, "No articles matched.\n")


def test_search_keeps_to_the_documents_named(tracebook):
    _, out, _ = tracebook("search", "refunds", "--documents", "birch.txt")
    assert "Birch" in out
    assert "Alder" not in out


def test_list_gives_the_documents_as_json(tracebook):
    _, out, _ = tracebook("list", "--json")
    (alder,) = [row for row in json.loads(out) if row["file"] == "alder.txt"]
    assert {"id", "sha256", "periodEnd", "pages", "passages", "tokens", "state"} <= set(alder)
    assert (alder["company"], alder["kind"], alder["fiscalYear"]) == ("Alder", "annual report", 2023)


def test_list_is_a_line_a_document(tracebook, tmp_path):
    assert len(tracebook("list")[1].splitlines()) == 2
    assert tracebook("list", data=tmp_path)[1:] == ("", "The library is empty.\n")


def test_ask_prints_steps_to_stderr_and_the_cited_answer_to_stdout(tracebook):
    code, out, err = tracebook("ask", "What was the revenue of Alder and Birch?")
    assert code == 0
    assert "[1]" in out
    assert "$12 million" in out
    assert "search_documents" in err


def test_ask_prints_the_whole_result_as_json(tracebook):
    _, out, _ = tracebook("ask", "What was Alder's revenue?", "--documents", "alder.txt", "--json")
    result = json.loads(out)
    assert result["mode"] == "agent"
    assert [row["file"] for row in result["coverage"]] == ["alder.txt"]
    assert result["trace"]["steps"][-1]["stepType"] == "answer"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("remove", "cedar.txt"), "no document 'cedar.txt'. It holds"),
        (("ask", " "), "blank"),
        (("ask", "Revenue?", "--documents", "cedar.txt"), "no document 'cedar.txt'"),
        (("search", "x", "-k", "0"), "k is 0"),
        (("evaluate", "--corpus", "/none", "--questions", "/none", "--out", "/none/x"), "'/none/x' cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(tracebook, arguments, message):
    code, out, err = tracebook(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_wrong_setting_is_named(tracebook, monkeypatch):
    monkeypatch.setenv("TRACEBOOK_TOP_K", "many")
    assert "TRACEBOOK_TOP_K is 'many'" in tracebook("list")[2]


def test_a_file_that_cannot_be_used_gives_exit_code_1_and_the_others_are_added(tracebook, files, tmp_path):
    (files / "bad.pdf").write_bytes(b"")
    code, _, err = tracebook("add", files / "bad.pdf", files / "alder.txt", data=tmp_path)
    assert code == 1
    assert "bad.pdf is empty" in err
    assert len(json.loads(tracebook("list", "--json", data=tmp_path)[1])) == 1


def test_a_file_that_is_not_there_is_named_and_the_others_are_added(tracebook, files, tmp_path):
    code, _, err = tracebook("add", "/none.pdf", files, files / "alder.txt", data=tmp_path)
    assert code == 1
    assert "failed    /none.pdf: It cannot be read: No such file or directory.\n" in err
    assert f"failed    {files}: It cannot be read: Is a directory.\n" in err
    assert "added" in err and "alder.txt" in err


def test_add_waits_until_every_passage_has_its_vector_and_says_so(tracebook, files, tmp_path, monkeypatch):
    monkeypatch.setenv("TRACEBOOK_EMBEDDINGS", "local")
    code, _, err = tracebook("add", files / "alder.txt", "--wait", data=tmp_path)
    assert code == 0
    assert err.splitlines()[-1] == "embedded 1 of 1 passages"


def test_remove_takes_file_names(tracebook, files, tmp_path):
    tracebook("add", files / "alder.txt", data=tmp_path)
    assert tracebook("remove", "alder.txt", data=tmp_path)[:2] == (0, "removed alder.txt\n")
    assert tracebook("list", "--json", data=tmp_path)[1] == "[]\n"


def test_evaluate_takes_a_published_set_with_the_reports_beside_it(tracebook, tmp_path):
    asked = {"question_type": "metrics-generated", "question": "What is the revenue of Vennhall?"}
    evidence = [[{"evidence_doc_name": name, "evidence_page_num": 0}] for name in ("vennhall_2025", "cedar_2025")]
    rows = [asked | {"financebench_id": f"id_{n}", "evidence": each} for n, each in enumerate(evidence)]
    (tmp_path / "financebench_open_source.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "vennhall_2025.pdf").write_bytes((SAMPLES / "vennhall_2025.pdf").read_bytes())
    out = tmp_path / "results.jsonl"
    code, _, err = tracebook("evaluate", "--questions", tmp_path, "--out", out, "--no-dense", data=tmp_path / "library")
    assert code == 0
    assert "Left out, as their reports are not here: 1." in err
    assert [line for line in err.splitlines() if line != line.rstrip()] == []
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == ["id_0"]
