"""Words that lost half of an "ff", as PDFs make them whose font says that the ligature is one f: "of ices"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

# "of" and "if" are words themselves, and an italic f is wide, too.
_SPLIT = re.compile(r"(?<=f)(?<!\b[oi]f)(?<!lf) (?=[a-z])|(?<=\bof) (?=ic[ei]|set|shore|er(?:s|ed|ings?)?\b)", re.I)
_WIDE = 0.45  # width of the glyph by its height, from which an f is two
_GAP = 0.18  # distance to the next glyph by the height, from which it is a space between words


def mend(text_page: PdfTextPage, raw: str, characters: Sequence[int] | None) -> str:
    """The text of the same length, an f in place of each space that PDFium put behind such a glyph."""
    import pypdfium2.raw as pdfium

    def letter(space: re.Match[str]) -> str:
        at = characters[space.start()] if characters else space.start()
        if pdfium.FPDFText_IsGenerated(text_page, at) != 1:
            return " "
        left, bottom, right, top = text_page.get_charbox(at - 1, loose=True)
        following = text_page.get_charbox(at + 1, loose=True)[0]
        height = top - bottom
        return "f" if right - left > _WIDE * height and following - right < _GAP * height else " "

    return _SPLIT.sub(letter, raw)
