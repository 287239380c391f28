import pytest

from rag.evaluation.cases import run_cases
from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.types import Query
from rag.workspace import Workspace

ALDER = Upload("alder.txt", b"Alder plc\n\nRefunds, refunds and more refunds were paid.\n")
BIRCH = Upload("birch.txt", b"Birch plc\n\nRefunds were paid, and staff left for a better place.\n")


@pytest.fixture
def workspace(tmp_path):
    with Workspace.open(Settings(data=tmp_path, embeddings="off")) as opened:
        list(opened.add([ALDER, BIRCH]))
        yield opened


def outcome(workspace, query, file):
    (passage,) = workspace.passages(workspace.document(file).id)
    (found,) = run_cases(workspace, [workspace.keep_test(query, passage.id)])
    return found


def test_a_page_among_the_first_k_passes(workspace):
    found = outcome(workspace, Query("staff", k=1), "birch.txt")
    assert (found.rank, found.passed) == (1, True)


def test_a_page_below_them_fails_with_the_rank_that_it_has(workspace):
    found = outcome(workspace, Query("refunds", k=1), "birch.txt")
    assert (found.rank, found.passed) == (2, False)


def test_a_page_that_does_not_match_fails_without_a_rank(workspace):
    found = outcome(workspace, Query("staff"), "alder.txt")
    assert (found.rank, found.passed) == (None, False)


def test_a_scope_of_which_a_report_was_deleted_still_runs(workspace):
    both = workspace.resolve(["alder.txt", "birch.txt"])
    (passage,) = workspace.passages(both[0])
    case = workspace.keep_test(Query("refunds", documents=both), passage.id)
    workspace.remove("birch.txt")
    assert [each.passed for each in run_cases(workspace, [case])] == [True]
