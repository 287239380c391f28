from rag.agent.coverage import ledger, not_covered
from tests.agent.shelf import hit, passage, search
from tests.search.cards import report

ALDER, BIRCH, CEDAR, DAMSON = (report(name) for name in ("Alder", "Birch", "Cedar", "Damson"))
ALL = (ALDER, BIRCH, CEDAR, DAMSON)


def test_a_row_for_each_document_with_its_state():
    cited, offered = hit("a", document=ALDER.id, score=0.9), hit("b", document=BIRCH.id, score=0.4)
    searches = [
        search("x", [ALDER.id, BIRCH.id, CEDAR.id], [cited, offered]),
        search("y", [ALDER.id, CEDAR.id], near={CEDAR.id: 2}),
    ]
    rows = ledger(ALL, searches, [cited, offered], [cited.passage.id])
    assert [(r.title, r.state, r.searches, r.best, r.offered, r.cited) for r in rows] == [
        ("Alder 10-K 2022", "cited", 2, 0.9, 1, 1),
        ("Birch 10-K 2022", "offered", 1, 0.4, 1, 0),
        ("Cedar 10-K 2022", "nothing_found", 2, 0.0, 0, 0),
        ("Damson 10-K 2022", "not_searched", 0, 0.0, 0, 0),
    ]


def test_a_document_that_was_read_is_no_longer_open():
    (row,) = ledger([ALDER], [], [], [], read=[passage("a", document=ALDER.id)])
    assert (row.state, row.searches) == ("nothing_found", 0)


def test_a_citation_of_what_was_never_offered_counts_nothing():
    (row,) = ledger([ALDER], [search("x", [ALDER.id])], [], ["elsewhere:0"])
    assert row.state == "nothing_found"


def told(rows, *, absent=(), gaps=(), searches=(), single_shot=False):
    return list(not_covered(rows, absent, gaps, searches, single_shot=single_shot))


def test_what_is_covered_is_not_told():
    offered = hit("a", document=ALDER.id)
    assert told(ledger([ALDER], [search("x", [ALDER.id], [offered])], [offered], [])) == []


def test_absent_names_and_gaps_are_told_first():
    assert told(
        ledger([ALDER], [search("x", [ALDER.id])], [], []), absent=["Elm"], gaps=["The library holds no 2024."]
    ) == [
        "Elm: no document in the library bears this name.",
        "The library holds no 2024.",
        "Alder 10-K 2022: nothing found on this in one search; no passage came near.",
    ]


def test_how_near_a_search_came_is_told():
    searches = [
        search("x", [ALDER.id], near={ALDER.id: 2}),
        search("y", [ALDER.id], near={ALDER.id: 1}),
    ]
    searches[0].best[ALDER.id] = 0.31
    assert told(ledger([ALDER], searches, [], []), searches=searches) == [
        "Alder 10-K 2022: nothing found on this in 2 searches; 3 passages came near, the best at 0.31."
    ]


def test_single_shot_names_what_it_did_not_touch():
    rows = ledger([ALDER], [], [], [])
    assert told(rows, single_shot=True) == ["Alder 10-K 2022: the single search did not touch it."]
    assert told(rows) == ["Alder 10-K 2022: not searched before the run ended."]
