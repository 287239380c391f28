"""The text in a Word document's XML, in the order in which it is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rag.ingest.paging import Block

if TYPE_CHECKING:
    from docx.document import Document

Element = Any  # of lxml, which ships no types

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING_STYLE = re.compile(r"^(?:heading|überschrift|titre)\s*([1-9])$", re.I)
_WRAPPERS = {"sdt", "sdtContent", "customXml", "ins", "moveTo"}  # content controls, tracked insertions
_SIGNS = {"tab": " ", "ptab": " ", "cr": "\n", "noBreakHyphen": "-"}
_LEFT_OUT = {
    "del": "tracked deletions",
    "moveFrom": "tracked deletions",
    "commentReference": "comments",
    "altChunk": "embedded files",
    "object": "embedded files",
}
_OFF = {"0", "false", "off"}


class WordText:
    """Paragraphs, table rows, text boxes and foot- and endnotes; `left_out` tells what of it was not taken."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._notes = dict(_notes(document))
        self._aside: list[Element] = []  # text boxes and notes met in a paragraph, to be read after it
        self.left_out: set[str] = {"headers and footers"} if _has_running_lines(document) else set()

    def blocks(self) -> Iterator[Block]:
        return self._blocks(self._document.element.body)

    def _blocks(self, container: Element) -> Iterator[Block]:
        for child in container.iterchildren("*"):
            match _name(child):
                case "p":
                    yield from self._paragraph(child)
                    yield from self._asides()
                case "tbl":
                    yield from self._table(child)
                    yield from self._asides()
                case "AlternateContent":
                    yield from self._blocks(child[0]) if len(child) else ()
                case name if name in _LEFT_OUT:
                    self.left_out.add(_LEFT_OUT[name])
                case _ if not _is_prompt(child):
                    yield from self._blocks(child)

    def _asides(self) -> Iterator[Block]:
        while self._aside:
            yield from self._blocks(self._aside.pop(0))

    def _paragraph(self, element: Element) -> Iterator[Block]:
        from docx.text.paragraph import Paragraph

        paragraph = Paragraph(element, self._document._body)
        style = paragraph.style.name if paragraph.style else None
        found = _HEADING_STYLE.match(style or "")
        level = int(found[1]) if found else 1 if style == "Title" else None
        breaks = paragraph.paragraph_format.page_break_before or False
        for number, part in enumerate(self._text(element).split("\f")):
            yield Block(part.strip(" "), level if part.strip() else None, breaks or number > 0)

    def _table(self, table: Element) -> Iterator[Block]:
        above: dict[int, str] = {}  # by column of the grid
        close = False
        for row in _parts(table, "tr"):
            if row.find(f"{_W}trPr/{_W}del") is not None:
                self.left_out.add("tracked deletions")
                continue
            cells = list(_parts(row, "tc"))
            inner = [nested for cell in cells for nested in _parts(cell, "tbl")]
            if inner and len(cells) == 1:  # a frame around text
                yield from self._blocks(cells[0])
                continue
            yield Block(" | ".join(self._cells(cells, above)), close=close)
            for nested in inner:
                yield from self._table(nested)
            close = True

    def _cells(self, cells: list[Element], above: dict[int, str]) -> Iterator[str]:
        column = 0
        for cell in cells:
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            if merged is None or merged.get(f"{_W}val") == "restart":
                above[column] = " ".join(" ".join(map(self._text, _parts(cell, "p"))).split())
            yield above.get(column, "")
            span = cell.find(f"{_W}tcPr/{_W}gridSpan")
            column += 1 if span is None else int(span.get(f"{_W}val", 1))

    def _text(self, element: Element) -> str:
        """A hard page break is a form feed, which no XML holds otherwise."""
        name = _name(element)
        if name == "t":
            return element.text or ""
        if name == "br":
            return "\f" if element.get(f"{_W}type") == "page" else "\n"
        if name in _LEFT_OUT:
            self.left_out.add(_LEFT_OUT[name])
        elif name == "r" and _is_hidden(element):
            self.left_out.add("hidden text")
        elif name in ("drawing", "pict") and next(element.iter(f"{_W}txbxContent"), None) is None:
            self.left_out.add("pictures")
        elif name == "txbxContent":
            self._aside.append(element)
        elif name in ("footnoteReference", "endnoteReference"):
            note = self._notes.pop((name.removesuffix("Reference"), element.get(f"{_W}id")), None)
            self._aside.extend([] if note is None else [note])
        elif name == "AlternateContent":  # the same in several forms, the best first
            return self._text(element[0]) if len(element) else ""
        elif not name.endswith("Pr") and not _is_prompt(element):
            return _SIGNS.get(name) or "".join(map(self._text, element.iterchildren("*")))
        return ""


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _parts(element: Element, name: str) -> Iterator[Element]:
    """Children of this name, those inside wrappers included."""
    for child in element.iterchildren("*"):
        if _name(child) == name:
            yield child
        elif _name(child) in _WRAPPERS and not _is_prompt(child):
            yield from _parts(child, name)


def _is_prompt(element: Element) -> bool:
    """Whether it is a content control that nobody has filled in: "Click here to enter text"."""
    return element.find(f"{_W}sdtPr/{_W}showingPlcHdr") is not None


def _is_hidden(run: Element) -> bool:
    vanish = run.find(f"{_W}rPr/{_W}vanish")
    return vanish is not None and vanish.get(f"{_W}val") not in _OFF


def _notes(document: Document) -> Iterator[tuple[tuple[str, str], Element]]:
    """Each footnote and endnote by its kind and id."""
    from docx.oxml.parser import parse_xml

    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(("/footnotes", "/endnotes")):
            for note in parse_xml(relation.target_part.blob).iterchildren("*"):
                yield (_name(note), note.get(f"{_W}id")), note


def _has_running_lines(document: Document) -> bool:
    from docx.oxml.parser import parse_xml

    parts = (
        relation.target_part
        for relation in document.part.rels.values()
        if not relation.is_external and relation.reltype.endswith(("/header", "/footer"))
    )
    return any((text.text or "").strip() for part in parts for text in parse_xml(part.blob).iter(f"{_W}t"))
