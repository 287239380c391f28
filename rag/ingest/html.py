"""HTML pages as text, tables row by row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rag.errors import BadFile
from rag.ingest.paging import Block, paginate
from rag.ingest.reading import Reading
from rag.ingest.text import decode

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from rag.ports import Report

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{3,40})", re.I)
_MARK = "\u2063"  # invisible separator: stands before a heading's level while the page becomes text
_HEADING = re.compile(rf"{_MARK}([1-6])\s*(.*)")


class HtmlReader:
    def read(self, data: bytes, report: Report) -> Reading:
        """Pages of estimated length; scripts, styles and hidden parts left out, h1 to h6 as headings."""
        from inscriptis.html_engine import Inscriptis
        from inscriptis.model.config import ParserConfig
        from lxml.etree import LxmlError
        from lxml.html import fromstring

        text, notes = _decode(data)
        try:
            tree = fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text.replace("\x00", "")))
            _prepare(tree)
            plain = Inscriptis(tree, ParserConfig(table_cell_separator=" | ")).get_text()
        except (LxmlError, ValueError, RecursionError) as error:
            raise BadFile("It cannot be read as an HTML page. Save it again from the browser.") from error
        reading = paginate(_blocks(plain), notes)
        report(len(reading.pages), len(reading.pages))
        return reading


def _decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    said = _CHARSET.search(data[:4096])
    if said and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            return data.decode(said[1].decode("ascii")), ()
        except (LookupError, UnicodeDecodeError):
            pass  # it says one thing and holds another
    return decode(data)


def _prepare(tree: HtmlElement) -> None:
    for element in tree.xpath("//script|//style|//noscript|//template|//*[name()='ix:header']"):
        element.drop_tree()
    for element in tree.xpath("//h1|//h2|//h3|//h4|//h5|//h6"):
        element.text = f"{_MARK}{element.tag[1]} {element.text or ''}"


def _blocks(plain: str) -> list[Block]:
    blocks: list[Block] = []
    gap = True
    for line in plain.split("\n"):
        bare = re.sub(r"(?:\s*\|\s*)+$|^(?:\s*\|\s*)+", "", line).strip()
        if not bare:
            gap = True
            continue
        found = _HEADING.match(bare)
        text, level = (found[2], int(found[1])) if found else (bare, None)
        blocks.append(Block(text.replace(_MARK, ""), level, close=not gap))
        gap = False
    return blocks
