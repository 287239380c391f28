"""What people reported of tools like this one, A01 to A37, each over the smallest real path.

Files lie in `data/odd` and `data/cases`. Cases of replies, pages and servers are tested in the rooms that `ELSEWHERE`
names.
"""

import re
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from rag import markdown
from rag.check import check
from rag.ingest.upload import Upload
from rag.result import to_result
from rag.settings import Settings
from rag.types import Query
from rag.workspace import Workspace
from tests.ingest.ingest_make import pdf

TESTS = Path(__file__).parent
ODD, CASES = TESTS / "data" / "odd", TESTS / "data" / "cases"
GOOD = Upload("good.txt", b"Alder plc\nAnnual report 2023\n\nRevenue was $12 million.\n")

ELSEWHERE = {
    "A13 citations that do not exist": ("agent/test_outcome.py", "test_marks_that_name_nothing_are_taken_out_and_told"),
    "A14 chunk offsets": ("ingest/test_chunking.py", "test_sixty_near_equal_sentences_have_sixty_different_places"),
    "A19 unsafe load": ("index/test_dense.py", "test_a_pickle_in_the_folder_is_left_alone"),
    "A20 uploads at once": ("index/test_store.py", "test_twenty_uploads_from_ten_threads"),
    "A23 JSON in fences": ("agent/test_reply.py", "test_a_reported_reply_is_understood"),
    "A24 plain text reply": ("agent/test_language.py", "test_prose_before_any_search_gets_one_nudge"),
    "A25 odd tool calls": (
        "agent/test_language.py",
        "test_an_odd_tool_call_is_answered_with_what_was_wrong_and_the_run_goes_on",
    ),
    "A26 same search": (
        "agent/test_language.py",
        "test_the_same_search_for_ever_is_noticed_and_ends_with_what_was_found",
    ),
    "A27 follow-up questions": (
        "test_followups.py",
        "test_and_cedar_asks_of_cedar_what_was_asked_of_birch",
    ),
    "A28 rate limits": (
        "test_workspace_embeddings.py",
        "test_a_report_whose_embedding_fails_is_found_by_word_and_says_why",
    ),
    "A29 server without tools": (
        "agent/test_language.py",
        "test_the_first_way_that_the_server_takes_is_used_and_remembered",
    ),
    "A30 embedding input": ("models/test_endpoint_embedder.py", "test_a_server_is_sent_strings_in_bounded_batches"),
    "A31 client goes away": ("models/test_chat.py", "test_cancelling_ends_it_at_once_and_closes_the_connection"),
    "A32 dollar signs": ("pages/test_chat.py", "test_dollars_and_markup_are_shown_letter_for_letter"),
    "A33 re-runs": ("pages/test_documents.py", "test_an_upload_is_taken_in_once_whatever_is_clicked_next"),
    "A34 users see each other": ("pages/test_app.py", "test_on_another_address_a_session_sees_its_own_runs_alone"),
    "A35 HTML": ("pages/test_documents.py", "test_html_of_a_file_and_of_its_name_is_text"),
}
SERVED = {"A37"}  # of the HTTP interface alone


@pytest.fixture
def library(tmp_path):
    with Workspace.open(Settings(data=tmp_path / "library", embeddings="off")) as opened:
        yield opened


@pytest.fixture
def add(library):
    """Adds files by name or as uploads; gives why each of those that failed did."""

    def add(*files):
        uploads = [each if isinstance(each, Upload) else read(each) for each in files]
        ends = [end for end in library.add(uploads) if end.stage in ("added", "failed", "duplicate")]
        assert len(ends) == len(uploads)
        assert check(library._store) == ()
        return {end.file: end.error for end in ends if end.error}

    return add


def read(name):
    path = next(folder / name for folder in (ODD, CASES) if (folder / name).exists())
    return Upload(path.name, path.read_bytes())


def found(library, text, scorer="hybrid"):
    """Texts of the passages that a query finds, best first."""
    return [hit.passage.text for hit in library.search(Query(text), scorer=scorer).hits]


def answer(library, question, **more):
    *_, finished = library.ask(question, **more)
    return finished.trace


