import pytest

from rag.errors import NoText
from rag.ingest.text import MarkdownReader, TextReader


def quiet(done: int, total: int) -> None:
    pass


@pytest.mark.parametrize("file", ["cp1252.txt", "utf16le_bom.txt", "utf8_bom.txt"])
def test_umlauts_and_euro_signs_survive_every_encoding(odd, file):
    (page,) = TextReader().read(odd(file).data, quiet).pages
    assert page.text == "Umsatz für März: 1.204 Mio. € – „Stand heute“\nCafé division: £35m"


def test_a_guessed_encoding_is_said(odd):
    assert TextReader().read(odd("cp1252.txt").data, quiet).notes == ("read as cp1252, which is a guess",)
    assert TextReader().read(odd("utf8_bom.txt").data, quiet).notes == ()


def test_no_byte_is_dropped_where_nothing_fits():
    (page,) = TextReader().read(b"Sales \x81\x8d rose", quiet).pages
    assert page.text.startswith("Sales ") and page.text.endswith(" rose") and len(page.text) > 11


def test_a_long_text_gets_pages_that_end_with_a_paragraph():
    paragraph = "Research spending supports the product line. " * 10
    reading = TextReader().read("\n\n".join([paragraph.strip()] * 20).encode(), quiet)
    assert len(reading.pages) > 2
    assert all(page.text.endswith("line.") for page in reading.pages)
    assert reading.notes == ("page numbers are estimated: the file has no pages of its own",)


def test_one_endless_line_is_cut_at_words():
    reading = TextReader().read(b"words " * 2000, quiet)
    assert "".join(page.text for page in reading.pages).replace(" ", "") == "words" * 2000
    assert max(len(page.text) for page in reading.pages) <= 3000


def test_a_form_feed_breaks_the_page():
    reading = TextReader().read(b"one\ftwo", quiet)
    assert [page.text for page in reading.pages] == ["one", "two"]
    assert reading.notes == ()


def test_white_space_in_utf16_holds_no_text():
    with pytest.raises(NoText):
        TextReader().read("  \n".encode("utf-16"), quiet)


def test_markdown_headings_lose_their_marks_and_keep_their_level():
    reading = MarkdownReader().read(b"# Alder\n\n## Risks ##\nOne.\n#hashtag\n", quiet)
    assert reading.pages[0].text == "Alder\n\nRisks\nOne.\n#hashtag"
    assert [(heading.level, heading.title) for heading in reading.headings] == [(1, "Alder"), (2, "Risks")]
