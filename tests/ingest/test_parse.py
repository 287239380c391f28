import hashlib

import pytest
from ingest_make import BOLD, pdf

from rag.errors import NoText
from rag.ingest import tokens
from rag.ingest.parse import parse
from rag.ingest.upload import Upload
from rag.words import fold

PROSE = "We depend on a small number of suppliers for parts that few others are able to make for us."


@pytest.mark.parametrize(
    "file", ["cp1252.txt", "endoftext.pdf", "html.pdf", "html.txt", "roman_labels.pdf", "レポート.pdf"]
)
def test_every_passage_is_an_exact_span_of_its_page(odd, read, file):
    document = read(odd(file))
    for passage in document.passages:
        page = document.pages[passage.page - 1]
        assert page.text[passage.start : passage.end] == passage.text
        assert passage.label == page.label
        assert passage.tokens == tokens.count(passage.text)
    assert len(document.search) == len(document.passages) > 0


def test_a_document_is_known_by_its_bytes(odd, read):
    upload = odd("レポート.pdf")
    document = read(upload)
    assert document.sha256 == hashlib.sha256(upload.data).hexdigest()
    assert document.id == document.sha256[:16]
    assert document.file == "レポート.pdf"
    assert [passage.id for passage in document.passages] == [f"{document.id}:0"]


def test_the_trail_goes_on_to_the_next_page_until_it_is_replaced(read):
    first, second, third = (PROSE.replace("small", word) for word in ("low", "tiny", "limited"))
    text = f"Item 1A. Risk Factors\n{BOLD}Risks of Supply\n{first}\n{first}\n{first}"
    document = read(Upload("a.pdf", pdf(text, second, f"Item 2. Properties\n{third}")))
    assert [passage.headings for passage in document.passages] == [
        ("Item 1A. Risk Factors", "Risks of Supply"),
        ("Item 1A. Risk Factors", "Risks of Supply"),
        ("Item 2. Properties",),
    ]


def test_a_heading_behind_running_lines_counts_for_the_passage_that_begins_with_them(read):
    rows = "\n".join(f"Total assets {n} 2,000" for n in range(6))
    document = read(Upload("a.pdf", pdf(f"Item 8. Figures\n{PROSE}", f"12\nAlder Group\nBalance Sheets\n{rows}")))
    assert document.passages[1].headings == ("Item 8. Figures", "Balance Sheets")


def test_the_search_text_is_folded_and_holds_headings_and_the_statements_names(read):
    rows = "\n".join(f"Total assets {n} 2,000" for n in range(6))
    document = read(Upload("a.pdf", pdf(f"Consolidated Balance Sheets\n{rows}")))
    assert document.passages[0].statement == "balance"
    assert fold("2,000") in document.search[0].body
    assert "statement of financial position" in document.search[0].heading


def test_markup_in_a_document_stays_text(odd, read):
    assert "<script>" in read(odd("html.txt")).passages[0].text


def test_a_bad_file_is_named_in_the_message(odd, read):
    with pytest.raises(NoText, match=r"image_only\.pdf cannot be used\. It holds no readable text"):
        read(odd("image_only.pdf"))


def test_passages_obey_the_limit(read):
    upload = Upload("a.txt", (PROSE + "\n").encode() * 60)
    document = parse(upload, chunk_tokens=64, report=lambda done, total: None)
    assert max(passage.tokens for passage in document.passages) <= 64


def test_a_passage_is_found_by_whose_report_it_is_and_by_what_heads_its_table():
    rows = "\n".join(f"Line {n} of the assets of the company {n},100 {n},000" for n in range(1, 60))
    head = "Alder Corporation\nAnnual Report 2023\nFor the year ended December 31, 2023\n"
    sheet = f"Consolidated Balance Sheets\n(in millions)\n{rows}\nInventories 5,100 5,000\nGoodwill 1,100 1,000\n"
    totals = "Total current assets 9,100 9,000\nTotal assets 9,100 9,000\nTotal current liabilities 4,100 4,000\n"
    upload = Upload("alder.txt", f"{head}\f{sheet}{totals}Total liabilities and equity 9,100 9,000\n".encode())
    parsed = parse(upload, chunk_tokens=200, report=lambda done, total: None)
    last = parsed.search[-1].body
    assert "alder" in last and "2023" in last
