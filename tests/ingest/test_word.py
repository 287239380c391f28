import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from rag.ingest.word import WordText

SPACES = (
    nsdecls("w", "wp", "a")
    + ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    + ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
    + ' xmlns:v="urn:schemas-microsoft-com:vml"'
)


def read(*parts: str, document=None):
    """The text of the blocks that these pieces of XML give, and what was left out."""
    document = document or docx.Document()
    for part in parts:
        document.element.body.insert(-1, parse_xml(part.replace(">", f" {SPACES}>", 1)))
    text = WordText(document)
    return [block.text for block in text.blocks()], sorted(text.left_out)


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def row(*cells: str) -> str:
    return f"<w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in cells)}</w:tr>"


def test_content_controls_are_read_around_paragraphs_around_words_and_around_rows():
    def control(content: str) -> str:
        return f"<w:sdt><w:sdtPr/><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    around = control(paragraph(run("Alder plc")))
    inside = paragraph(run("Revenue was "), control(run("88")))
    rows = f"<w:tbl>{control(row(paragraph(run('Loss')), paragraph(run('7'))))}</w:tbl>"
    assert read(around, inside, rows) == (["Alder plc", "Revenue was 88", "Loss | 7"], [])


def test_a_control_that_nobody_filled_in_says_nothing():
    control = f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{run('Click here')}</w:sdtContent></w:sdt>"
    assert read(paragraph(run("Name: "), control))[0] == ["Name:"]


def test_tracked_insertions_are_read_and_deletions_left_out_and_said():
    gone = "<w:del><w:r><w:delText>7</w:delText></w:r></w:del>"
    moved = f"<w:moveFrom>{run('gone')}</w:moveFrom><w:moveTo>{run(' million')}</w:moveTo>"
    assert read(paragraph(run("Revenue was "), gone, f"<w:ins>{run('8')}</w:ins>", moved)) == (
        ["Revenue was 8 million"],
        ["tracked deletions"],
    )


def test_a_row_that_was_deleted_stays_out():
    table = f"<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc>{paragraph(run('old'))}</w:tc></w:tr>"
    assert read(table + row(paragraph(run("new"))) + "</w:tbl>") == (["new"], ["tracked deletions"])


def test_a_table_in_a_cell_is_read_row_by_row():
    inner = f"<w:tbl>{row(paragraph(run('Revenue')), paragraph(run('88')))}</w:tbl>"
    framed = f"<w:tbl>{row(paragraph(run('Before')) + inner + paragraph(run('After')))}</w:tbl>"
    beside = f"<w:tbl>{row(paragraph(run('Left')), paragraph(run('Right')) + inner)}</w:tbl>"
    assert read(framed)[0] == ["Before", "Revenue | 88", "After"]
    assert read(beside)[0] == ["Left | Right", "Revenue | 88"]


def test_a_cell_merged_over_rows_stands_in_each():
    document = docx.Document()
    table = document.add_table(2, 2)
    table.cell(0, 0).merge(table.cell(1, 0)).text = "Europe"
    table.cell(0, 1).text, table.cell(1, 1).text = "12", "7"
    assert read(document=document)[0] == ["Europe | 12", "Europe | 7"]


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_a_note_follows_the_paragraph_that_it_belongs_to(kind):
    document = docx.Document()
    notes = f'<w:{kind}s {SPACES}><w:{kind} w:id="2">{paragraph(run(" Without leases."))}</w:{kind}></w:{kind}s>'
    part = Part(PackURI(f"/word/{kind}s.xml"), "application/xml", notes.encode(), document.part.package)
    document.part.relate_to(part, getattr(RELATIONSHIP_TYPE, f"{kind}s".upper()))
    told = paragraph(run("Debt was 5"), f'<w:r><w:{kind}Reference w:id="2"/></w:r>', run(" million."))
    again = paragraph(run("Next."), f'<w:r><w:{kind}Reference w:id="2"/></w:r>')
    assert read(told, again, document=document)[0] == ["Debt was 5 million.", "Without leases.", "Next."]


def test_a_text_box_is_read_once_though_word_keeps_it_twice():
    content = f"<w:txbxContent>{paragraph(run('Highlights'))}</w:txbxContent>"
    new = f"<w:drawing><wp:inline><wps:wsp><wps:txbx>{content}</wps:txbx></wps:wsp></wp:inline></w:drawing>"
    old = f"<w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict>"
    both = f"<mc:AlternateContent><mc:Choice>{new}</mc:Choice><mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>"
    assert read(paragraph(run("Before"), f"<w:r>{both}</w:r>", run(" it"))) == (["Before it", "Highlights"], [])
    assert read(paragraph(f"<w:r>{old}</w:r>"))[0] == ["", "Highlights"]


def test_what_is_not_text_or_not_seen_is_left_out_and_said():
    hidden = run("secret", "<w:vanish/>") + run("shown", '<w:vanish w:val="0"/>')
    picture = "<w:r><w:drawing><wp:inline/></w:drawing></w:r>"
    comment = '<w:r><w:commentReference w:id="1"/></w:r>'
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Draft"
    assert read(paragraph(hidden, picture, comment), document=document) == (
        ["shown"],
        ["comments", "headers and footers", "hidden text", "pictures"],
    )
