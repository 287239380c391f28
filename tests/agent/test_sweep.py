from rag.agent.sweep import sweep
from rag.types import Observation
from tests.agent.shelf import search, step

THEME = "Which reports mention pollinator decline as a risk?"


def titles(run, search):
    return [run.by_id[i].title.split()[0] for i in search.documents]


def test_a_run_without_searches_is_swept_for_the_questions_topic(three):
    run = three.state(THEME)
    seen = sweep(run)
    assert [(s.query, titles(run, s)) for s in seen.searches] == [
        ("pollinator decline risk", ["Alder", "Birch", "Cedar"])
    ]
    assert seen.text.endswith("passages in 3 documents never searched before.")


def test_a_run_with_searches_is_swept_for_each_of_them_where_it_did_not_look(three):
    run = three.state(THEME)
    alder = run.selection[0].id
    run.take(step(Observation("", (search("bees", [alder]), search("hives", [alder]), search("bees", [alder])))))
    assert [(s.query, titles(run, s)) for s in sweep(run).searches] == [
        ("bees", ["Birch", "Cedar"]),
        ("hives", ["Birch", "Cedar"]),
    ]


def test_where_summaries_are_asked_for_it_makes_them(three):
    run = three.state("Summarise the reports")
    seen = sweep(run)
    assert seen.searches == ()
    assert {p.document_id for p in seen.passages} == set(run.scope.documents)


def test_a_question_without_a_topic_is_swept_for_as_it_stands(three):
    assert [s.query for s in sweep(three.state("???")).searches] == ["???"]
