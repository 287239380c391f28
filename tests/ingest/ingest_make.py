"""PDFs that the tests draw themselves."""

import io
from collections.abc import Sequence

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

BOLD = "\0"  # a line that begins with it is set in bold


def pdf(*pages: str, outline: Sequence[tuple[str, int, int]] = (), password: str = "") -> bytes:
    """A page a text; `outline` holds (title, page from 1, level from 0)."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4, encrypt=password or None, invariant=True)
    for number, text in enumerate(pages, 1):
        canvas.bookmarkPage(str(number))
        for title, page, level in outline:
            if page == number:
                canvas.addOutlineEntry(title, str(number), level)
        lines = canvas.beginText(60, 780)
        for line in text.split("\n"):
            lines.setFont("Helvetica-Bold" if line.startswith(BOLD) else "Helvetica", 10)
            lines.textLine(line.removeprefix(BOLD))
        canvas.drawText(lines)
        canvas.showPage()
    canvas.save()
    return out.getvalue()
