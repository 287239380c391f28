"""Pages of a PDF: PDFium for text, labels and outline; pypdf where PDFium cannot open the file."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from rag.errors import BadFile, NeedsPassword, NoText
from rag.ingest.clean import Runs, clean, vocabulary
from rag.ingest.reading import Heading, Reading
from rag.types import Page

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

    from rag.ports import Report

_HYPHEN = re.compile("[\ufffe\x02]")
_NOT_WORD = re.compile(r"[\W_]+")


class PdfReader:
    def read(self, data: bytes, report: Report) -> Reading:
        """Pages with their printed labels; pages without text are named in the notes.

        Raises `NeedsPassword`, `NoText` for a scan, and `BadFile` for what neither library opens.
        """
        import pypdfium2

        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as error:
            if getattr(error, "err_code", None) == pypdfium2.raw.FPDF_ERR_PASSWORD:
                raise NeedsPassword("It is protected by a password. Save a copy without one and upload that.") from None
            return _finish(_read_with_pypdf(data, report), notes=("read with the second PDF library",))
        try:
            pages = _read_with_pdfium(document, report)
            return _finish(pages, headings=_outline(document, pages))
        finally:
            document.close()


def _finish(pages: tuple[Page, ...], headings: tuple[Heading, ...] = (), notes: tuple[str, ...] = ()) -> Reading:
    empty = [page.number for page in pages if not page.text.strip()]
    if len(empty) == len(pages):
        raise NoText("It holds no readable text: a scan without a text layer. Run text recognition (OCR) on it.")
    if empty:
        shown = ", ".join(map(str, empty[:12])) + (" and others" if len(empty) > 12 else "")
        notes += (f"{'page' if len(empty) == 1 else 'pages'} {shown} hold{'s' * (len(empty) == 1)} no text",)
    return Reading(pages, notes, headings)


def _read_with_pdfium(document: PdfDocument, report: Report) -> tuple[Page, ...]:
    raw: list[tuple[str, list[int] | None]] = []
    for index in range(len(document)):
        raw.append(_page_text(document, index))
        report(index + 1, len(document))
    words = vocabulary([text for text, _ in raw]) if any(_HYPHEN.search(text) for text, _ in raw) else frozenset()
    pages = []
    for index, (text, characters) in enumerate(raw):
        cleaned = clean(text, words)
        runs = _through(cleaned.runs, len(cleaned.text), characters) if characters else cleaned.runs
        label = document.get_page_label(index) or str(index + 1)
        pages.append(Page(index + 1, label, cleaned.text, runs))
    return tuple(pages)


def _page_text(document: PdfDocument, index: int) -> tuple[str, list[int] | None]:
    """The page's raw text, and the PDFium character index of each of its characters where the two differ."""
    import pypdfium2

    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return "", None  # a damaged page; the notes name it
    text_page = page.get_textpage()
    try:
        text = text_page.get_text_range(errors="surrogatepass")
        return text, None if len(text) == text_page.count_chars() else _characters(text_page, text)
    finally:
        text_page.close()
        page.close()


def _characters(text_page: PdfTextPage, text: str) -> list[int]:
    import pypdfium2.raw as pdfium

    first = 0
    while first < text_page.count_chars() and pdfium.FPDFText_GetTextIndexFromCharIndex(text_page, first) == -1:
        first += 1
    units = 0
    indices = []
    for character in text:
        indices.append(max(pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, units), first))
        units += 2 if ord(character) > 0xFFFF else 1
    return indices


def _through(runs: Runs, length: int, characters: list[int]) -> Runs:
    """The same runs, with raw indices seen through the list of character indices."""
    result: list[tuple[int, int]] = []
    for (start, index), (end, _) in zip(runs, (*runs[1:], (length, 0)), strict=True):
        for step in range(end - start):
            character = characters[index + step]
            if not result or step == 0 or character - result[-1][1] != start + step - result[-1][0]:
                result.append((start + step, character))
    return tuple(result)


def _outline(document: PdfDocument, pages: tuple[Page, ...]) -> tuple[Heading, ...]:
    """The bookmarks that stand as a line on the page they lead to."""
    headings = []
    for bookmark in document.get_toc(max_depth=8):
        target = bookmark.get_dest()
        index = target.get_index() if target else None
        if index is None or not 0 <= index < len(pages):
            continue
        title = " ".join(clean(bookmark.get_title()).text.split())
        start = _find_line(pages[index].text, title)
        if start is not None:
            headings.append(Heading(index + 1, start, bookmark.level + 1, title))
    return tuple(sorted(set(headings), key=lambda heading: (heading.page, heading.start, heading.level)))


def _find_line(text: str, title: str) -> int | None:
    wanted = _NOT_WORD.sub("", title).casefold()
    start = 0
    for line in text.split("\n"):
        found = _NOT_WORD.sub("", line).casefold()
        if wanted and found and (found == wanted or (len(found) > 12 and wanted.startswith(found))):
            return start
        start += len(line) + 1
    return None


def _read_with_pypdf(data: bytes, report: Report) -> tuple[Page, ...]:
    import pypdf
    from pypdf.errors import PyPdfError

    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise NeedsPassword("It is protected by a password. Save a copy without one and upload that.")
        labels = reader.page_labels
        pages = []
        for index, page in enumerate(reader.pages):
            pages.append(Page(index + 1, labels[index] or str(index + 1), clean(page.extract_text()).text))
            report(index + 1, len(labels))
        return tuple(pages)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise BadFile("It is damaged and cannot be opened as a PDF. Download or export it again.") from error
