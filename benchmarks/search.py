"""One search in a library of real filings, against LangChain's usual hybrid, with the same vectors in the same run:

    python benchmarks/search.py DIR --questions FILE.jsonl [--data LIBRARY]

Ours, as the agent does: the documents that the question is about, what it asks for, then `hybrid` for that over them.
Theirs: EnsembleRetriever over BM25Retriever and FAISS, over all passages, as it knows no scope. Both embed what they
look for with the same model and remember it. Each question is asked once ("first": no passage, word or question was
seen before, but where an earlier one needed it) and once more ("again"). Embedding 34 filings takes a quarter of an
hour: keep the library with --data.
"""

import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.filings import asked
from rag.index.store import Store
from rag.models.minilm import MiniLM
from rag.search.planned import planned_query
from rag.search.question import read_question
from rag.search.scope import find_scope
from rag.types import Query
from rag.workspace import Workspace

K = 10

Ask = Callable[[str], int]  # a question in, the number of passages found out


def ours(workspace: Workspace, *, scoped: bool) -> Ask:
    """The search of this project, the finding of its scope included."""
    documents = workspace.documents()

    def ask(question: str) -> int:
        scope = find_scope(question, documents)
        queries = [query for query in read_question(question, without=scope.names).queries if query] if scoped else []
        among = scope.documents if scoped else None
        return len(workspace.search(planned_query((queries or [question])[0], k=K, documents=among)).hits)

    return ask


def usual(store: Store, model: MiniLM) -> Ask:
    """LangChain's ensemble over the same passages and vectors, weighted half and half as in its documentation."""
    with warnings.catch_warnings(action="ignore"):  # langchain-community says that it is being sunset
        from langchain_classic.retrievers import EnsembleRetriever
        from langchain_community.retrievers import BM25Retriever
        from langchain_community.vectorstores import FAISS
    from langchain_core.embeddings import Embeddings

    embedded = lru_cache(lambda text: model.embed([text])[0].tolist())

    class Model(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [self.embed_query(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return embedded(text)

    vectors = store.vectors(model.name)
    passages = store.passages_at(vectors.rows.tolist())
    texts = ["\n".join((*passages[row].headings, passages[row].text)) for row in vectors.rows.tolist()]
    index = FAISS.from_embeddings(list(zip(texts, vectors.matrix.tolist(), strict=True)), Model())
    ensemble = EnsembleRetriever(
        retrievers=[BM25Retriever.from_texts(texts, k=K), index.as_retriever(search_kwargs={"k": K})],
        weights=[0.5, 0.5],
    )
    return lambda question: len(ensemble.invoke(question))


def milliseconds(ask: Ask, question: str) -> float:
    began = time.perf_counter()
    ask(question)
    return 1000 * (time.perf_counter() - began)


def run(workspace: Workspace, questions: Sequence[str]) -> None:
    """Each question goes to both in turn, so that what else the machine does falls on both."""
    workspace.search(Query("revenue"))  # loads the model and opens the index
    store, model = Store.open(workspace.settings.data), MiniLM()
    mine, theirs, everywhere = ours(workspace, scoped=True), usual(store, model), ours(workspace, scoped=False)
    theirs("revenue")
    for turn in ("first", "again"):
        spent = [(milliseconds(mine, question), milliseconds(theirs, question)) for question in questions]
        here, there = zip(*spent, strict=True)
        show(f"Tracebook, hybrid with scope, {turn}", here)
        show(f"LangChain EnsembleRetriever, {turn}", there)
        print(f"ratio of medians, {turn}: {median(there) / median(here):.1f}")
    show("Tracebook, hybrid without scope, again", [milliseconds(everywhere, question) for question in questions])
    store.close()


def show(name: str, spent: Sequence[float]) -> None:
    print(f"{name:40}median {median(spent):6.1f} ms, p95 {quantiles(spent, n=20)[-1]:6.1f} ms")


if __name__ == "__main__":
    with asked(__doc__) as (workspace, questions):
        run(workspace, questions)
