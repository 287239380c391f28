"""What every engine of text recognition promises."""

import io

import numpy as np
import pypdfium2
import pytest

from rag.ingest.ocr import RapidOcr, picture
from rag.ports import Ocr
from tests.ingest.ingest_make import pdf

STATEMENT = "Consolidated statement of income\nNet sales 1,284.5 1,190.2\nCost of sales (740.1) (702.9)"


@pytest.fixture(scope="module", params=[RapidOcr])
def ocr(request: pytest.FixtureRequest) -> Ocr:
    return request.param()


def drawn(text: str) -> np.ndarray:
    document = pypdfium2.PdfDocument(io.BytesIO(pdf(text)))
    try:
        return picture(document[0])
    finally:
        document.close()


def test_a_statement_keeps_its_rows_figures_and_brackets(ocr):
    assert ocr.recognise(drawn(STATEMENT)) == STATEMENT


def test_the_same_image_gives_the_same_text(ocr):
    image = drawn(STATEMENT)
    assert ocr.recognise(image) == ocr.recognise(image)


def test_a_lone_line_on_a_page_is_seen(ocr):
    assert ocr.recognise(drawn("Net sales 88")) == "Net sales 88"


def test_nothing_is_recognised_where_nothing_is(ocr):
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 255, (300, 200, 3), np.uint8)
    for image in (drawn(""), noise, np.zeros((1, 1, 3), np.uint8), noise[:1], noise[:, :1]):
        assert ocr.recognise(image) == ""
