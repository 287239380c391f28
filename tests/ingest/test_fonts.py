import pypdfium2
from ingest_make import BOLD, pdf

from rag.ingest.fonts import bold_lines


def bold(text: str) -> list[str]:
    document = pypdfium2.PdfDocument(pdf(text))
    text_page = document[0].get_textpage()
    raw = text_page.get_text_range()
    starts = sorted(bold_lines(text_page, raw, None))
    text_page.close()
    document.close()
    return [raw[start:].split("\r\n")[0] for start in starts]


def test_bold_lines_are_told_from_others():
    assert bold(f"Plain\n{BOLD}Legal risks\nWe may be sued.\nAgain.") == ["Legal risks"]


def test_nothing_stands_out_where_most_is_bold():
    assert bold(f"{BOLD}One\n{BOLD}Two\nThree") == []
