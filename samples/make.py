"""Writes the sample reports, samples/*.pdf, from samples/text/*.md; the same text gives the same bytes.

The text is plain: "key: value" lines first, then blocks between blank lines. # ## ### are headings, a block of lines
that begin with | is a table (its first row names the columns), --- begins a page, === ends the front matter: from
there the printed page numbers count 1, 2, 3 instead of i, ii, iii.
"""

from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)
from reportlab.platypus.tableofcontents import TableOfContents

HERE = Path(__file__).parent
NOTE = "invented company, for demonstration"
ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
FONTS = {"serif": ("Times-Roman", "Times-Bold"), "sans": ("Helvetica", "Helvetica-Bold")}
MARGIN, NUMBER_COLUMN = 25 * mm, 27 * mm


class Report(BaseDocTemplate):
    """One report on its way to PDF: cover and front matter in roman numbers, body in arabic ones, an outline."""

    def __init__(self, path: str, about: dict[str, str]) -> None:
        super().__init__(
            path,
            pagesize=A4,
            title=f"{about['company']}: {about['title']}",
            author=about["company"],
            subject=NOTE,
            invariant=1,
            pageCompression=0,
        )
        self.about, self.front = about, len(ROMAN)  # sheets before the printed page 1; known once that page is made
        frame = Frame(MARGIN, MARGIN, A4[0] - 2 * MARGIN, A4[1] - 2 * MARGIN, id="text")
        self.addPageTemplates(
            [PageTemplate(part, [frame], onPageEnd=self.footer) for part in ("cover", "front", "body")]
        )

    def label(self, page: int) -> str:
        return ROMAN[page] if page <= self.front else str(page - self.front)

    def footer(self, canvas: Any, _: Any) -> None:
        part = self.pageTemplate.id
        if part == "body":
            self.front = min(self.front, self.page - 1)
        if part == "cover" or self.page == self.front + 1:
            canvas.addPageLabel(self.page - 1, style="ROMAN_LOWER" if part == "cover" else "ARABIC", start=1)
        canvas.setFont(FONTS[self.about["font"]][0], 8)
        canvas.drawString(MARGIN, 15 * mm, f"{self.about['company']} ({NOTE})")
        if part != "cover":
            canvas.drawRightString(A4[0] - MARGIN, 15 * mm, self.label(self.page))

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 (reportlab's name)
        level = getattr(flowable, "level", None)
        if level is not None:
            text, key = flowable.getPlainText(), f"{self.page}-{self.frame._y:.0f}"
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(text, key, level, closed=level > 0)
            if level == 0:
                self.notify("TOCEntry", (level, escape(text), self.page, key))


def styles(font: str) -> dict[str, ParagraphStyle]:
    plain, bold = FONTS[font]
    text = ParagraphStyle("text", fontName=plain, fontSize=10.5, leading=15, spaceAfter=7)
    head = {"fontName": bold, "keepWithNext": 1}
    return {
        "text": text,
        "cell": ParagraphStyle("cell", fontName=plain, fontSize=9.5, leading=12),
        "cover": ParagraphStyle("cover", text, alignment=TA_CENTER, fontSize=13, leading=19, spaceAfter=12),
        "name": ParagraphStyle("name", fontName=bold, fontSize=26, leading=32, alignment=TA_CENTER, spaceAfter=18),
        "contents": ParagraphStyle("contents", fontName=bold, fontSize=15, leading=20, spaceAfter=10),
        "#": ParagraphStyle("h1", fontSize=16, leading=21, spaceBefore=6, spaceAfter=10, **head),
        "##": ParagraphStyle("h2", fontSize=12.5, leading=16, spaceBefore=9, spaceAfter=6, **head),
        "###": ParagraphStyle("h3", fontSize=10.5, leading=14, spaceBefore=6, spaceAfter=4, **head),
    }


def table(block: str, font: str, width: float) -> Table:
    """A table of figures: the first column takes what the others leave; lines that sum others up stand in bold."""
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in block.splitlines()]
    rows = [row + [""] * (len(rows[0]) - len(row)) for row in rows]
    plain, bold = FONTS[font]
    strong = [0, *(n for n, row in enumerate(rows) if n and (row[0].startswith("Total") or not any(row[1:])))]
    summed = [n for n in strong if n and any(rows[n][1:])]
    columns = len(rows[0]) - 1
    return Table(
        rows,
        colWidths=[width - columns * NUMBER_COLUMN, *[NUMBER_COLUMN] * columns],
        spaceBefore=4,
        spaceAfter=10,
        style=[
            ("FONT", (0, 0), (-1, -1), plain, 9.5),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, "black"),
            ("TOPPADDING", (0, 0), (-1, -1), 2.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
            *(("FONT", (0, n), (-1, n), bold, 9.5) for n in strong),
            *(("LINEABOVE", (1, n), (-1, n), 0.4, "black") for n in summed),
        ],
    )


def opening(report: Report, style: dict[str, ParagraphStyle]) -> list[Flowable]:
    about = report.about
    lines = [about["title"], about["period"], *about["cover"].split(" / ")]
    contents = TableOfContents(dotsMinLevel=-1, formatter=report.label)
    contents.levelStyles = [style["text"]]
    return [
        Spacer(1, 60 * mm),
        Paragraph(escape(about["company"]), style["name"]),
        *(Paragraph(escape(line), style["cover"]) for line in lines),
        Spacer(1, 30 * mm),
        Paragraph(f"This is an {NOTE}.", style["cover"]),
        NextPageTemplate("front"),
        PageBreak(),
        Paragraph("Contents", style["contents"]),
        contents,
        PageBreak(),
    ]


def flowables(block: str, font: str, style: dict[str, ParagraphStyle]) -> list[Flowable]:
    if block == "---":
        return [PageBreak()]
    if block == "===":
        return [NextPageTemplate("body"), PageBreak()]
    if block.startswith("|"):
        return [table(block, font, A4[0] - 2 * MARGIN - 4 * mm)]
    mark, _, heading = block.partition(" ")
    if mark not in ("#", "##", "###"):
        return [Paragraph(escape(" ".join(block.split())), style["text"])]
    paragraph = Paragraph(escape(heading), style[mark])
    paragraph.level = len(mark) - 1
    return [paragraph]


def write(source: Path, target: Path) -> None:
    head, _, body = source.read_text(encoding="utf-8").partition("\n\n")
    about = {key: value for key, _, value in (line.partition(": ") for line in head.splitlines())}
    style = styles(about["font"])
    blocks = [block.strip() for block in body.split("\n\n") if block.strip()]
    story = [flowable for block in blocks for flowable in flowables(block, about["font"], style)]
    report = Report(str(target), about)
    report.multiBuild([*opening(report, style), *story])


if __name__ == "__main__":
    for text in sorted((HERE / "text").glob("*.md")):
        write(text, HERE / f"{text.stem}.pdf")
