from rag.agent.answers.summary import summary_answer
from rag.agent.tools import use_tool
from tests.agent.shelf import step


def test_each_report_that_was_read_in_its_own_sentences_cited(three):
    run = three.state("Summarise the reports")
    for name in ("alder.md", "cedar.md"):
        run.take(step(use_tool("get_document_summary", {"document": name}, run)))
    lines = summary_answer(run).text.splitlines()
    assert lines[0] == "**Alder annual report 2023**"
    assert "- Pollinator decline could cut our almond harvest by a third. [1]" in lines
    assert any(line.startswith("- Intense competition may lower our prices. [") for line in lines)
    assert not any("Birch" in line for line in lines)


def test_without_anything_read_it_is_empty(three):
    assert summary_answer(three.state("Summarise the reports")).text == ""


def test_every_sentence_stands_in_what_it_cites(three):
    trace = three.ask("Summarise the reports")
    assert trace.answer.checks and all(check.supported for check in trace.answer.checks)
    assert {citation.file for citation in trace.answer.citations} == {"alder.md", "birch.md", "cedar.md"}
