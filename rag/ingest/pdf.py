"""Pages of a PDF: PDFium for text, labels and outline; pypdf where PDFium cannot open the file."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rag.errors import BadFile, NeedsPassword, NoText
from rag.ingest.clean import Runs, clean, raw_index, vocabulary
from rag.ingest.fonts import bold_lines
from rag.ingest.ligatures import mend
from rag.ingest.ocr import OFF, Recognition, picture
from rag.ingest.reading import Heading, Reading
from rag.types import Page

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

    from rag.ports import Ocr, Report

Bold = frozenset[tuple[int, int]]  # (page, offset) of lines

_LOCKED = "It is protected by a password. Give the password, or save a copy without one and upload that."
_WRONG = "The password does not open it. Give another one, or save a copy without one and upload that."
_OPENED = "opened with a password, which is not kept: pages are shown as text"
_LINE, _NEWLINE = re.compile(r"[^\n]+"), re.compile(r"\n")
_HYPHEN = re.compile("[\ufffe\x02]")
_NOT_WORD = re.compile(r"[\W_]+")


class PdfReader:
    def __init__(self, password: str = "", recognition: Recognition = OFF) -> None:
        self._password = password
        self._recognition = recognition

    def read(self, data: bytes, report: Report) -> Reading:
        """Pages with their printed labels; those without text, and those whose text is recognised, are in the notes.

        Raises `NeedsPassword`, `NoText` for a scan that stays one, and `BadFile` for what neither library opens.
        """
        import pypdfium2

        try:
            document, notes = _opened(data, self._password)
        except pypdfium2.PdfiumError:
            pages = _read_with_pypdf(data, report, self._password)
            return self._finish(pages, notes=("read with the second PDF library",))
        try:
            pages, bold = _read_with_pdfium(document, report, self._recognition.engine)
            return self._finish(pages, _outline(document, pages), bold, notes)
        finally:
            document.close()

    def _finish(
        self,
        pages: tuple[Page, ...],
        headings: tuple[Heading, ...] = (),
        bold: Bold = frozenset(),
        notes: tuple[str, ...] = (),
    ) -> Reading:
        empty = [page.number for page in pages if not page.text.strip()]
        if len(empty) == len(pages):
            scan = "It holds no readable text: a scan without a text layer."
            raise NoText(f"{scan} {self._recognition.of_a_scan}")
        if empty:
            holds = "hold" if len(empty) > 1 else "holds"
            notes += (f"{_named(empty)} {holds} no text{self._recognition.of_pages}",)
        if recognised := [page.number for page in pages if page.recognised]:
            notes += (f"the text of {_named(recognised)} is recognised from images (OCR) and may be wrong",)
        return Reading(pages, notes, headings, bold)


def _opened(data: bytes, password: str) -> tuple[PdfDocument, tuple[str, ...]]:
    """The document and what to say of it; the password is tried where the file wants one."""
    import pypdfium2

    for given in ("", password):
        try:
            return pypdfium2.PdfDocument(data, given or None), (_OPENED,) if given else ()
        except pypdfium2.PdfiumError as error:
            if getattr(error, "err_code", None) != pypdfium2.raw.FPDF_ERR_PASSWORD:
                raise
    raise NeedsPassword(_WRONG if password else _LOCKED)


def _named(pages: Sequence[int]) -> str:
    shown = ", ".join(map(str, pages[:12])) + (" and others" if len(pages) > 12 else "")
    return f"{'page' if len(pages) == 1 else 'pages'} {shown}"


class _Raw(NamedTuple):
    text: str
    characters: list[int] | None = None  # PDFium's index of each character, where it is not the place in the text
    bold: frozenset[int] = frozenset()  # offsets of lines
    recognised: bool = False


def _read_with_pdfium(document: PdfDocument, report: Report, ocr: Ocr | None) -> tuple[tuple[Page, ...], Bold]:
    raws = []
    for index in range(len(document)):
        raws.append(_page_text(document, index, ocr))
        report(index + 1, len(document))
    words = vocabulary([raw.text for raw in raws]) if any(_HYPHEN.search(raw.text) for raw in raws) else frozenset()
    pages, bold = [], set()
    for number, raw in enumerate(raws, 1):
        text, runs = clean(raw.text, words)
        starts = (0, *(found.end() for found in _NEWLINE.finditer(text)))
        bold |= {(number, start) for start in starts if raw_index(runs, start) in raw.bold}
        runs = _through(runs, len(text), raw.characters) if raw.characters else runs
        label = document.get_page_label(number - 1) or str(number)
        pages.append(Page(number, label, text, () if raw.recognised else runs, recognised=raw.recognised))
    return tuple(pages), frozenset(bold)


def _page_text(document: PdfDocument, index: int, ocr: Ocr | None) -> _Raw:
    import pypdfium2

    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return _Raw("")  # a damaged page; the notes name it
    text_page = page.get_textpage()
    try:
        text = text_page.get_text_range(errors="surrogatepass")
        if ocr and not text.strip():
            text = ocr.recognise(picture(page))
            return _Raw(text, recognised=bool(text))
        characters = None if len(text) == text_page.count_chars() else _characters(text_page, text)
        return _Raw(mend(text_page, text, characters), characters, bold_lines(text_page, text, characters))
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
        line = _find_line(pages[index].text, title)
        if line:
            headings.append(Heading(index + 1, line.start(), line.end(), bookmark.level + 1, title))
    return tuple(sorted(set(headings), key=lambda heading: (heading.page, heading.start, heading.level)))


def _find_line(text: str, title: str) -> re.Match[str] | None:
    wanted = _NOT_WORD.sub("", title).casefold()
    for line in _LINE.finditer(text):
        found = _NOT_WORD.sub("", line.group()).casefold()
        if wanted and (found == wanted or (len(found) > 12 and wanted.startswith(found))):
            return line
    return None


def _read_with_pypdf(data: bytes, report: Report, password: str) -> tuple[Page, ...]:
    import pypdf
    from pypdf.errors import PyPdfError

    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not (reader.decrypt("") or reader.decrypt(password)):
            raise NeedsPassword(_LOCKED if not password else _WRONG)
        labels = reader.page_labels
        pages = []
        for index, page in enumerate(reader.pages):
            pages.append(Page(index + 1, labels[index] or str(index + 1), clean(page.extract_text()).text))
            report(index + 1, len(labels))
        return tuple(pages)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise BadFile("It is damaged and cannot be opened as a PDF. Download or export it again.") from error
