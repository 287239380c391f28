import json

from rag.types import Query
from tests.pages.reading import shown

SET = [
    {
        "id": "s1",
        "kind": "cross-theme",
        "question": "What do the reports say about the supply chain?",
        "expected": {"alder_2023.txt": [1], "birch_2023.txt": [1], "elm_2023.txt": []},
    },
    {"id": "s2", "kind": "single", "question": "What was Alder's revenue?", "expected": {"alder_2023.txt": [1]}},
]

EVIDENCE = {"evidence_page_num": 4}


def upload(page, text: str):
    page.file_uploader[0].upload("set.jsonl", text.encode()).run()
    assert not page.exception
    return page


def test_a_question_set_is_asked_and_scored(library, show):
    page = upload(show("quality/evaluation"), "\n".join(map(json.dumps, SET)))
    next(button for button in page.button if button.label == "Ask 2 questions").click().run()
    assert not page.exception
    text = shown(page)
    assert "| ledger true | 1.00 |" in text
    assert "What was Alder's revenue?" in text
    assert [link.label for link in page.page_link].count("Open trace") == 2
    assert len(library.traces()) == 2
    page.run()
    assert "ledger true" in shown(page)


def test_a_line_that_is_no_question_is_named(library, show):
    page = upload(show("quality/evaluation"), "{}\n")
    assert "set.jsonl:1" in shown(page)


def test_files_that_the_library_lacks_are_named(library, show):
    page = upload(show("quality/evaluation"), json.dumps(SET[1] | {"expected": {"fir.pdf": [1]}}))
    assert "Not in this library: fir.pdf" in shown(page)


def test_questions_about_missing_reports_alone_are_left_out(library, show):
    row = {"financebench_id": "f1", "question_type": "metrics", "question": "What was Fir's revenue?"}
    page = upload(show("quality/evaluation"), json.dumps(row | {"doc_name": "FIR", "evidence": [EVIDENCE]}))
    assert "Not in this library: FIR.pdf. 1 of 1 question left out." in shown(page)
    assert next(button for button in page.button if button.label == "Ask 0 questions").disabled


def test_the_challenge_is_taken_as_its_two_files(library, show):
    question = 'What was the revenue of "Alder"?'
    page = show("quality/evaluation")
    for name, answer in (("questions.json", None), ("answers.json", 119_600_000_000)):
        page.file_uploader[0].upload(name, json.dumps([{"question": question, "answer": answer}]).encode())
    page.run()
    next(button for button in page.button if button.label == "Ask 1 question").click().run()
    assert not page.exception
    assert "erc (1)" in shown(page)
    assert library.traces()[0].question == question


def test_an_empty_library_invites(workspace, show):
    assert "No reports yet" in shown(show("quality/evaluation"))


def test_retrieval_tests_are_run_and_forgotten(library, show):
    files = ("alder_2023.txt", "birch_2023.txt")
    alder, birch = (library.passages(library.document(file).id)[0].id for file in files)
    passing = library.keep_test(Query("castings", k=1), alder)
    failing = library.keep_test(Query("castings", k=1), birch)
    page = show("quality/evaluation")
    assert shown(page).count("not run") == 2
    page.button(key="run-tests").click().run()
    assert not page.exception
    text = shown(page)
    assert "1 of 2 passed." in text
    assert "rank 1" in text
    assert "p. 1, among the first 1 of the whole library" in text
    page.button(key=f"forget-{failing.id}").click().run()
    assert library.retrieval_tests() == (passing,)


def test_without_retrieval_tests_the_way_to_one_is_told(library, show):
    page = show("quality/evaluation")
    assert "No test yet." in shown(page)
    assert "Search" in [link.label for link in page.page_link]


def test_the_set_about_the_samples_is_asked_where_they_are(library, show):
    page = show("quality/evaluation")
    assert next(button for button in page.button if button.label == "Ask 0 questions").disabled
    page.button(key="samples").click().run()
    assert not page.exception
    assert not next(button for button in page.button if button.label.startswith("Ask")).disabled
