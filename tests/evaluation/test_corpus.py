import pytest

from rag.errors import BadInput, BadLibrary
from rag.evaluation.corpus import corpus, file_names, fill
from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.workspace import Workspace


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "alder.txt").write_text("Alder plc\nAnnual report 2023\n\nRevenue was $12 million.\n")
    (folder / "birch.txt").write_text("Birch plc\nAnnual report 2023\n\nRevenue was $7 million.\n")
    (folder / "notes.xyz").write_text("not a report")
    return folder


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(Settings(data=tmp_path / "library", embeddings="off")) as opened:
        yield opened


def test_a_library_is_filled_once_and_used_again(folder, workspace):
    uploads = corpus(folder)
    assert [upload.file for upload in uploads] == ["alder.txt", "birch.txt"]
    assert sum(progress.stage == "added" for progress in fill(workspace, uploads)) == 2
    assert list(fill(workspace, uploads)) == []


def test_a_library_with_another_file_is_refused(folder, workspace):
    list(workspace.add([Upload("cedar.txt", b"Cedar plc. Revenue was $1 million.")]))
    with pytest.raises(BadLibrary, match=r"also holds 'cedar.txt'"):
        list(fill(workspace, corpus(folder)))
    assert len(workspace.documents()) == 1


def test_files_bear_the_corpus_names(folder, workspace):
    alder, _ = uploads = corpus(folder)
    list(workspace.add([Upload("other name.txt", alder.data)]))
    assert file_names(uploads)[workspace.documents()[0].id] == "alder.txt"


def test_a_corpus_without_reports_is_refused(tmp_path):
    for folder, message in ((tmp_path, "holds no PDF"), (tmp_path / "none", "is no folder")):
        with pytest.raises(BadInput, match=message):
            corpus(folder)
