"""Plain text and Markdown."""

import codecs
import re
from collections.abc import Iterator
from itertools import groupby

from rag.ingest.paging import Block, paginate
from rag.ingest.reading import Reading
from rag.ports import Report

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n+")
_HEADING = re.compile(r"^(#{1,6})\s+(\S.*?)\s*#*$")


class TextReader:
    def read(self, data: bytes, report: Report) -> Reading:
        """Pages; a form feed breaks a page. The notes name an encoding that is a guess."""
        text, notes = decode(data)
        reading = paginate(_blocks(text, markdown=False), notes)
        report(len(reading.pages), len(reading.pages))
        return reading


class MarkdownReader:
    def read(self, data: bytes, report: Report) -> Reading:
        """Pages as of plain text, with the lines that begin with # as headings."""
        text, notes = decode(data)
        reading = paginate(_blocks(text, markdown=True), notes)
        report(len(reading.pages), len(reading.pages))
        return reading


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text, and a note where its encoding is a guess. No byte is left out."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data.decode(encoding, errors="replace").removeprefix("\ufeff"), ()
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        text, encoding = _guess(data)
        return text, (f"read as {encoding}, which is a guess",)


def _guess(data: bytes) -> tuple[str, str]:
    """Western Windows text where it decodes, as most reports are; else the likeliest of all encodings."""
    try:
        return data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        from charset_normalizer import from_bytes

        best = from_bytes(data).best()
        return (str(best), best.encoding) if best else (data.decode("latin-1"), "latin-1")


def _blocks(text: str, *, markdown: bool) -> list[Block]:
    blocks = []
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, sheet in enumerate(text.split("\f")):
        new_page = number > 0
        for paragraph in _PARAGRAPHS.split(sheet):
            for block in _paragraph(paragraph, markdown):
                blocks.append(Block(block.text, block.level, new_page, block.close))
                new_page = False
    return blocks


def _paragraph(paragraph: str, markdown: bool) -> Iterator[Block]:
    """Heading lines as blocks of their own, the lines between them together."""
    first = True
    for level, group in groupby(paragraph.split("\n"), _level if markdown else lambda _: None):
        lines = list(group)
        for text in (_HEADING.sub(r"\2", line) for line in lines) if level else ("\n".join(lines),):
            yield Block(text, level, close=not first)
            first = False


def _level(line: str) -> int | None:
    found = _HEADING.match(line)
    return len(found[1]) if found else None
