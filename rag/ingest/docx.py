"""Word documents: paragraphs and tables in the order of the document."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from rag.errors import BadFile, TooLong
from rag.ingest.paging import Block, paginate
from rag.ingest.reading import Reading

if TYPE_CHECKING:
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    from rag.ports import Report

_HEADING_STYLE = re.compile(r"^(?:heading|überschrift|titre)\s*([1-9])$", re.I)
_UNPACKED = 500 << 20  # bytes; a larger one is no report but an attack on memory


class DocxReader:
    def read(self, data: bytes, report: Report) -> Reading:
        """Pages by the document's own page breaks, else estimated; a table row is a line, its cells parted by " | "."""
        import docx
        from docx.opc.exceptions import OpcError
        from lxml.etree import LxmlError

        try:
            _check_size(data)
            document = docx.Document(io.BytesIO(data))
            blocks = list(_blocks(document.iter_inner_content()))
        except (OpcError, LxmlError, BadZipFile, KeyError, ValueError) as error:
            raise BadFile("It is damaged and cannot be opened as a Word document. Save it again in Word.") from error
        reading = paginate(blocks)
        report(len(reading.pages), len(reading.pages))
        return reading


def _check_size(data: bytes) -> None:
    from zipfile import ZipFile

    with ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > _UNPACKED:
            raise TooLong("It unpacks to more than 500 MB. Remove its pictures or split it.")


def _blocks(content: Iterator[Paragraph | Table]) -> Iterator[Block]:
    from docx.table import Table

    for item in content:
        if isinstance(item, Table):
            yield from _rows(item)
        else:
            yield from _paragraph(item)


def _paragraph(paragraph: Paragraph) -> Iterator[Block]:
    style = paragraph.style.name if paragraph.style else None
    found = _HEADING_STYLE.match(style or "")
    level = int(found[1]) if found else 1 if style == "Title" else None
    breaks = paragraph.paragraph_format.page_break_before or False
    for number, part in enumerate(_parts(paragraph)):
        yield Block(part, level if part.strip() else None, breaks or number > 0)


def _parts(paragraph: Paragraph) -> list[str]:
    """The paragraph's text, cut at hard page breaks."""
    from docx.oxml.ns import qn

    parts = [""]
    for run in paragraph.runs:
        for child in run._r:
            if child.tag == qn("w:br") and child.get(qn("w:type")) == "page":
                parts.append("")
            elif child.tag in (qn("w:br"), qn("w:cr")):
                parts[-1] += "\n"
            elif child.tag == qn("w:tab"):
                parts[-1] += " "
            elif child.tag in (qn("w:t"), qn("w:noBreakHyphen")):
                parts[-1] += child.text or "-"
    return parts if len(parts) > 1 else [paragraph.text]


def _rows(table: Table) -> Iterator[Block]:
    for number, row in enumerate(table.rows):
        cells: list[str] = []
        before = None
        for cell in row.cells:
            if cell._tc is not before:  # a merged cell comes once for each column that it spans
                cells.append(" ".join(cell.text.split()))
            before = cell._tc
        yield Block(" | ".join(cells), close=number > 0)
