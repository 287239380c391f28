"""A small made run, shared by the tests of what stores and exports runs."""

from rag.types import (
    Answer,
    Citation,
    Component,
    CoverageRow,
    Decision,
    Hit,
    Observation,
    Passage,
    Search,
    SentenceCheck,
    Step,
    Trace,
    Usage,
)

ALDER = Passage("a1:0", "a1", 12, "iv", 0, 24, "Revenue was $12 million.", ("Results",), "income", 6)
HIT = Hit(ALDER, 0.83, (Component("bm25", 0.8, 1), Component("dense", 0.9, None)), ("revenue",), ("2023",))
SEARCH = Search("revenue 2023", ("a1", "b2"), (HIT,), {"a1": 0.83, "b2": 0.0}, {"a1": 0, "b2": 2})
LOOK = Decision("Find revenue.", "search_documents", {"query": "revenue 2023", "documents": ["a1", "b2"]})
REPLY = Decision("Enough.", "answer_directly", {})


def run(
    run_id: str = "run-1", *, question: str = "What was Alder's revenue?", started_at: str = "2026-01-01T00:00:00Z"
):
    return Trace(
        run_id=run_id,
        question=question,
        mode="agent",
        reasoner="rules",
        status="partial",
        selection=None,
        scope=("a1", "b2"),
        titles={"a1": "Alder 10-K 2023", "b2": "Birch 10-K 2023"},
        steps=(
            Step(1, "plan", None, "Two reports.", Observation("Scope: 2 reports."), started_at, 0.1),
            Step(
                2, "action", LOOK, "Find revenue.", Observation("1 passage.", (SEARCH,)), started_at, 0.2, Usage(5, 2)
            ),
            Step(3, "sweep", None, "Birch was never searched.", Observation("Nothing."), started_at, 0.1),
            Step(4, "action", REPLY, "Enough.", Observation("Answered."), started_at, 0.0),
        ),
        retrieved=(HIT,),
        coverage=(
            CoverageRow("a1", "alder.pdf", "Alder 10-K 2023", "cited", 1, 0.83, 1, 1),
            CoverageRow("b2", "birch.pdf", "Birch 10-K 2023", "nothing_found", 2, 0.0, 0, 0),
        ),
        answer=Answer(
            "**Alder**: revenue was $12 million [1].",
            (Citation(1, ALDER, "alder.pdf", "Alder 10-K 2023", 0.83),),
            (SentenceCheck("Revenue was $12 million.", True, "1 of 1 numbers stand in [1]"),),
            12e6,
            "strong",
            ("Birch 10-K 2023: nothing found.",),
            ("Cedar",),
        ),
        iterations=2,
        iteration_limit=5,
        started_at=started_at,
        seconds=0.4,
        usage=Usage(5, 2),
    )
