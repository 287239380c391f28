"""One search, one pass, as most systems do; kept to show beside the agent what planning buys."""

from rag.agent.answers.fact import fact_answer
from rag.agent.run import Run
from rag.search.question import Asked
from rag.types import Decision, Observation, Query, Search
from rag.words import count


def search_in_one_pass(run: Run) -> Observation:
    """The best `top_k` passages of all documents together, for the question as it stands."""
    everything = tuple(document.id for document in run.selection)
    result = run.retriever.search(Query(run.question, k=run.top_k, documents=everything))
    touched = tuple(dict.fromkeys(hit.passage.document_id for hit in result.hits))
    best: dict[str, float] = {}
    for hit in result.hits:
        best.setdefault(hit.passage.document_id, hit.score)
    search = Search(run.question, touched, result.hits, best, near={})
    return Observation(
        f"{count(len(result.hits), 'passage')} in {len(touched)} of {count(len(everything), 'document')}.",
        searches=(search,),
    )


def answer_in_one_pass(run: Run) -> Decision:
    """The best sentences of those passages."""
    draft = fact_answer(run, Asked("fact", run.question))
    if not draft.text:
        draft.count("No passage matches the question.")
    given: dict[str, object] = {"answer": draft.text, "counted": draft.counted, "said": draft.said}
    return Decision("The answer is written from these passages alone.", "answer_directly", given)
