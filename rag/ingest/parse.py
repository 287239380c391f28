"""Bytes to a parsed document: everything that one upload stores."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rag.errors import BadFile
from rag.ingest.card import read_card
from rag.ingest.chunking import cut
from rag.ingest.docx import DocxReader
from rag.ingest.headings import find_headings, follow
from rag.ingest.html import HtmlReader
from rag.ingest.ocr import recognition
from rag.ingest.pdf import PdfReader
from rag.ingest.reading import Heading, Reading
from rag.ingest.searching import search_texts
from rag.ingest.sniff import sniff
from rag.ingest.statements import find_statements
from rag.ingest.text import MarkdownReader, TextReader
from rag.ingest.upload import Upload
from rag.ports import Report
from rag.types import Media, Page, ParsedDocument, Passage

_READERS: dict[Media, DocxReader | HtmlReader | MarkdownReader | TextReader] = {
    "docx": DocxReader(),
    "html": HtmlReader(),
    "markdown": MarkdownReader(),
    "text": TextReader(),
}
_HEAD_LINES, _HEAD_WIDTH = 8, 60  # more, and longer lines than these, are text


def parse(upload: Upload, *, chunk_tokens: int, report: Report, ocr: bool = False) -> ParsedDocument:
    """The whole document, with `ocr` the text of scanned pages as well.

    Raises a `BadFile` whose message names the file and says what to do.
    """
    media = sniff(upload)
    reader = PdfReader(upload.password, recognition(wanted=ocr)) if media == "pdf" else _READERS[media]
    try:
        reading = reader.read(upload.data, report)
    except BadFile as error:
        raise type(error)(f"{upload.file} cannot be used. {error}") from error
    return _assemble(upload, media, reading, chunk_tokens)


def _assemble(upload: Upload, media: Media, reading: Reading, chunk_tokens: int) -> ParsedDocument:
    document_id = upload.sha256[:16]
    found = zip(reading.pages, find_statements(reading.pages, estimated=media != "pdf"), strict=True)
    pages = tuple(replace(page, statement=statement) for page, statement in found)
    headings = find_headings(replace(reading, pages=pages), guess=media in ("pdf", "text"))
    passages = tuple(_passages(document_id, pages, headings, chunk_tokens))
    card = read_card(pages, upload.file)
    return ParsedDocument(
        id=document_id,
        sha256=upload.sha256,
        file=upload.file,
        media=media,
        card=card,
        pages=pages,
        passages=passages,
        search=tuple(search_texts(passages, pages, card)),
        notes=reading.notes,
    )


def _passages(
    document_id: str, pages: Sequence[Page], headings: Sequence[Heading], chunk_tokens: int
) -> Iterator[Passage]:
    trail: tuple[Heading, ...] = ()
    coming = list(reversed(headings))
    ordinal = 0
    for page in pages:
        here = [heading for heading in headings if heading.page == page.number]
        for span in cut(page.text, chunk_tokens, [(heading.start, heading.end) for heading in here]):
            trail = _read_up_to(page.number, _first_text(page.text, span.start, here), coming, trail)
            yield Passage(
                id=f"{document_id}:{ordinal}",
                document_id=document_id,
                page=page.number,
                label=page.label,
                start=span.start,
                end=span.end,
                text=page.text[span.start : span.end],
                headings=tuple(heading.title for heading in trail),
                statement=page.statement,
                tokens=span.tokens,
                recognised=page.recognised,
            )
            ordinal += 1
            trail = _read_up_to(page.number, span.end, coming, trail)


def _first_text(text: str, start: int, headings: Sequence[Heading]) -> int:
    """Where the passage's own text begins: headings at its head belong to its trail, behind running lines, too."""
    for heading in headings:
        if heading.start >= start:
            before = text[start : heading.start].split("\n")
            if len(before) > _HEAD_LINES or max(map(len, before)) > _HEAD_WIDTH:
                break
            start = heading.end
    return start


def _read_up_to(page: int, offset: int, coming: list[Heading], trail: tuple[Heading, ...]) -> tuple[Heading, ...]:
    while coming and (coming[-1].page, coming[-1].start) < (page, offset):
        trail = follow(trail, coming.pop())
    return trail
