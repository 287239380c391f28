"""For people who already use LangChain: the library as a retriever, the agent as a runnable."""

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import ConfigDict

from rag.result import to_result
from rag.types import Mode, Query, RunFinished, ScorerName
from rag.workspace import Workspace


class TracebookRetriever(BaseRetriever):
    """Passages that match a query, best first; metadata: file, title, page, label, recognised, score, passage_id."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    workspace: Workspace
    k: int = 5
    scorer: ScorerName = "hybrid"
    documents: tuple[str, ...] | None = None  # ids or file names; None: the whole library

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[LangChainDocument]:
        asked = Query(query, k=self.k, documents=self.workspace.resolve(self.documents))
        known = {document.id: document for document in self.workspace.documents()}
        return [
            LangChainDocument(
                hit.passage.text,
                id=hit.passage.id,
                metadata={
                    "file": known[hit.passage.document_id].file,
                    "title": known[hit.passage.document_id].title,
                    "page": hit.passage.page,
                    "label": hit.passage.label,
                    "recognised": hit.passage.recognised,
                    "score": hit.score,
                    "passage_id": hit.passage.id,
                },
            )
            for hit in self.workspace.search(asked, scorer=self.scorer).hits
        ]


def as_runnable(
    workspace: Workspace, *, mode: Mode = "agent", documents: Sequence[str] | None = None
) -> Runnable[str, dict[str, Any]]:
    """A question in; out comes what `ask --json` prints: answer, citations, coverage, trace."""

    def tracebook(question: str) -> dict[str, Any]:
        events = workspace.ask(question, documents=documents, mode=mode)
        return [to_result(event.trace) for event in events if isinstance(event, RunFinished)][-1]

    return RunnableLambda(tracebook)
