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
_MARK, _BREAK = "\u2063", "\u2064"  # stand for a heading and a page break while the page becomes text
_BREAK_STYLE = re.compile(r"(?:page-)?break-(before|after)\s*:\s*(?:always|page|left|right)", re.I)
_HIDING_STYLE = re.compile(r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\b", re.I)
_EDGES, _CELLS = re.compile(r"^[\s|]+|[\s|]+$"), re.compile(r"(?:\s*\|)+\s*")
_SPLIT_FIGURE = re.compile(r"(?<=[$€£(]) \| | \| (?=[)%])")  # the signs of a figure have cells of their own in filings
_HEADING = re.compile(rf"{_MARK}([1-6])\s*(.*)")


class HtmlReader:
    def read(self, data: bytes, report: Report) -> Reading:
        """Pages by the breaks that it prints with, else estimated; h1 to h6 as headings; what is hidden is left out."""
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
    for element in tree.xpath("//*[@hidden or @aria-hidden or @style]"):
        if not _is_hidden(element):
            continue
        if element is tree:
            element.clear()
        else:
            element.drop_tree()
    for element in tree.xpath("//h1|//h2|//h3|//h4|//h5|//h6"):
        element.text = f"{_MARK}{element.tag[1]} {element.text or ''}"
    for element in tree.xpath("//*[contains(@style, 'break-')]"):
        found = _BREAK_STYLE.search(element.get("style"))
        if found and found[1].lower() == "after":
            element.tail = f"{_BREAK} {element.tail or ''}"
        elif found:
            element.text = f"{_BREAK} {element.text or ''}"


def _is_hidden(element: HtmlElement) -> bool:
    """Whether no reader sees it; nobody could check what is cited from there."""
    said = element.get("aria-hidden", "").strip().lower() == "true" or element.get("hidden") is not None
    return said or bool(_HIDING_STYLE.search(element.get("style", "")))


def _blocks(plain: str) -> list[Block]:
    blocks: list[Block] = []
    gap, new_page = True, False
    for line in plain.split("\n"):
        new_page |= _BREAK in line
        bare = _SPLIT_FIGURE.sub("", _CELLS.sub(" | ", _EDGES.sub("", line.replace(_BREAK, ""))))
        if not bare:
            gap = True
            continue
        found = _HEADING.match(bare)
        text, level = (found[2], int(found[1])) if found else (bare, None)
        blocks.append(Block(text.replace(_MARK, ""), level, new_page, close=not gap))
        gap = new_page = False
    return blocks
