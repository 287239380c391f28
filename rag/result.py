"""A run as other programs read it: what `ask --json` prints and the LangChain runnable gives."""

from collections.abc import Iterator
from typing import Any

from rag.types import Citation, Hit, Search, Step, Trace
from rag.wire import to_json

Json = dict[str, Any]


def to_result(trace: Trace) -> Json:
    """What came of the run, with every step flattened into reasoning, tool call, tool result and answer."""
    answer = trace.answer
    return {
        "runId": trace.run_id,
        "question": trace.question,
        "asked": trace.asked or trace.question,
        "mode": trace.mode,
        "reasoner": trace.reasoner,
        "status": trace.status,
        "answer": answer.text,
        "value": answer.value,
        "evidence": answer.evidence,
        "iterationsUsed": trace.iterations,
        "maxIterationsReached": trace.status == "step_limit",
        "citations": [_citation(citation) for citation in answer.citations],
        "coverage": to_json(trace.coverage),
        "notCovered": list(answer.not_covered),
        "notInLibrary": list(answer.not_in_library),
        "notes": list(answer.notes),
        "checks": to_json(answer.checks),
        "trace": {"steps": [part for step in trace.steps for part in _step(step, trace)] + [_answer(trace)]},
        "usage": to_json(trace.usage),
        "cost": trace.cost,
        "seconds": trace.seconds,
        "error": trace.error,
    }


def to_hit(hit: Hit, title: str) -> Json:
    """A ranked passage with what each scorer gave it."""
    passage = hit.passage
    return {
        "passageId": passage.id,
        "documentId": passage.document_id,
        "title": title,
        "page": passage.page,
        "label": passage.label,
        "headings": list(passage.headings),
        "text": passage.text,
        "score": hit.score,
        "components": to_json(hit.components),
        "matched": list(hit.matched),
        "unmatched": list(hit.unmatched),
    }


def _citation(citation: Citation) -> Json:
    passage = citation.passage
    return {
        "mark": citation.mark,
        "documentId": passage.document_id,
        "file": citation.file,
        "title": citation.title,
        "page": passage.page,
        "label": passage.label,
        "passageId": passage.id,
        "text": passage.text,
        "score": citation.score,
    }


def _step(step: Step, trace: Trace) -> Iterator[Json]:
    about = {"step": step.number, "kind": step.kind}
    yield {"stepType": "reasoning", **about, "reasoning": step.thought, "notes": list(step.notes)}
    name = step.decision.action if step.decision else "search_documents"
    if step.kind == "plan" or name == "answer_directly":
        return
    arguments = step.decision.action_input if step.decision else _swept(step)
    yield {"stepType": "tool_call", **about, "toolName": name, "toolInput": to_json(arguments)}
    yield {
        "stepType": "tool_result",
        **about,
        "toolName": name,
        "toolOutput": step.observation.error or step.observation.text,
        "failed": step.observation.error is not None,
        "searches": [_search(search, trace) for search in step.observation.searches],
        "comparison": to_json(step.observation.comparison),
        "seconds": step.seconds,
        "usage": to_json(step.usage),
    }


def _swept(step: Step) -> Json:
    searches = step.observation.searches
    queries = dict.fromkeys(search.query for search in searches)
    return {"query": " · ".join(queries), "documents": [each for search in searches for each in search.documents]}


def _search(search: Search, trace: Trace) -> Json:
    return {
        "query": search.query,
        "documents": list(search.documents),
        "hits": [to_hit(hit, trace.titles.get(hit.passage.document_id, "")) for hit in search.hits],
        "best": dict(search.best),
        "near": dict(search.near),
    }


def _answer(trace: Trace) -> Json:
    return {"stepType": "answer", "answer": trace.answer.text, "status": trace.status}
