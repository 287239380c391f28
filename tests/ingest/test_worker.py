import io

import pytest
from ingest_make import pdf

from rag.ingest.request import ReadRequest
from rag.ingest.upload import Upload
from rag.ingest.worker import answer, receive, send
from rag.types import ParsedDocument


def answers(upload: Upload) -> list[object]:
    pipe = io.BytesIO()
    answer(ReadRequest(upload, 256), pipe)
    pipe.seek(0)
    found = []
    while pipe.tell() < len(pipe.getvalue()):
        found.append(receive(pipe))
    return found


def test_pages_are_counted_and_the_document_comes_last():
    *counts, document = answers(Upload("a.pdf", pdf(*["Net sales"] * 12)))
    assert counts == [(5, 12), (10, 12), (12, 12)]
    assert isinstance(document, ParsedDocument)


def test_a_bad_file_is_answered_in_words():
    assert answers(Upload("a.txt", b"")) == ["a.txt is empty. Save or download it again and upload that."]


def test_a_message_that_breaks_off_is_the_end():
    pipe = io.BytesIO()
    send(pipe, "hello")
    with pytest.raises(EOFError):
        receive(io.BytesIO(pipe.getvalue()[:-1]))
    with pytest.raises(EOFError):
        receive(io.BytesIO())
