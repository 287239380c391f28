import pytest

from rag.errors import BadLibrary
from rag.index.originals import Originals


def test_bytes_are_kept_under_the_document_id(tmp_path):
    originals = Originals(tmp_path / "files")
    assert not originals
    originals.put("0123456789abcdef", b"%PDF")
    assert originals
    assert [path.name for path in (tmp_path / "files").iterdir()] == ["0123456789abcdef"]
    assert originals.read("0123456789abcdef") == b"%PDF"
    originals.remove("0123456789abcdef")
    originals.remove("0123456789abcdef")
    assert not originals


def test_what_could_not_be_written_whole_leaves_nothing(tmp_path):
    originals = Originals(tmp_path)
    with pytest.raises(TypeError):
        originals.put("0123456789abcdef", "no bytes")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_gone_says_what_to_do(tmp_path):
    with pytest.raises(BadLibrary, match="add its file again"):
        Originals(tmp_path).read("0123456789abcdef")
