import io
from zipfile import ZipFile

import docx
import pytest

from rag.errors import BadFile, NoText
from rag.ingest.docx import DocxReader


def quiet(done: int, total: int) -> None:
    pass


def saved(document) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_paragraphs_and_tables_come_in_order_a_row_a_line():
    document = docx.Document()
    document.add_paragraph("Before")
    table = document.add_table(2, 3)
    for row, cells in enumerate([("", "2023", "2022"), ("Loss", "(98)", "1,204")]):
        for column, cell in enumerate(cells):
            table.cell(row, column).text = cell
    document.add_paragraph("After")
    (page,) = DocxReader().read(saved(document), quiet).pages
    assert page.text == "Before\n\n | 2023 | 2022\nLoss | (98) | 1,204\n\nAfter"


def test_a_merged_cell_comes_once():
    document = docx.Document()
    table = document.add_table(1, 3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "Revenue"
    table.cell(0, 2).text = "88"
    (page,) = DocxReader().read(saved(document), quiet).pages
    assert page.text == "Revenue | 88"


def test_page_breaks_make_pages():
    document = docx.Document()
    document.add_paragraph("One")
    document.add_page_break()
    document.add_paragraph("Two")
    reading = DocxReader().read(saved(document), quiet)
    assert [page.text for page in reading.pages] == ["One", "Two"]
    assert reading.notes == ()


def test_without_page_breaks_pages_are_estimated_and_said_to_be():
    document = docx.Document()
    for _ in range(30):
        document.add_paragraph("Research spending supports the product line. " * 6)
    reading = DocxReader().read(saved(document), quiet)
    assert len(reading.pages) > 1
    assert reading.notes == ("page numbers are estimated: the file has no pages of its own",)


def test_heading_styles_give_the_trail():
    document = docx.Document()
    document.add_heading("Birch plc", 0)
    document.add_heading("Risks", 1)
    document.add_paragraph("Few suppliers.")
    headings = DocxReader().read(saved(document), quiet).headings
    assert [(heading.level, heading.title) for heading in headings] == [(1, "Birch plc"), (1, "Risks")]


def test_an_empty_document_and_a_damaged_one_are_refused():
    with pytest.raises(NoText):
        DocxReader().read(saved(docx.Document()), quiet)
    with pytest.raises(BadFile, match="damaged"):
        DocxReader().read(saved(docx.Document())[:2000], quiet)


@pytest.mark.parametrize(
    ("word", "other"), [("w:body", "w:nobody"), ("w:pStyle w:val", "w:pStyle w:other"), ("w:document", "w:text")]
)
def test_xml_that_word_does_not_write_is_refused(word, other):
    document = docx.Document()
    document.add_heading("Sales")
    out = io.BytesIO()
    with ZipFile(io.BytesIO(saved(document))) as whole, ZipFile(out, "w") as changed:
        for entry in whole.namelist():
            data = whole.read(entry)
            changed.writestr(entry, data.replace(word.encode(), other.encode()) if "document.xml" in entry else data)
    with pytest.raises(BadFile, match="damaged"):
        DocxReader().read(out.getvalue(), quiet)


def test_what_was_left_out_is_told():
    document = docx.Document()
    document.add_paragraph("Few suppliers.")
    document.sections[0].footer.paragraphs[0].text = "Page 1"
    assert DocxReader().read(saved(document), quiet).notes == ("left out: headers and footers",)
