"""Cases of files: what is damaged, locked, scanned, long or oddly written."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from rag import markdown
from rag.check import check
from rag.ingest.upload import Upload
from rag.models.scripted import call, text
from rag.result import to_result
from rag.settings import Settings
from rag.workspace import Workspace
from tests.api.serving import serving
from tests.ingest.ingest_make import pdf
from tests.pages.reading import shown
from tests.reported.cases import GOOD, answer, found, read


def test_a01_a_file_that_points_at_itself_ends_while_everybody_else_is_answered(library, add, show):
    add(GOOD)
    for end in library.add([read("prev_loop.pdf")]):
        assert found(library, "revenue")
        if end.stage == "reading":
            assert "1 report in the library" in shown(show("ask/chat"))
    assert end.stage == "added" or "took longer" in end.error
    assert library.passages(end.document.id)


def test_a02_what_is_not_the_format_it_claims_is_told_and_not_stored(library, add):
    failed = add("html_renamed.pdf", "png_renamed.pdf", Upload("zero.pdf", b""), Upload("zero.txt", b""), GOOD)
    said = {"html_renamed.pdf": "HTML page", "png_renamed.pdf": "PNG", "zero.pdf": "empty", "zero.txt": "empty"}
    assert {file for file, word in said.items() if word in failed[file]} == set(said)
    assert [document.file for document in library.documents()] == ["good.txt"]
    assert found(library, "revenue") == [GOOD.data.decode().strip()]
    assert [path.name for path in (library.settings.data / "files").iterdir()] == [library.documents()[0].id]


@pytest.mark.parametrize("file", ["owner_only_aes256.pdf", "owner_only_rc4.pdf"])
def test_a03_a_file_that_only_forbids_printing_is_read(library, add, file):
    assert add(file) == {}
    assert "73 million" in found(library, "operating profit")[0]


def test_a04_a_scan_as_the_very_first_file_says_so_and_the_library_stays_usable(library, add):
    assert "no readable text" in add("image_only.pdf")["image_only.pdf"]
    assert library.documents() == ()
    assert found(library, "anything") == []
    assert add(GOOD) == {} and found(library, "revenue")


def test_a04_the_text_of_a_scan_is_recognised_where_that_is_on_and_marked_wherever_it_is_cited(tmp_path):
    scan = pdf("Alder plc annual report 2023", "Revenue was 1,284 million in 2023.", scanned={2})
    with Workspace.open(Settings(data=tmp_path, embeddings="off", ocr=True)) as library:
        list(library.add([Upload("scan.pdf", scan)]))
        (document,) = library.documents()
        trace = answer(library, "What was the revenue in 2023?")
        assert check(library._store) == ()
    assert document.notes == ("the text of page 2 is recognised from images (OCR) and may be wrong",)
    (cited,) = to_result(trace)["citations"]
    assert (cited["page"], cited["recognised"]) == (2, True)
    assert "1,284" in cited["text"] and r"p. 2 (recognised text)" in markdown.answer(trace)


SITES = pdf(*(f"Site {number}\nThis site made {number * 7} units in the year." for number in range(1, 3001)))


def test_a05_three_thousand_pages_show_progress_and_the_right_page_is_cited(library, show):
    seen = set()
    for event in library.add([Upload("sites.pdf", SITES)]):
        if len(seen) == 1:  # while it is being read, another session
            assert "No reports yet" in shown(show("ask/chat"))
        seen.add(event.done)
    assert len(seen) > 100
    (document,) = library.documents()
    assert (document.pages, {passage.page for passage in library.passages(document.id)}) == (3000, {*range(1, 3001)})
    trace = answer(library, "What are the units of site 2718?")
    assert "19026" in trace.answer.text
    assert [citation.passage.page for citation in trace.answer.citations] == [2718]


def test_a05_the_interface_answers_others_while_a_long_file_is_read(tmp_path):
    with serving(tmp_path) as server, ThreadPoolExecutor(1) as thread:
        upload = thread.submit(lambda: server.upload(("sites.pdf", SITES)))
        while not upload.done():
            for path in ("/api/documents", "/rag/search?q=units", "/"):
                assert server.get(path).status_code == 200
        assert upload.result().json()["results"][0]["stage"] == "added"


def test_a06_ligatures_are_folded_and_private_glyphs_break_nothing(library, add, show):
    assert add("ligature.pdf", "private_use.pdf") == {}
    for query in ("profit", "cash flow", "confirmed"):
        assert found(library, query, "keyword"), query
    pages = [library.page(document.id, 1).text for document in library.documents()]
    assert not re.search("[\ue000-\uf8ff]", "".join(pages))
    for document in library.documents():
        assert library.page(document.id, 1).text.split()[0] in shown(show("library/documents", document=document.id))


def test_a07_a_model_s_marker_is_plain_text_everywhere(library, add, decided):
    assert add("endoftext.txt", "endoftext.pdf", Upload("<|endoftext|>.txt", GOOD.data)) == {}
    assert found(library, "marker endoftext")
    assert "12 million" in answer(library, "What was the licence income? <|endoftext|>").answer.text
    found_by_model = call("search_documents", '{"query": "<|endoftext|> marker"}')
    trace, _ = decided(
        "What was the licence income? <|endoftext|>", found_by_model, text("12 million <|endoftext|> [1].")
    )
    assert trace.status == "answered" and "<|endoftext|>" in trace.answer.text


def test_a08_text_of_any_common_encoding_is_read_and_a_guess_is_said(library, add, show):
    files = ("cp1252.txt", "utf16le_bom.txt", "utf8_bom.txt")
    assert add(*files) == {}
    for file in files:
        document = library.document(file)
        text = library.page(document.id, 1).text
        assert "März: 1.204 Mio. €" in text and "\ufeff" not in text
    assert any("cp1252" in note for note in library.document("cp1252.txt").notes)
    assert len(found(library, "März")) == len(found(library, "1.204")) == 3
    assert "cp1252" in shown(show("library/documents", document=library.document("cp1252.txt").id))


def test_a09_brackets_are_negatives_and_a_number_keeps_its_row_and_year(library, add):
    add("negatives_table.pdf")
    said = answer(library, "What was the change in inventory in 2023 and 2022?").answer.text
    assert re.search(r"[-(−]\$?2,345", said) and "612" in said
    assert re.search(r"[-(−]\$?88", answer(library, "What were the dividends paid in 2022?").answer.text)
    (passage,) = {hit for hit in found(library, "change in inventory") if "Change in inventory" in hit}
    assert re.search(r"2023 2022\b[^§]*\nChange in inventory \(2,345\) 612\n", passage)


def test_a12_a_page_is_cited_as_it_is_printed(library, add, show):
    add("roman_labels.pdf")
    trace = answer(library, "What is the dividend per share?")
    assert "0.42" in trace.answer.text
    assert trace.answer.citations[0].passage.place == "p. 5 (sheet 9)"
    assert "p. 5 (sheet 9)" in shown(show("ask/trace", run=trace.run_id))


def test_a14_near_equal_sentences_have_places_of_their_own(library, add):
    text = " ".join(f"See note {n % 7}. Amounts are in millions of dollars." for n in range(60))
    add(Upload("notes.txt", text.encode()), Upload("notes.pdf", pdf(text[:90], *[text[:90]] * 20)))
    for document in library.documents():
        passages = library.passages(document.id)
        assert len({(passage.page, passage.start) for passage in passages}) == len(passages) > 1
        for passage in passages:
            assert library.page(document.id, passage.page).text[passage.start : passage.end] == passage.text
