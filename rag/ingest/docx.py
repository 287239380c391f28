"""Word documents, page by page."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from rag.errors import BadFile, TooLong
from rag.ingest.paging import paginate
from rag.ingest.reading import Reading
from rag.ingest.word import WordText

if TYPE_CHECKING:
    from rag.ports import Report

_UNPACKED = 500 << 20  # bytes; a larger one is no report but an attack on memory
_DAMAGED = (AttributeError, KeyError, RecursionError, ValueError)  # python-docx raises them over XML that is not Word's


class DocxReader:
    def read(self, data: bytes, report: Report) -> Reading:
        """Pages by the document's own page breaks, else estimated; a table row is a line, its cells parted by " | ".

        Notes follow the paragraph that they belong to. What is left out is told in the reading's notes.
        """
        import docx
        from docx.opc.exceptions import OpcError
        from docx.oxml.exceptions import XmlchemyError
        from lxml.etree import LxmlError

        try:
            _check_size(data)
            text = WordText(docx.Document(io.BytesIO(data)))
            blocks = list(text.blocks())
        except (OpcError, XmlchemyError, LxmlError, BadZipFile, *_DAMAGED) as error:
            raise BadFile("It is damaged and cannot be opened as a Word document. Save it again in Word.") from error
        left_out = (f"left out: {', '.join(sorted(text.left_out))}",) if text.left_out else ()
        reading = paginate(blocks, left_out)
        report(len(reading.pages), len(reading.pages))
        return reading


def _check_size(data: bytes) -> None:
    from zipfile import ZipFile

    with ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > _UNPACKED:
            raise TooLong("It unpacks to more than 500 MB. Remove its pictures or split it.")
