import sys

import pytest
from ingest_make import pdf

from rag.errors import NoText
from rag.ingest.ocr import OFF, recognition
from rag.ingest.parse import parse
from rag.ingest.pool import ReaderPool
from rag.ingest.upload import Upload

HALF = Upload("half.pdf", pdf("Alder plc annual report 2023", "Net sales were 1,284 million", scanned={2}))


def quiet(done: int, total: int) -> None:
    pass


def read(upload: Upload, *, ocr: bool):
    return parse(upload, chunk_tokens=256, report=quiet, ocr=ocr)


def test_it_is_off_unless_it_is_asked_for():
    assert recognition(wanted=False) == OFF and OFF.engine is None
    document = read(HALF, ocr=False)
    assert document.notes == ("page 2 holds no text",)
    assert [page.recognised for page in document.pages] == [False, False]


def test_a_scanned_page_is_recognised_and_marked_and_the_others_stay_as_they_are():
    document = read(HALF, ocr=True)
    assert document.notes == ("the text of page 2 is recognised from images (OCR) and may be wrong",)
    assert [(page.text, page.recognised) for page in document.pages] == [
        ("Alder plc annual report 2023", False),
        ("Net sales were 1,284 million", True),
    ]
    assert [passage.place for passage in document.passages] == ["p. 1", "p. 2 (recognised text)"]
    assert document.pages[0].offsets and document.pages[1].offsets == ()


def test_a_file_of_images_alone_is_read():
    document = read(Upload("scan.pdf", pdf("Net sales 88", "Costs (12)", scanned={1, 2})), ocr=True)
    assert [page.text for page in document.pages] == ["Net sales 88", "Costs (12)"]


def test_pages_that_show_no_text_are_named_all_the_same(odd):
    document = read(Upload("blank.pdf", pdf("Net sales 88", "")), ocr=True)
    assert document.notes == ("page 2 holds no text, and none is recognised",)
    with pytest.raises(NoText, match="recognition finds none either"):
        read(odd("image_only.pdf"), ocr=True)


def test_without_its_package_the_notes_say_what_to_install(odd, monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    (note,) = read(HALF, ocr=True).notes
    assert note.startswith("page 2 holds no text; ") and "pip install -r requirements-ocr.txt" in note
    with pytest.raises(NoText, match=r"pip install -r requirements-ocr\.txt"):
        read(odd("image_only.pdf"), ocr=True)


def test_where_it_is_off_a_scan_says_how_to_turn_it_on(odd):
    with pytest.raises(NoText, match="TRACEBOOK_OCR=true"):
        read(odd("image_only.pdf"), ocr=False)


def test_recognition_keeps_to_the_time_that_a_file_has():
    pages = ["Net sales were 1,284 million and costs were 740 million.\n" * 50] * 6
    pool = ReaderPool(workers=1, seconds=2, megabytes=50, chunk_tokens=256, ocr=True)
    *told, end = pool.read([Upload("long.pdf", pdf(*pages, scanned=range(1, 7)))])
    pool.close()
    assert "took longer than 2 seconds" in end.error
    assert all(progress.done < 6 for progress in told)
