import json
import sqlite3
from dataclasses import replace

import nbformat
import pytest

from rag.notebook import (
    NotebookStore,
    add_cell,
    delete_cell,
    edit_cell,
    new_cell,
    new_notebook,
    to_jupyter,
    to_markdown,
    to_text,
)
from tests.runs import run


@pytest.fixture
def store():
    connection = sqlite3.connect(":memory:")
    yield NotebookStore(lambda: connection)
    connection.close()


@pytest.fixture
def notebook():
    asked = replace(new_cell("What was Alder's revenue?"), run_id="run-1")
    return add_cell(add_cell(new_notebook("Revenue <b>"), asked), new_cell("And Birch?"))


def test_addresses_cannot_be_guessed():
    ids = {new_notebook().id for _ in range(100)}
    assert len(ids) == 100
    assert min(map(len, ids)) >= 22  # 16 random bytes


def test_cells_are_added_edited_and_deleted_without_touching_the_others(notebook):
    first, second = notebook.cells
    edited = edit_cell(notebook, replace(second, question="And Cedar?"))
    assert [cell.question for cell in edited.cells] == ["What was Alder's revenue?", "And Cedar?"]
    assert delete_cell(edited, first.id).cells == edited.cells[1:]
    assert notebook.cells == (first, second)


def test_a_notebook_is_kept_replaced_and_deleted(store, notebook):
    store.save(notebook)
    store.save(replace(notebook, title="Again"))
    assert store.load(notebook.id) == replace(notebook, title="Again")
    store.delete(notebook.id)
    assert store.load(notebook.id) is None


def test_an_owner_lists_only_their_notebooks_newest_first(store):
    old, new, other = (replace(new_notebook(str(day)), created_at=f"2026-01-0{day}") for day in (1, 2, 3))
    store.save(new, owner="me")
    store.save(old, owner="me")
    store.save(other, owner="them")
    store.save(replace(other, title="3b"), owner="me")
    assert store.all(owner="me") == (new, old)
    assert [each.title for each in store.all()] == ["3b", "2", "1"]


def test_the_markdown_has_each_question_its_folded_steps_its_answer_and_its_ledger(notebook):
    text = to_markdown(notebook, {"run-1": run()})
    parts = [
        "# Revenue \\<b\\>",
        "## What was",
        "<details>",
        "</details>",
        "\\$12 million [1]",
        "p. iv (sheet 12)",
        "Birch 10-K",
    ]
    assert [text.find(part) >= 0 for part in parts] == [True] * len(parts)
    assert text.endswith("## And Birch?\n\nNot run yet.\n")


def test_the_text_has_each_question_its_answer_and_what_it_cites(notebook):
    text = to_text(notebook, {"run-1": run()})
    assert text.startswith("Revenue <b>\n\nQ: What was Alder's revenue?\nA: **Alder**: revenue was $12 million [1].\n")
    assert "[1] alder.pdf, p. iv (sheet 12)" in text
    assert text.endswith("Q: And Birch?\nA: Not run yet.\n")


def test_the_jupyter_notebook_is_valid(notebook):
    text = to_jupyter(notebook, {"run-1": run()})
    nbformat.validate(json.loads(text))
    assert [cell["cell_type"] for cell in json.loads(text)["cells"]] == ["markdown"] * 6


def test_a_document_cannot_close_the_fold_nor_draw_an_image(notebook):
    trace = run()
    step = replace(trace.steps[0], thought="</details><script>alert(1)</script> ![x](http://x/y)")
    text = to_markdown(notebook, {"run-1": replace(trace, steps=(step,))})
    assert text.count("</details>") == text.count("<details>") == 1
    assert "<script" not in text.replace("\\<", "")
