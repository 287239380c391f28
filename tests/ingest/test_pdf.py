import pytest
from ingest_make import BOLD, pdf

from rag.errors import BadFile, NeedsPassword, NoText
from rag.ingest.pdf import PdfReader


def quiet(done: int, total: int) -> None:
    pass


def texts(data: bytes) -> list[str]:
    return [page.text for page in PdfReader().read(data, quiet).pages]


def test_a_chain_of_cross_references_that_points_at_itself_ends(odd):
    assert len(texts(odd("prev_loop.pdf").data)[0]) > 20


@pytest.mark.parametrize("file", ["owner_only_aes256.pdf", "owner_only_rc4.pdf"])
def test_a_file_that_only_forbids_printing_is_read_without_a_password(odd, file):
    assert "73 million" in texts(odd(file).data)[0]


def test_a_file_behind_a_password_says_so():
    with pytest.raises(NeedsPassword, match="protected by a password"):
        texts(pdf("Net sales", password="secret"))


def test_a_scan_says_that_it_has_no_text_layer(odd):
    with pytest.raises(NoText, match="scan without a text layer"):
        texts(odd("image_only.pdf").data)


def test_pages_without_text_are_named():
    reading = PdfReader().read(pdf("Net sales", "", "Costs", ""), quiet)
    assert reading.notes == ("pages 2, 4 hold no text",)
    assert len(reading.pages) == 4


def test_ligatures_are_unfolded_and_private_use_glyphs_go(odd):
    assert "profit and cash flow" in texts(odd("ligature.pdf").data)[0]
    assert texts(odd("private_use.pdf").data) == ["Ofce prot report"]


def test_text_that_looks_like_a_models_marker_is_text(odd):
    assert "<|endoftext|>" in texts(odd("endoftext.pdf").data)[0]


def test_a_label_and_its_figures_stand_on_one_line_with_brackets(odd):
    lines = texts(odd("negatives_table.pdf").data)[0].split("\n")
    assert "Change in inventory (2,345) 612" in lines
    assert "Dividends paid (—) (88)" in lines


def test_printed_labels_are_kept(odd):
    pages = PdfReader().read(odd("roman_labels.pdf").data, quiet).pages
    assert [page.label for page in pages] == ["i", "ii", "iii", "iv", "1", "2", "3", "4", "5", "6"]


def test_the_outline_gives_headings_where_their_line_stands():
    data = pdf("Cover", "Some text\nRisk factors\nWe depend on few.", outline=[("Risk Factors", 2, 0)])
    (heading,) = PdfReader().read(data, quiet).headings
    assert (heading.page, heading.start, heading.level) == (2, len("Some text\n"), 1)


def test_bold_lines_are_known_unless_all_are_bold():
    data = pdf(f"Plain\n{BOLD}Legal risks\nWe may be sued.", f"{BOLD}All\n{BOLD}bold")
    assert PdfReader().read(data, quiet).bold == {(1, len("Plain\n"))}


def test_damaged_bytes_are_refused_in_words():
    with pytest.raises(BadFile, match="damaged"):
        texts(b"%PDF-1.7\nnothing else")


def test_what_pdfium_cannot_open_is_read_with_the_second_library(monkeypatch):
    import pypdfium2

    def closed(*_: object) -> None:
        raise pypdfium2.PdfiumError("cannot open")

    data = pdf("Net sales 88", "Costs 12")
    monkeypatch.setattr(pypdfium2, "PdfDocument", closed)
    reading = PdfReader().read(data, quiet)
    assert [page.text.strip() for page in reading.pages] == ["Net sales 88", "Costs 12"]
    assert reading.notes == ("read with the second PDF library",)


def test_offsets_lead_to_pdfiums_characters():
    import pypdfium2

    from rag.ingest.clean import raw_index

    data = pdf("Net sales rose.\nCosts fell by 12 million.")
    page = PdfReader().read(data, quiet).pages[0]
    document = pypdfium2.PdfDocument(data)
    text_page = document[0].get_textpage()
    at = page.text.index("Costs")
    assert text_page.get_text_range(raw_index(page.offsets, at), 5) == "Costs"
    text_page.close()
    document.close()