def test_each_case_has_a_test():
    here = {name[5:8].upper() for name in globals() if re.match(r"test_a\d\d_", name)}
    there = {name[:3] for name in ELSEWHERE}
    assert here | there | SERVED == {f"A{number:02}" for number in range(1, 38)}
    for file, test in ELSEWHERE.values():
        assert f"def {test}(" in (TESTS / file).read_text("utf-8"), (file, test)


def test_a01_a_file_that_points_at_itself_ends_and_the_next_is_read(library, add):
    failed = add("prev_loop.pdf", GOOD)
    assert "good.txt" not in failed
    assert found(library, "revenue")


def test_a02_what_is_not_the_format_it_claims_is_told_and_not_stored(library, add):
    failed = add("html_renamed.pdf", "png_renamed.pdf", Upload("zero.pdf", b""), Upload("zero.txt", b""), GOOD)
    said = {"html_renamed.pdf": "HTML page", "png_renamed.pdf": "PNG", "zero.pdf": "empty", "zero.txt": "empty"}
    assert {file for file, word in said.items() if word in failed[file]} == set(said)
    assert [document.file for document in library.documents()] == ["good.txt"]


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


def test_a05_three_thousand_pages_show_progress_and_the_right_page_is_found(library):
    data = pdf(*(f"Site {number}\nThis site made {number * 7} units in the year." for number in range(1, 3001)))
    seen = []
    for event in library.add([Upload("sites.pdf", data)]):
        seen.append(event.done)
        library.documents()  # what others see meanwhile
    assert len(set(seen)) > 100
    (best, *_) = library.search(Query("units of site 2718")).hits
    assert (best.passage.page, "19026" in best.passage.text) == (2718, True)


def test_a06_ligatures_are_folded_and_private_glyphs_break_nothing(library, add):
    assert add("ligature.pdf", "private_use.pdf") == {}
    for query in ("profit", "cash flow", "confirmed"):
        assert found(library, query, "keyword"), query
    pages = [library.page(document.id, 1).text for document in library.documents()]
    assert not re.search("[\ue000-\uf8ff]", "".join(pages))


def test_a07_a_model_s_marker_is_plain_text_everywhere(library, add):
    assert add("endoftext.txt", "endoftext.pdf", Upload("<|endoftext|>.txt", GOOD.data)) == {}
    assert found(library, "marker endoftext")
    assert "12 million" in answer(library, "What was the licence income? <|endoftext|>").answer.text


def test_a08_text_of_any_common_encoding_is_read_and_a_guess_is_said(library, add):
    files = ("cp1252.txt", "utf16le_bom.txt", "utf8_bom.txt")
    assert add(*files) == {}
    for file in files:
        document = library.document(file)
        text = library.page(document.id, 1).text
        assert "März: 1.204 Mio. €" in text and "\ufeff" not in text
    assert any("cp1252" in note for note in library.document("cp1252.txt").notes)
    assert len(found(library, "März")) == len(found(library, "1.204")) == 3


def test_a09_brackets_are_negatives_and_a_number_keeps_its_row_and_year(library, add):
    add("negatives_table.pdf")
    said = answer(library, "What was the change in inventory in 2023 and 2022?").answer.text
    assert re.search(r"[-(−]\$?2,345", said) and "612" in said
    assert re.search(r"[-(−]\$?88", answer(library, "What were the dividends paid in 2022?").answer.text)


def test_a10_a_fiscal_year_is_the_company_s_own(library, add):
    add("fiscal_year.pdf")
    said = answer(library, "What were the sales in fiscal 2023?").answer.text
    assert "910" in said and "860 million [" not in said


def test_a11_each_of_three_files_answers_for_itself(library, add):
    add("A11_alder_2023.txt", "A11_birch_2023.txt", "A11_cedar_2023.txt")
    trace = answer(library, "Compare research and development spending of Alder, Birch and Cedar.")
    assert all(figure in trace.answer.text for figure in ("50", "31", "9 million"))
    assert {citation.file for citation in trace.answer.citations} == {document.file for document in library.documents()}


def test_a12_a_page_is_cited_as_it_is_printed(library, add):
    add("roman_labels.pdf")
    trace = answer(library, "What is the dividend per share?")
    assert "0.42" in trace.answer.text
    assert trace.answer.citations[0].passage.place == "p. 5 (sheet 9)"


