"""The search that the code itself makes, before an answer, in documents of the scope that were never searched."""

from rag.agent.run import Run
from rag.agent.tools import get_document_summary, search_each
from rag.search.question import read_question
from rag.types import Observation
from rag.words import count


def sweep(run: Run) -> Observation:
    """What the run's own queries, or the question's topic where it made none, find in the open documents.

    Where summaries are asked for, theirs.
    """
    queries = list(dict.fromkeys(search.query for search in run.searches))
    asked = read_question(run.asked, without=run.scope.names)
    documents = run.open
    if asked.intent == "summary":
        return get_document_summary({"documents": documents}, run)
    searches = tuple(
        search_each(q, documents, run, top_k=run.top_k, exact=asked.intent == "theme")
        for q in queries or [q for q in asked.queries if q] or [run.asked]
    )
    found = sum(len(search.hits) for search in searches)
    return Observation(
        f"{count(found, 'passage')} in {count(len(documents), 'document')} never searched before.", searches=searches
    )
