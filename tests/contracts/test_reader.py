"""What every reader promises."""

import io
from pathlib import Path

import docx
import pytest

from rag.errors import BadFile
from rag.ingest.docx import DocxReader
from rag.ingest.html import HtmlReader
from rag.ingest.pdf import PdfReader
from rag.ingest.text import MarkdownReader, TextReader
from rag.ports import Reader

ODD = Path(__file__).parents[1] / "data" / "odd"


def _word() -> bytes:
    document = docx.Document()
    document.add_heading("Annual report", 1)
    document.add_paragraph("Net sales were 88 million.")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


GOOD: dict[str, tuple[Reader, bytes]] = {
    "pdf": (PdfReader(), (ODD / "roman_labels.pdf").read_bytes()),
    "docx": (DocxReader(), _word()),
    "html": (HtmlReader(), b"<html><h1>Annual report</h1><p>Net sales were 88 million.</p></html>"),
    "markdown": (MarkdownReader(), b"# Annual report\n\nNet sales were 88 million.\n"),
    "text": (TextReader(), b"Annual report\n\nNet sales were 88 million.\n"),
}


@pytest.fixture(params=GOOD)
def good(request: pytest.FixtureRequest) -> tuple[Reader, bytes]:
    return GOOD[request.param]


def quiet(done: int, total: int) -> None:
    pass


def test_gives_pages_in_order_and_at_least_one_with_text(good):
    reader, data = good
    pages = reader.read(data, quiet).pages
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    assert any(page.text.strip() for page in pages)
    assert all(page.label for page in pages)


def test_the_same_bytes_give_the_same_pages(good):
    reader, data = good
    assert reader.read(data, quiet) == reader.read(data, quiet)


def test_reports_pages_up_to_the_last(good):
    reader, data = good
    seen = []
    pages = reader.read(data, lambda done, total: seen.append((done, total))).pages
    assert seen[-1] == (len(pages), len(pages))
    assert seen == sorted(seen)


def test_text_holds_no_control_or_private_use_character(good):
    reader, data = good
    for page in reader.read(data, quiet).pages:
        assert not [c for c in page.text if (ord(c) < 32 and c != "\n") or 0xE000 <= ord(c) <= 0xF8FF]


def test_headings_are_lines_of_their_page(good):
    reader, data = good
    reading = reader.read(data, quiet)
    for heading in reading.headings:
        line = reading.pages[heading.page - 1].text[heading.start : heading.end]
        assert " ".join(line.split()) == heading.title


@pytest.mark.parametrize("name", GOOD)
def test_bytes_of_another_kind_are_refused_in_words_or_read_as_text(name):
    reader, _ = GOOD[name]
    noise = b"PK\x03\x04" + bytes(range(256)) * 4
    try:
        pages = reader.read(noise, quiet).pages
    except BadFile as error:
        assert str(error).endswith(".")
    else:
        assert name in ("html", "markdown", "text") and pages
