"""PDFs that the tests draw themselves."""

import io
from collections.abc import Collection, Sequence

import pypdfium2
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

BOLD = "\0"  # a line that begins with it is set in bold


def pdf(
    *pages: str, outline: Sequence[tuple[str, int, int]] = (), password: str = "", scanned: Collection[int] = ()
) -> bytes:
    """A page a text; `outline` holds (title, page from 1, level from 0), `scanned` the pages that are images alone."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, encrypt=password or None, invariant=True)
    for number, text in enumerate(pages, 1):
        canvas.bookmarkPage(str(number))
        for title, page, level in outline:
            if page == number:
                canvas.addOutlineEntry(title, str(number), level)
        if number in scanned:
            canvas.drawImage(_scan(text), 0, 0, *A4)
            canvas.showPage()
            continue
        lines = canvas.beginText(60, 780)
        for line in text.split("\n"):
            lines.setFont("Helvetica-Bold" if line.startswith(BOLD) else "Helvetica", 10)
            lines.textLine(line.removeprefix(BOLD))
        canvas.drawText(lines)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _scan(text: str) -> ImageReader:
    """The page of this text as a scanner at 200 dots an inch has it."""
    document = pypdfium2.PdfDocument(pdf(text))
    image = document[0].render(scale=200 / 72).to_pil().convert("L")
    document.close()
    out = io.BytesIO()
    image.save(out, "JPEG", quality=70)
    out.seek(0)
    return ImageReader(out)
