import io
from itertools import pairwise

from ingest_make import pdf
from PIL import Image

from rag.ingest.images import page_image
from rag.ingest.parse import parse
from rag.ingest.upload import Upload
from rag.types import Page, Passage

LINES = "\n".join(f"Line {n} of the page tells of sales and costs in the year." for n in range(40))


def image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def amber(picture: Image.Image) -> list[int]:
    """Rows of pixels with the mark's colour."""
    width, height = picture.size
    return [y for y in range(height) if any(picture.getpixel((x, y)) == (255, 225, 130) for x in range(0, width, 7))]


def test_a_page_is_drawn_at_its_scale_without_a_mark():
    data = pdf(LINES)
    document = parse(Upload("a.pdf", data), chunk_tokens=256, report=lambda done, total: None)
    small, large = (image(page_image(data, document.pages[0], scale=scale)) for scale in (0.5, 1.0))
    assert abs(large.width - 2 * small.width) <= 1
    assert amber(large) == []


def test_the_mark_covers_the_passages_lines_and_no_others():
    data = pdf(LINES)
    document = parse(Upload("a.pdf", data), chunk_tokens=128, report=lambda done, total: None)
    heights = [amber(image(page_image(data, document.pages[0], mark=mark, scale=1))) for mark in document.passages]
    assert len(heights) > 2
    for above, below in pairwise(heights):
        assert above and below and max(above) <= min(below) + 4


def test_a_page_without_offsets_is_drawn_without_a_mark():
    data = pdf(LINES)
    mark = Passage("d:0", "d", 1, "1", 0, 4, "Line")
    assert amber(image(page_image(data, Page(1, "1", LINES), mark=mark))) == []


def test_a_huge_scale_is_held_in_bounds():
    data = pdf("One")
    assert max(image(page_image(data, Page(1, "1", "One"), scale=1000)).size) <= 4001


def test_what_pdfium_cannot_draw_has_no_image():
    assert page_image(b"%PDF-1.7 damaged", Page(1, "1", "One")) is None
    assert page_image(pdf("One"), Page(2, "2", "Two")) is None
