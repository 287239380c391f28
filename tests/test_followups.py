"""A conversation without a model: a follow-up is read from the question before it, in its own conversation alone."""

from pathlib import Path

import pytest

from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.workspace import Workspace

CASES = Path(__file__).parent / "data" / "cases"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with Workspace.open(Settings(data=tmp_path_factory.mktemp("cases"), embeddings="off")) as workspace:
        list(workspace.add([Upload(path.name, path.read_bytes()) for path in sorted(CASES.glob("A11_*.txt"))]))
        yield workspace


def ask(workspace, question, *earlier):
    *_, last = workspace.ask(question, history=workspace.history([trace.run_id for trace in earlier]))
    return last.trace


def test_and_cedar_asks_of_cedar_what_was_asked_of_birch(library):
    first = ask(library, "What did Birch spend on R&D?")
    assert "31" in first.answer.text and first.asked is None
    second = ask(library, "and Cedar?", first)
    assert second.asked == "What did Cedar spend on R&D?" and second.question == "and Cedar?"
    assert "Read as: “What did Cedar spend on R&D?”" in second.steps[0].thought
    assert [second.titles[each] for each in second.scope] == ["Cedar Mills annual report 2023"]
    assert "9" in second.answer.text and {c.file for c in second.answer.citations} == {"A11_cedar_2023.txt"}
    third = ask(library, "and Alder?", first, second)
    assert third.asked == "What did Alder spend on R&D?" and "50" in third.answer.text


def test_a_new_conversation_knows_nothing_of_another(library):
    ask(library, "What did Birch spend on R&D?")
    assert ask(library, "and Cedar?").asked is None


def test_single_shot_takes_the_question_as_it_stands(library):
    first = ask(library, "What did Birch spend on R&D?")
    *_, last = library.ask("and Cedar?", mode="single_shot", history=library.history([first.run_id]))
    assert last.trace.asked is None


def test_a_run_that_is_gone_is_no_part_of_a_conversation(library):
    assert library.history(["no such run"]) == ()


def test_what_a_document_says_to_a_model_steers_nothing(library):
    list(library.add([Upload("loans.pdf", (CASES / "A36_injection.pdf").read_bytes())]))
    *_, last = library.ask("What were total loans?", documents=["loans.pdf"])
    assert "640" in last.trace.answer.text
    queries = [search.query for step in last.trace.steps for search in step.observation.searches]
    assert queries and not [query for query in queries if "password" in query]
