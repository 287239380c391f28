import pytest

from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.types import Query
from rag.workspace import Workspace

ALDER = Upload("alder.txt", b"Alder plc\nAnnual report 2023\n\nRefunds rose.\n")
BIRCH = Upload("birch.txt", b"Birch plc\nAnnual report 2023\n\nStaff left.\n")


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(Settings(data=tmp_path, embeddings="off")) as opened:
        list(opened.add([ALDER, BIRCH]))
        yield opened


def kept(workspace, query, file):
    (passage,) = workspace.passages(workspace.document(file).id)
    return workspace.keep_test(query, passage.id)


def test_a_test_keeps_its_query_and_outlives_a_restart(workspace):
    scope = workspace.resolve(["alder.txt"])
    case = kept(workspace, Query("refunds", k=3, documents=scope), "alder.txt")
    assert (case.query, case.document_id, case.page) == (Query("refunds", k=3, documents=scope), *scope, 1)
    with Workspace.open(workspace.settings) as again:
        assert again.retrieval_tests() == (case,)


def test_the_same_test_is_kept_once(workspace):
    assert kept(workspace, Query("refunds"), "alder.txt") == kept(workspace, Query("refunds"), "alder.txt")
    kept(workspace, Query("refunds", k=1), "alder.txt")
    assert [case.query.k for case in workspace.retrieval_tests()] == [10, 1]


def test_a_test_goes_with_its_document_and_no_other(workspace):
    kept(workspace, Query("refunds"), "alder.txt")
    staff = kept(workspace, Query("staff"), "birch.txt")
    workspace.remove("alder.txt")
    assert workspace.retrieval_tests() == (staff,)


def test_a_test_can_be_forgotten(workspace):
    workspace.forget_test(kept(workspace, Query("refunds"), "alder.txt").id)
    assert workspace.retrieval_tests() == ()
