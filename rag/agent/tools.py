"""The four actions. Each takes an action input and the run, and gives an observation; none has side effects.

Input that cannot be used raises `BadInput`, which the loop turns into an observation.
"""

from collections.abc import Callable, Mapping, Sequence

from rag.agent.compare import compare
from rag.agent.run import Run
from rag.agent.summary import summarise
from rag.errors import AmbiguousDocument, BadInput, TracebookError
from rag.search.planned import planned_query
from rag.search.support import LOOSE, SUPPORT, supports
from rag.types import Action, Hit, Observation, Passage, Search
from rag.words import count

FEW = 12  # passages that a search over one or two documents may offer in all
ToolInput = Mapping[str, object]


def search_documents(given: ToolInput, run: Run) -> Observation:
    """{"query" or "queries", "documents"?, "top_k"?, "exact"?}: each document is asked for itself and gives its share.

    Of each document the `top_k` best passages that pass the support threshold are offered, more where few are asked.
    With `exact` a passage has to say what is asked, so that a document's silence means something.
    """
    queries = _texts(given, "queries") or _texts(given, "query")
    if not queries:
        raise BadInput('search_documents needs a "query": the words to look for.')
    documents = _documents(given, run)
    top_k = _whole(given, "top_k", max(run.top_k, FEW // (max(1, len(documents)) * len(queries))))
    exact = bool(given.get("exact"))
    searches = tuple(search_each(query, documents, run, top_k=top_k, exact=exact) for query in queries)
    found = sum(len(search.hits) for search in searches)
    holding = {hit.passage.document_id for search in searches for hit in search.hits}
    best = max((hit.score for search in searches for hit in search.hits), default=0.0)
    text = f"{count(found, 'passage')} in {len(holding)} of {count(len(documents), 'document')}" + (
        f", best {best:.2f}." if found else "."
    )
    return Observation(text, searches=searches)


def search_each(query: str, documents: Sequence[str], run: Run, *, top_k: int, exact: bool = False) -> Search:
    """One search, asked once per document, so that a long report cannot crowd a short one out."""
    offered: list[Hit] = []
    best: dict[str, float] = {}
    near: dict[str, int] = {}
    for document in documents:
        if run.cancel.is_set():
            break  # what was searched so far is kept
        result = run.retriever.search(planned_query(query, k=4 * top_k, documents=(document,), exact=exact))
        passed = [hit for hit in result.hits if supports(hit, SUPPORT if exact else LOOSE)]
        offered += passed[:top_k]
        best[document] = result.hits[0].score if result.hits else 0.0
        near[document] = len(result.hits) - len(passed)
    offered.sort(key=lambda hit: (-hit.score, hit.passage.id))
    return Search(query, tuple(best), tuple(offered), best, near)


def get_document_summary(given: ToolInput, run: Run) -> Observation:
    """{"document" or "documents"}: sentences of each document's own passages that stand for the rest."""
    named = {"documents": given.get("document") or given.get("documents")}
    if not _texts(named, "documents"):
        raise BadInput('get_document_summary needs a "document": its title or file name.')
    chosen = {name: summarise(run.library.passages(name)) for name in _documents(named, run)}
    texts = (f"{run.by_id[name].title}: {' '.join(said for _, said in chosen[name])}" for name in chosen)
    kept = dict.fromkeys(passage for name in chosen for passage, _ in chosen[name])
    return Observation("\n".join(texts), passages=tuple(kept))


def compare_chunks(given: ToolInput, run: Run) -> Observation:
    """{"left", "right"}: passages by their id or by their number in the evidence; where they agree and contradict."""
    left, right = _passage(given, "left", run), _passage(given, "right", run)
    comparison = compare(left, right)
    kinds = [relation.kind for relation in comparison.relations]
    agree, contradict = kinds.count("agree"), kinds.count("contradict")
    names = " and ".join(f"{run.by_id[each.document_id].title} {each.place}" for each in (left, right))
    return Observation(
        f"{names}: {count(agree, 'point')} in agreement, {contradict} in contradiction.", comparison=comparison
    )


def answer_directly(given: ToolInput, run: Run) -> Observation:
    """{"answer"}: text whose [n] marks name offered passages."""
    if not _texts(given, "answer"):
        raise BadInput('answer_directly needs an "answer": the text, with [n] after each sentence.')
    return Observation("Answer given.")


TOOLS: Mapping[Action, Callable[[ToolInput, Run], Observation]] = {
    "search_documents": search_documents,
    "get_document_summary": get_document_summary,
    "compare_chunks": compare_chunks,
    "answer_directly": answer_directly,
}


def use_tool(action: str, given: ToolInput, run: Run) -> Observation:
    """What the tool observed, or what was wrong with its input."""
    tool = next((tool for name, tool in TOOLS.items() if name == action), None)
    if not tool:
        return Observation("", error=f"There is no action {action!r}. These exist: {', '.join(TOOLS)}.")
    try:
        return tool(given, run)
    except TracebookError as wrong:
        return Observation("", error=str(wrong))


def _texts(given: ToolInput, key: str) -> list[str]:
    value = given.get(key)
    values = value if isinstance(value, (list, tuple)) else [value]
    return [text.strip() for text in values if isinstance(text, str) and text.strip()]


def _whole(given: ToolInput, key: str, default: int) -> int:
    value = given.get(key, default)
    if not isinstance(value, int) or not 1 <= value <= 50:
        raise BadInput(f'"{key}" is {value!r}; it takes a whole number from 1 to 50.')
    return value


def _documents(given: ToolInput, run: Run) -> tuple[str, ...]:
    """Ids of the named documents, by id, file name or title; none named: all in scope."""
    names = _texts(given, "documents")
    if not names:
        return run.scope.documents
    return tuple(dict.fromkeys(_document(name, run) for name in names))


def _document(name: str, run: Run) -> str:
    named = [d for d in run.selection if name in (d.id, d.file, d.title)]
    if not named:
        raise BadInput(f"No document is named {name!r}. These exist: {', '.join(d.title for d in run.selection)}.")
    if len(named) > 1:
        raise AmbiguousDocument(
            f"{name!r} names several documents: {', '.join(d.id for d in named)}. Take one of these ids."
        )
    return named[0].id


def _passage(given: ToolInput, key: str, run: Run) -> Passage:
    value = given.get(key)
    if isinstance(value, int) and 1 <= value <= len(run.evidence):
        return run.evidence[value - 1].passage
    if isinstance(value, str) and value in run.found:
        return run.found[value].passage
    raise BadInput(
        f'"{key}" is {value!r}; compare_chunks takes a passage found before, by its number 1 to {len(run.evidence)}.'
    )
