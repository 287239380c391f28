import io
import zipfile

import pytest

from rag.errors import EmptyFile, NotThatFormat
from rag.ingest.sniff import sniff
from rag.ingest.upload import Upload


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return out.getvalue()


@pytest.mark.parametrize(
    ("file", "data", "media"),
    [
        ("report.pdf", b"%PDF-1.7 ...", "pdf"),
        ("report.bin", b"junk before\n%PDF-1.4 ...", "pdf"),
        ("report.docx", zipped("word/document.xml"), "docx"),
        ("page", b"\xef\xbb\xbf<!DOCTYPE html><html>", "html"),
        ("page.htm", b"<p>without a head", "html"),
        ("notes.md", b"# Notes", "markdown"),
        ("notes.txt", b"Net sales rose", "text"),
        ("notes.txt", "März".encode("utf-16"), "text"),
        ("notes", b"<html-like words in a text", "text"),
    ],
)
def test_tells_the_format_by_the_bytes(file, data, media):
    assert sniff(Upload(file, data)) == media


@pytest.mark.parametrize("data", [b"", b" \r\n\t "])
def test_an_empty_file_is_named_so(data):
    with pytest.raises(EmptyFile, match=r"notes\.txt is empty"):
        sniff(Upload("notes.txt", data))


def test_a_login_page_saved_as_pdf_is_called_an_html_page(odd):
    with pytest.raises(NotThatFormat, match=r"html_renamed\.pdf is not a PDF: it holds an HTML page\."):
        sniff(odd("html_renamed.pdf"))


def test_a_picture_is_refused_with_what_is_read(odd):
    with pytest.raises(NotThatFormat, match=r"holds a PNG image\. Tracebook reads PDF, Word"):
        sniff(odd("png_renamed.pdf"))


@pytest.mark.parametrize(
    ("file", "data", "holds"),
    [
        ("a.xlsx", zipped("xl/workbook.xml"), "another Office format"),
        ("a.doc", b"\xd0\xcf\x11\xe0....", "an old or password-protected Office file"),
        ("a.dat", b"ab\x00cd", "binary data"),
        ("a.docx", b"PK\x03\x04 cut off", "is not a Word document"),
    ],
)
def test_other_formats_are_named(file, data, holds):
    with pytest.raises(NotThatFormat, match=holds):
        sniff(Upload(file, data))
