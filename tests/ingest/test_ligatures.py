import pypdfium2
import pytest

from rag.ingest.ligatures import mend

_OBJECTS = """<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Kids[3 0 R]/Count 1>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>
<</Length {length}>>stream~{content}~endstream
<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 102/LastChar 102/Widths[{width}]>>"""


def mended(before: str, width: int, gap: int, after: str) -> str:
    """`before`, an f of this width, a gap, `after`: widths in thousandths of the font's size."""
    content = f"BT /F1 10 Tf 60 680 Td ({before}) Tj /F2 10 Tf (f) Tj /F1 10 Tf [{-gap} ({after})] TJ ET"
    objects = _OBJECTS.format(length=len(content), content=content, width=width).split("\n")
    body = "".join(f"{number} 0 obj {text.replace('~', chr(10))} endobj\n" for number, text in enumerate(objects, 1))
    document = pypdfium2.PdfDocument(f"%PDF-1.4\n{body}trailer<</Root 1 0 R>>\n%%EOF".encode())
    text_page = document[0].get_textpage()
    text = mend(text_page, text_page.get_text_range(), None)
    text_page.close()
    document.close()
    return text


@pytest.mark.parametrize(
    ("before", "width", "gap", "after", "text"),
    [
        ("su", 600, 180, "er losses", "suffer losses"),
        ("o", 600, 180, "ices", "offices"),
        ("o", 600, 180, "the", "of the"),  # an italic f is wide, and "of" a word
        ("sel", 600, 180, "made", "self made"),
        ("roo", 278, 300, "tiles", "roof tiles"),  # a plain f
        ("staf", 600, 400, "costs", "staff costs"),  # a space as wide as one between words
    ],
)
def test_an_f_comes_back_only_where_half_a_ligature_is_missing(before, width, gap, after, text):
    assert mended(before, width, gap, after) == text
