from rag.agent.answers.fact import EACH, SENTENCES, fact_answer
from rag.agent.tools import use_tool
from rag.search.question import read_question
from tests.agent.shelf import step


def answer(shelf, question):
    run = shelf.state(question)
    asked = read_question(question, without=run.scope.names)
    run.take(step(use_tool("search_documents", {"query": asked.topic}, run)))
    return fact_answer(run, asked).text


def test_the_sentence_that_says_what_is_asked_leads(shelf):
    shelf.add(
        "elm.txt", "Our shops are in Leeds. Jane Smith chairs the board. The board met twice last year.", company="Elm"
    )
    assert answer(shelf, "Who chairs the board?").startswith("- **Elm**: Jane Smith chairs the board. [1]")


def test_each_report_has_its_line(three):
    lines = answer(three, "Who fears climate change?").splitlines()
    assert [line.split("**")[1] for line in lines] == ["Alder annual report 2023", "Birch annual report 2023"]
    assert "Climate change brings drought to our almond orchards in the south. [" in lines[0]


def test_an_answer_stays_short(shelf):
    for n in range(3):
        shelf.add(f"{n}.txt", " ".join(f"Wasps sting pickers of plot {n}{m} badly." for m in range(9)))
    lines = answer(shelf, "What do wasps sting?").splitlines()
    marks = [line.count("[") for line in lines]
    assert len(lines) == 3
    assert max(marks) <= EACH and sum(marks) <= SENTENCES


def test_nothing_found_gives_no_text(three):
    assert answer(three, "Who flies zeppelins?") == ""
