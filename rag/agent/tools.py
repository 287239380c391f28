"""The four actions. Each takes an action input and the run, and gives an observation; none has side effects.

Input that cannot be used raises `BadInput`, which the loop turns into an observation.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rag.agent.compare import compare
from rag.agent.naming import first_named, named
from rag.agent.repeats import refuse_if_done, refuse_if_searched
from rag.agent.run import Run
from rag.agent.summary import parts, summarise
from rag.errors import BadInput, TracebookError
from rag.search.planned import planned_query
from rag.search.support import LOOSE, SUPPORT, supports
from rag.types import Action, Comparison, Hit, Observation, Passage, Search
from rag.words import count

SIDE = 3  # passages of a document that are held against those of another
FEW = 12  # passages that a search over one or two documents may offer in all
DEPTH, DEPTH_OF_MANY = 4, 2  # passages of a document that are looked at for one that is offered
MANY = 8  # documents from which on the lesser depth will do: a third less time, and no figure of ours moves
_ALL = ("all", "all reports", "all documents", "*", "every report")
_BESIDE = ("value", "thought", "counted")  # what stands beside an answer and is none
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
    refuse_if_searched(queries, documents, run)
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
    depth = DEPTH if len(documents) <= MANY else DEPTH_OF_MANY
    planned = planned_query(query, k=depth * top_k, documents=None, exact=exact)
    for document in documents:
        if run.cancel.is_set():
            break  # what was searched so far is kept
        result = run.retriever.search(replace(planned, documents=(document,)))
        passed = [hit for hit in result.hits if supports(hit, SUPPORT if exact else LOOSE)]
        offered += passed[:top_k]
        best[document] = result.hits[0].score if result.hits else 0.0
        near[document] = len(result.hits) - len(passed)
    offered.sort(key=lambda hit: (-hit.score, hit.passage.id))
    return Search(query, tuple(best), tuple(offered), best, near)


def get_document_summary(given: ToolInput, run: Run) -> Observation:
    """{"document" or "documents", "part"?}: sentences of each document's own passages that stand for the rest.

    A long document has parts; each has a summary of its own, and the whole says how many there are.
    """
    refuse_if_done("get_document_summary", given, run)
    which = {"documents": given.get("document") or given.get("documents")}
    if not _texts(which, "documents"):
        raise BadInput('get_document_summary needs a "document": its title or file name.')
    number, texts, kept = _number(given.get("part")), list[str](), dict[Passage, None]()
    for name in _documents(which, run):
        title, every = run.by_id[name].title, run.library.passages(name)
        pieces = parts(every)
        if number is not None and not (isinstance(number, int) and 1 <= number <= len(pieces)):
            raise BadInput(f'"part" is {number!r}; {title} has parts 1 to {len(pieces)}.')
        chosen = summarise(pieces[number - 1] if number else every)
        part = f", part {number} of {len(pieces)}" if number else ""
        more = f" It has {len(pieces)} parts." if len(pieces) > 1 and not number and "document" in given else ""
        texts.append(f"{title}{part}: {' '.join(said for _, said in chosen)}{more}")
        kept |= dict.fromkeys(passage for passage, _ in chosen)
    return Observation("\n".join(texts), passages=tuple(kept))


def compare_chunks(given: ToolInput, run: Run) -> Observation:
    """{"left", "right"}: where they agree and contradict.

    Each side is a passage found before, by its id or its number in the evidence, or a document, of which the passages
    found so far are taken: then those two that have most to do with each other.
    """
    refuse_if_done("compare_chunks", given, run)
    sides = (_side(given, "left", run), _side(given, "right", run))
    comparisons = [compare(left, right) for left in sides[0] for right in sides[1]]
    comparison = max(comparisons, key=_said_of_both)
    kinds = [relation.kind for relation in comparison.relations]
    agree, contradict = kinds.count("agree"), kinds.count("contradict")
    passages = (comparison.left, comparison.right)
    names = " and ".join(f"{run.by_id[each.document_id].title} {each.place}" for each in passages)
    text = f"{names}: {count(agree, 'point')} in agreement, {contradict} in contradiction."
    return Observation(text, comparison=comparison)


def _said_of_both(comparison: Comparison) -> int:
    return sum(relation.kind in ("agree", "contradict") for relation in comparison.relations)


def answer_text(given: ToolInput) -> str:
    """The answer of an `answer_directly`: under its own key, or the one text that there is; "" where there is none."""
    values = given.get("answer", given.get("text"))
    if values is None:
        others = [value for key, value in given.items() if key not in _BESIDE and isinstance(value, str)]
        values = others[0] if len(others) == 1 else ""
    if isinstance(values, Mapping):
        return answer_text(values)
    lines = values if isinstance(values, (list, tuple)) else [values]
    return "\n".join(line.strip() for line in lines if isinstance(line, str)).strip()


def answer_directly(given: ToolInput, run: Run) -> Observation:
    """{"answer"}: text whose [n] marks name offered passages."""
    if not answer_text(given):
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
    """Ids of the named documents, as `named` reads them; none named: all in scope."""
    names = _texts(given, "documents")
    if not names or all(name.casefold() in _ALL for name in names):
        return run.scope.documents
    return tuple(dict.fromkeys(id for name in names for id in named(name, run)))


def _number(value: object) -> object:
    """A whole number that was written as a text as one; anything else as it is."""
    return int(value) if isinstance(value, str) and re.fullmatch(r"\s*\d{1,4}\s*", value) else value


def _side(given: ToolInput, key: str, run: Run) -> tuple[Passage, ...]:
    """The passages that one side of a comparison names."""
    value = given.get(key)
    if isinstance(value, str) and (number := re.fullmatch(r"\s*\[?(\d{1,4})\]?\s*", value)):
        value = int(number[1])
    if isinstance(value, int) and 1 <= value <= len(run.evidence):
        return (run.evidence[value - 1].passage,)
    if isinstance(value, str) and value in run.found:
        return (run.found[value].passage,)
    if isinstance(value, str) and (document := first_named(value, run)):
        if found := run.offered(document)[:SIDE]:
            return tuple(hit.passage for hit in found)
        raise BadInput(f"Nothing was found in {run.by_id[document].title} yet. Search it first.")
    raise BadInput(
        f'"{key}" is {value!r}; compare_chunks takes a passage found before, by its number 1 to {len(run.evidence)}, '
        "or a report by its title."
    )
