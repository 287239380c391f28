"""Read files made by hand: each page one passage, or several where it is given as a list of them."""

from hashlib import sha256

from rag.types import Card, Page, ParsedDocument, Passage, SearchText
from rag.words import fold, tokens


def read_file(*pages: str | list[str], file: str = "report.txt", headings: tuple[str, ...] = ()) -> ParsedDocument:
    """What ingestion would give for a file of these pages; the bytes to store it with are `as_bytes` of it."""
    parts = [[page] if isinstance(page, str) else page for page in pages]
    key = sha256("\f".join("\n".join(part) for part in parts).encode()).hexdigest()
    passages: list[Passage] = []
    for number, texts in enumerate(parts, 1):
        start = 0
        for text in texts:
            passages.append(
                Passage(
                    id=f"{key[:16]}:{len(passages)}",
                    document_id=key[:16],
                    page=number,
                    label=str(number),
                    start=start,
                    end=start + len(text),
                    text=text,
                    headings=headings,
                    tokens=len(tokens(text)),
                )
            )
            start += len(text) + 1
    return ParsedDocument(
        id=key[:16],
        sha256=key,
        file=file,
        media="text",
        card=Card(),
        pages=tuple(Page(number, str(number), "\n".join(texts)) for number, texts in enumerate(parts, 1)),
        passages=tuple(passages),
        search=tuple(SearchText(fold(passage.text), fold(" ".join(headings))) for passage in passages),
    )


def as_bytes(parsed: ParsedDocument) -> bytes:
    return "\f".join(page.text for page in parsed.pages).encode()
