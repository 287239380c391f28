import pytest

from rag.ingest.upload import Upload
from rag.langchain import TracebookRetriever, as_runnable
from rag.settings import Settings
from rag.workspace import Workspace

ALDER = b"Alder plc\nAnnual report 2023\n\nRevenue was $12 million. Refunds rose.\n"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    with Workspace.open(Settings(data=tmp_path_factory.mktemp("library"), embeddings="off")) as opened:
        list(opened.add([Upload("alder.txt", ALDER)]))
        yield opened


def test_the_library_is_a_retriever(workspace):
    (found,) = TracebookRetriever(workspace=workspace, k=1, scorer="keyword").invoke("refunds")
    assert "Refunds rose." in found.page_content
    assert found.metadata == {
        "file": "alder.txt",
        "title": "Alder annual report 2023",
        "page": 1,
        "label": "1",
        "recognised": False,
        "score": 1.0,
        "passage_id": found.id,
    }


def test_it_keeps_to_the_documents_named(workspace):
    assert TracebookRetriever(workspace=workspace, documents=()).invoke("refunds") == []


def test_the_agent_is_a_runnable(workspace):
    result = as_runnable(workspace).invoke("What was Alder's revenue?")
    assert result["citations"][0]["file"] == "alder.txt"
    assert [row["state"] for row in result["coverage"]] == ["cited"]
