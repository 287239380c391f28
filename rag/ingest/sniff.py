"""Which format a file holds, by its bytes and not by its name."""

import io
import re
import zipfile
from pathlib import PurePath

from rag.errors import EmptyFile, NotThatFormat
from rag.ingest.upload import Upload
from rag.types import Media

READ = "Tracebook reads PDF, Word (.docx), HTML, Markdown and plain text."

_HTML = re.compile(rb"^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]", re.I | re.S)
_HTML_NAMES = frozenset({".html", ".htm", ".xhtml"})
_MARKDOWN_NAMES = frozenset({".md", ".markdown"})
_NAMES: dict[str, Media] = {".pdf": "pdf", ".docx": "docx"}
_SAID = {"pdf": "a PDF", "docx": "a Word document"}
_OTHERS = (  # first bytes of what people upload by mistake
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"\xd0\xcf\x11\xe0", "an old or password-protected Office file"),
    (b"PK\x03\x04", "a zip archive or another Office format"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"{\\rtf", "an RTF document"),
    (b"%!PS", "a PostScript file"),
)
_BOMS = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")


def sniff(upload: Upload) -> Media:
    """The format of the bytes; raises `EmptyFile`, and `NotThatFormat` where they are not what the name says."""
    file, data = upload.file, upload.data
    if not data.strip():
        raise EmptyFile(f"{file} is empty. Save or download it again and upload that.")
    suffix = PurePath(file).suffix.lower()
    media, holds = _look(data, suffix)
    promised = _NAMES.get(suffix)
    if media is None:
        said = _SAID.get(promised or "")
        raise NotThatFormat(
            f"{file} is not {said}: it holds {holds}. {READ}" if said else f"{file} holds {holds}. {READ}"
        )
    if promised and media != promised:
        raise NotThatFormat(f"{file} is not {_SAID[promised]}: it holds {holds}. Download it again, or rename it.")
    return media


def _look(data: bytes, suffix: str) -> tuple[Media | None, str]:
    """The format, None for one that is not read, and how to say it."""
    head = data[:4096]
    if b"%PDF-" in head[:1024]:
        return "pdf", "a PDF"
    if data.startswith(b"PK\x03\x04") and _is_docx(data):
        return "docx", "a Word document"
    for magic, name in _OTHERS:
        if data.startswith(magic):
            return None, name
    if b"\x00" in head and not data.startswith(_BOMS):
        return None, "binary data"
    if _HTML.match(head.removeprefix(b"\xef\xbb\xbf")) or suffix in _HTML_NAMES:
        return "html", "an HTML page"
    return ("markdown", "Markdown") if suffix in _MARKDOWN_NAMES else ("text", "plain text")


def _is_docx(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "word/document.xml" in archive.namelist()
    except zipfile.BadZipFile:
        return False
