"""Values of `rag.types` to rows of the tables and back."""

import json
import re
from array import array
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rag.types import Card, Document, Page, ParsedDocument, Passage, SearchText

_WORD = re.compile(r"\w+")

DOCUMENT = """
    id, file, sha256, media, card, notes, pages, passages, tokens, added_at,
    (SELECT count(*) FROM documents AS other WHERE other.file = documents.file AND other.number <= documents.number)"""
PAGE = "pages.number, label, statement, offsets, text, recognised"
PASSAGE = """
    row, documents.id, row - documents.first, passages.page, pages.label, start, stop,
    substr(pages.text, start + 1, stop - start), headings, passages.statement, passages.tokens, recognised"""


def check(parsed: ParsedDocument) -> None:
    """Raises `ValueError` where the parts do not fit together: what the tables rely on."""
    texts = {page.number: page.text for page in parsed.pages}
    if len(parsed.search) != len(parsed.passages):
        raise ValueError(f"{len(parsed.passages)} passages, but search text for {len(parsed.search)}.")
    for ordinal, passage in enumerate(parsed.passages):
        if passage.id != f"{parsed.id}:{ordinal}":
            raise ValueError(f"Passage {ordinal} is called {passage.id!r}; it takes '{parsed.id}:{ordinal}'.")
        if texts[passage.page][passage.start : passage.end] != passage.text:
            raise ValueError(f"Passage {passage.id!r} is not the text of its span.")


def document_row(parsed: ParsedDocument, first: int, added_at: str) -> tuple[object, ...]:
    return (
        *(parsed.id, parsed.sha256, parsed.file, parsed.media, card_to_json(parsed.card), json.dumps(parsed.notes)),
        *(len(parsed.pages), len(parsed.passages), sum(passage.tokens for passage in parsed.passages), first, added_at),
    )


def page_rows(parsed: ParsedDocument, document: int) -> Iterator[tuple[object, ...]]:
    for page in parsed.pages:
        offsets = array("I", [number for pair in page.offsets for number in pair]).tobytes()
        yield document, page.number, page.label, page.statement, offsets, page.text, page.recognised


def passage_rows(parsed: ParsedDocument, document: int, first: int) -> Iterator[tuple[object, ...]]:
    for row, (passage, search) in enumerate(zip(parsed.passages, parsed.search, strict=True), first):
        place = (row, document, passage.page, passage.start, passage.end)
        yield *place, passage.tokens, length(search), passage.statement, json.dumps(passage.headings)


def length(search: SearchText) -> int:
    return len(_WORD.findall(search.heading)) + len(_WORD.findall(search.body))


def card_to_json(card: Card) -> str:
    return json.dumps(asdict(card))


def document(row: tuple[Any, ...], embedded: int, *, waits: bool) -> Document:
    """`waits`: passages without a vector make the document wait for them."""
    id, file, sha256, media, card, notes, pages, passages, tokens, added_at, version = row
    values = json.loads(card)
    return Document(
        id=id,
        file=file,
        sha256=sha256,
        media=media,
        card=Card(**{**values, "aliases": tuple(values["aliases"])}),
        pages=pages,
        passages=passages,
        tokens=tokens,
        embedded=embedded,
        state="embedding" if waits and embedded < passages else "ready",
        added_at=added_at,
        notes=tuple(json.loads(notes)),
        version=version,
    )


def page(row: tuple[Any, ...]) -> Page:
    number, label, statement, offsets, text, recognised = row
    numbers = array("I", offsets)
    runs = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    return Page(number, label, text, runs, statement, bool(recognised))


def passage(row: tuple[Any, ...]) -> Passage:
    _, document, ordinal, page, label, start, end, text, headings, statement, tokens, recognised = row
    trail = tuple(json.loads(headings))
    span = (f"{document}:{ordinal}", document, page, label, start, end)
    return Passage(*span, text, trail, statement, tokens, bool(recognised))
