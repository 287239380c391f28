"""Which lines of a PDF page are set in bold."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

_LINE = re.compile(r"[^\r\n]+")
_BOLD = re.compile(rb"bold|black|heavy|demi", re.I)
_HEAVY = 600  # weight from which a font is bold
_NAME = 128  # bytes of a font's name that are looked at
_SHARE = 0.5  # of a page's lines: where more of them are bold, none stands out


def bold_lines(text_page: PdfTextPage, raw: str, characters: Sequence[int] | None) -> frozenset[int]:
    """Offsets in the raw text of the lines that begin and end in bold; none where most of the page is bold."""
    bold, lines = [], 0
    for line in _LINE.finditer(raw):
        stripped = line.group().strip()
        if not stripped:
            continue
        lines += 1
        first = line.start() + line.group().index(stripped[0])
        last = first + len(stripped) - 1
        if all(_is_bold(text_page, characters[at] if characters else at) for at in (first, last)):
            bold.append(line.start())
    return frozenset(bold) if len(bold) <= lines * _SHARE else frozenset()


def _is_bold(text_page: PdfTextPage, index: int) -> bool:
    import pypdfium2.raw as pdfium

    name = ctypes.create_string_buffer(_NAME)
    pdfium.FPDFText_GetFontInfo(text_page, index, name, _NAME, None)
    return _says_bold(name.value) or pdfium.FPDFText_GetFontWeight(text_page, index) >= _HEAVY


@lru_cache(maxsize=1000)
def _says_bold(name: bytes) -> bool:
    return bool(_BOLD.search(name))
