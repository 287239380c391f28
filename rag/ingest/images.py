"""A PDF page as an image, with a passage marked on it."""

from __future__ import annotations

import io
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from rag.ingest.clean import raw_index
from rag.types import Page, Passage

if TYPE_CHECKING:
    from pypdfium2 import PdfBitmap, PdfPage

_AMBER = (255, 225, 130)  # multiplied with the page, so that its text stays black
_LARGEST = 4000  # pixels of the longer side
_MARGIN = 1.5  # points around the characters


class Box(NamedTuple):
    """In points of the page, its origin at the bottom left."""

    left: float
    bottom: float
    right: float
    top: float


def page_image(data: bytes, page: Page, *, mark: Passage | None = None, scale: float = 1.5) -> bytes | None:
    """PNG of the page at `scale` times 72 dots an inch, the lines of the passage tinted.

    None: PDFium cannot draw it. It is not thread-safe, so this is for processes that do one thing at a time.
    """
    import pypdfium2

    with suppress(pypdfium2.PdfiumError, IndexError):  # another reader may have found more in it
        document = pypdfium2.PdfDocument(data)
        try:
            sheet = document[page.number - 1]
            bitmap = sheet.render(scale=min(scale, _LARGEST / max(sheet.get_size())))
            boxes = _to_pixels(_lines(_characters(sheet, page, mark)), sheet, bitmap) if mark and page.offsets else []
            return _png(bitmap, boxes)
        finally:
            document.close()
    return None


def _characters(sheet: PdfPage, page: Page, mark: Passage) -> list[Box]:
    """Boxes of the passage's characters, in the order of the text."""
    text_page = sheet.get_textpage()
    try:
        known = text_page.count_chars()
        indices = (raw_index(page.offsets, at) for at in range(mark.start, mark.end) if not page.text[at].isspace())
        return [Box(*text_page.get_charbox(index)) for index in dict.fromkeys(indices) if index < known]
    finally:
        text_page.close()


def _lines(boxes: Iterable[Box]) -> list[Box]:
    """One box for each line: neighbours that stand at the same height become one."""
    lines: list[Box] = []
    for box in boxes:
        if box.right <= box.left or box.top <= box.bottom:
            continue
        if lines and min(lines[-1].top, box.top) - max(lines[-1].bottom, box.bottom) > 0:
            last = lines[-1]
            box = Box(min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3]))
            lines.pop()
        lines.append(box)
    return lines


def _to_pixels(boxes: Iterable[Box], sheet: PdfPage, bitmap: PdfBitmap) -> list[tuple[int, int, int, int]]:
    """Left, top, right, bottom; the page may be rotated or cropped."""
    converter = bitmap.get_posconv(sheet)
    pixels = []
    for box in boxes:
        x1, y1 = converter.to_bitmap(box.left - _MARGIN, box.bottom - _MARGIN)
        x2, y2 = converter.to_bitmap(box.right + _MARGIN, box.top + _MARGIN)
        pixels.append((min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
    return pixels


def _png(bitmap: PdfBitmap, boxes: Iterable[tuple[int, int, int, int]]) -> bytes:
    from PIL import Image, ImageChops, ImageDraw

    image = bitmap.to_pil().convert("RGB")
    layer = Image.new("RGB", image.size, "white")
    draw = ImageDraw.Draw(layer)
    for box in boxes:
        draw.rectangle(box, fill=_AMBER)
    out = io.BytesIO()
    ImageChops.multiply(image, layer).save(out, "PNG")
    return out.getvalue()