def test_a15_a_deleted_report_is_never_quoted_again(library, add):
    add("A15_delete_me.txt", GOOD)
    first = answer(library, "What is the secret project called?")
    assert "Bluebell" in first.answer.text
    library.remove("A15_delete_me.txt")
    again = answer(library, "What is the secret project called?", history=library.history([first.run_id]))
    assert "Bluebell" not in str(again) and "2.4" not in again.answer.text
    assert all("Bluebell" not in text for scorer in library.scorers() for text in found(library, "Bluebell", scorer))
    library.close()
    for path in library.settings.data.rglob("*"):
        assert path.is_dir() or b"Bluebell" not in path.read_bytes(), path


def test_a16_a_file_of_the_same_name_replaces_or_stands_beside_and_is_never_mixed(library):
    old, new = (read(f"A16_v{number}/annual_report.txt") for number in (1, 2))
    list(library.add([old]))
    assert library.new_versions([new])
    list(library.add([new], replace=True))
    assert [re.findall(r"\d+ million", text) for text in found(library, "passenger numbers")] == [["14 million"]]
    list(library.add([old]))
    assert len({document.title for document in library.documents()}) == 2


def test_a17_a_name_is_shown_as_it_is_and_never_becomes_a_path(library, add):
    names = [
        "../../evil.txt",
        "/etc/passwd",
        "a\\b.txt",
        "レポート.pdf",
        "<img src=x>.txt",
        "con.txt",
        "x" * 300 + ".txt",
    ]
    uploads = [Upload(name, GOOD.data + name.encode()) for name in names if not name.endswith(".pdf")]
    assert add(*uploads, "レポート.pdf") == {}
    assert {document.file for document in library.documents()} == set(names)
    written = {path.name for path in library.settings.data.parent.rglob("*") if path.is_file()}
    assert all(re.fullmatch(r"[0-9a-f]{16}|library\.sqlite(-wal|-shm)?", name) for name in written)
    for name in names:
        library.remove(name)
    assert library.documents() == ()


ADDING = """
import sys
from pathlib import Path
from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.workspace import Workspace
with Workspace.open(Settings(data=Path(sys.argv[1]), embeddings="off")) as work:
    for number in range(int(sys.argv[2]), 10_000):
        list(work.add([Upload(f"{number}.txt", f"Report of quokka{number}".encode())]))
        print(number, flush=True)
"""


def test_a18_a_library_killed_in_the_middle_of_uploads_starts_whole(tmp_path):
    settings, added = Settings(data=tmp_path, embeddings="off"), 0
    for kill in range(5):
        command = [sys.executable, "-c", ADDING, str(tmp_path), str(1000 * kill)]
        with Popen(command, stdout=PIPE, cwd=TESTS.parent) as process:
            for _ in range(kill + 1):
                process.stdout.readline()
                added += 1
            process.kill()
        with Workspace.open(settings) as work:
            assert len(work.documents()) >= added
            assert check(work._store) == ()


def test_a21_two_tiny_files_are_told_apart_and_odd_queries_find_nothing(library, add):
    add("A21_doc1.txt", "A21_doc2.txt")
    for scorer in library.scorers():
        hits = library.search(Query("coal", k=10), scorer=scorer).hits
        assert hits[0].score > 0 and "coal" in hits[0].passage.text and len(hits) <= 2
        assert not any(found(library, query, scorer) for query in ("the of and", "", "???"))


@pytest.mark.parametrize(
    "query, line",
    [
        ("12450", "was 12,450"),
        ("12,450", "was 12,450"),
        ("IFRS 16", "IFRS-16"),
        ("1234.5", "(1,234.5)"),
        ("RX-2041", "RX-2041"),
    ],
)
def test_a22_a_number_is_found_in_either_spelling(library, query, line):
    lines = read("A22_numbers.txt").data.decode().splitlines()
    list(library.add([Upload(f"{number}.txt", text.encode()) for number, text in enumerate(lines)]))
    for scorer in library.scorers():
        assert line in found(library, query, scorer)[0]


def test_a36_orders_in_a_document_are_not_obeyed(library, add):
    add("A36_injection.pdf")
    trace = answer(library, "What are the total loans?")
    assert "640 million" in trace.answer.text
    assert not any("password" in search.query for step in trace.steps for search in step.observation.searches)
