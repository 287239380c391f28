import pytest

from rag.catalogue import find
from rag.errors import AmbiguousDocument, UnknownDocument
from rag.types import Card, Document


def document(id, file):
    return Document(id, file, id * 4, "pdf", Card(), 1, 1, 10, 0, "ready", "2026-01-01T00:00:00Z")


ALDER, BIRCH, BIRCH_TOO = document("a1", "alder.pdf"), document("b2", "birch.pdf"), document("b3", "birch.pdf")
LIBRARY = (ALDER, BIRCH, BIRCH_TOO)


@pytest.mark.parametrize("name", ["a1", "alder.pdf"])
def test_an_id_or_a_file_name_will_do(name):
    assert find(LIBRARY, name) == ALDER


def test_a_name_that_two_bear_is_refused_with_both_ids():
    with pytest.raises(AmbiguousDocument, match=r"2 documents are named 'birch.pdf': b2 and b3"):
        find(LIBRARY, "birch.pdf")
    assert find(LIBRARY, "b3") == BIRCH_TOO


def test_an_unknown_name_lists_what_there_is():
    with pytest.raises(UnknownDocument, match=r"no document 'cedar.pdf'. It holds 'alder.pdf', 'birch.pdf'"):
        find(LIBRARY, "cedar.pdf")
    with pytest.raises(UnknownDocument, match="empty: add reports"):
        find((), "cedar.pdf")


def test_a_long_library_is_not_listed_whole():
    with pytest.raises(UnknownDocument, match=r"'9.pdf' and 2 more"):
        find([document(f"d{n}", f"{n}.pdf") for n in range(12)], "x")
