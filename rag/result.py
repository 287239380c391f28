"""A run, a passage and a document as other programs read them: the shapes of `--json`, the API and the runnable."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rag.types import (
    Band,
    Citation,
    Comparison,
    Component,
    CoverageRow,
    Document,
    DocumentState,
    Hit,
    Kind,
    Mode,
    Search,
    SentenceCheck,
    Status,
    Step,
    StepKind,
    Trace,
    Usage,
)
from rag.wire import to_json

Json = dict[str, Any]


@dataclass(frozen=True)
class Ranked:
    """A passage that a search found, with what each scorer gave it."""

    passage_id: str
    document_id: str
    title: str  # the document's
    page: int  # from 1, the sheet in the file
    label: str  # the page's printed label
    recognised: bool  # whether the page's text was read off an image (OCR), and may be wrong
    headings: tuple[str, ...]  # trail, outermost first
    text: str
    score: float  # (0, 1]
    components: tuple[Component, ...]
    matched: tuple[str, ...]  # query words that the passage holds
    unmatched: tuple[str, ...]


@dataclass(frozen=True)
class Cited:
    mark: int  # the n of "[n]" in the answer
    document_id: str
    file: str
    title: str  # the document's
    page: int  # from 1, the sheet in the file
    label: str  # the page's printed label
    recognised: bool  # whether the page's text was read off an image (OCR), and may be wrong
    passage_id: str
    text: str
    score: float  # of the passage in this run


@dataclass(frozen=True)
class Searched:
    """One search of a step."""

    query: str
    documents: tuple[str, ...]  # ids searched
    hits: tuple[Ranked, ...]  # those that passed the support threshold, best first
    best: Mapping[str, float]  # document id to its best score, passed or not
    near: Mapping[str, int]  # document id to passages that came back but did not pass


@dataclass(frozen=True)
class Reasoning:
    step_type: Literal["reasoning"]
    step: int  # from 1
    kind: StepKind
    reasoning: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class ToolCall:
    step_type: Literal["tool_call"]
    step: int  # from 1
    kind: StepKind
    tool_name: str
    tool_input: Mapping[str, object]


@dataclass(frozen=True)
class ToolResult:
    step_type: Literal["tool_result"]
    step: int  # from 1
    kind: StepKind
    tool_name: str
    tool_output: str
    failed: bool
    searches: tuple[Searched, ...]
    comparison: Comparison | None
    seconds: float
    usage: Usage


@dataclass(frozen=True)
class Answered:
    step_type: Literal["answer"]
    answer: str
    status: Status


Part = Reasoning | ToolCall | ToolResult | Answered


@dataclass(frozen=True)
class Parts:
    steps: tuple[Part, ...]  # in the order in which they happened


@dataclass(frozen=True)
class Result:
    """What came of a run, with every step flattened into reasoning, tool call, tool result and answer."""

    run_id: str
    question: str
    asked: str  # the question as it stands alone, where it was a follow-up
    mode: Mode
    reasoner: str  # "rules", or the model
    status: Status
    answer: str  # Markdown with [n] marks
    value: float | str | bool | None  # the answer alone in plain units, where the question asks for one
    evidence: Band
    iterations_used: int
    max_iterations_reached: bool
    citations: tuple[Cited, ...]
    coverage: tuple[CoverageRow, ...]  # a row for every document in scope
    not_covered: tuple[str, ...]  # sentences: which document or name, and why
    not_in_library: tuple[str, ...]  # names that the question asks for and no document bears
    notes: tuple[str, ...]
    checks: tuple[SentenceCheck, ...]
    trace: Parts
    usage: Usage
    cost: float | None  # in the currency of the prices in the settings
    seconds: float
    error: str | None  # with status "error": plain words


@dataclass(frozen=True)
class Listing:
    """A document of the library."""

    id: str
    file: str  # the name it was uploaded with
    sha256: str
    title: str
    company: str | None
    kind: Kind
    fiscal_year: int | None
    period_end: str | None
    pages: int
    passages: int
    tokens: int
    state: DocumentState
    added_at: str
    notes: tuple[str, ...]


def to_result(trace: Trace) -> Json:
    """The JSON of `result_of`."""
    return to_json(result_of(trace))  # type: ignore[no-any-return]


def result_of(trace: Trace) -> Result:
    answer = trace.answer
    return Result(
        run_id=trace.run_id,
        question=trace.question,
        asked=trace.asked or trace.question,
        mode=trace.mode,
        reasoner=trace.reasoner,
        status=trace.status,
        answer=answer.text,
        value=answer.value,
        evidence=answer.evidence,
        iterations_used=trace.iterations,
        max_iterations_reached=trace.status == "step_limit",
        citations=tuple(map(_cited, answer.citations)),
        coverage=trace.coverage,
        not_covered=answer.not_covered,
        not_in_library=answer.not_in_library,
        notes=answer.notes,
        checks=answer.checks,
        trace=Parts((*(part for step in trace.steps for part in parts_of(step, trace.titles)), _answered(trace))),
        usage=trace.usage,
        cost=trace.cost,
        seconds=trace.seconds,
        error=trace.error,
    )


def ranked(hit: Hit, title: str) -> Ranked:
    passage = hit.passage
    return Ranked(
        passage.id,
        passage.document_id,
        title,
        passage.page,
        passage.label,
        passage.recognised,
        passage.headings,
        passage.text,
        hit.score,
        hit.components,
        hit.matched,
        hit.unmatched,
    )


def parts_of(step: Step, titles: Mapping[str, str]) -> Iterator[Part]:
    """What a step was: why, what was called, what came back; `titles` are the documents' by id."""
    yield Reasoning("reasoning", step.number, step.kind, step.thought, step.notes)
    name = step.decision.action if step.decision else "search_documents"
    if step.kind == "plan" or name == "answer_directly":
        return
    arguments = step.decision.action_input if step.decision else _swept(step)
    yield ToolCall("tool_call", step.number, step.kind, name, arguments)
    observation = step.observation
    yield ToolResult(
        "tool_result",
        step.number,
        step.kind,
        name,
        tool_output=observation.error or observation.text,
        failed=observation.error is not None,
        searches=tuple(_searched(search, titles) for search in observation.searches),
        comparison=observation.comparison,
        seconds=step.seconds,
        usage=step.usage,
    )


def listing(document: Document) -> Listing:
    card = document.card
    return Listing(
        document.id,
        document.file,
        document.sha256,
        document.title,
        card.company,
        card.kind,
        card.fiscal_year,
        card.period_end,
        document.pages,
        document.passages,
        document.tokens,
        document.state,
        document.added_at,
        document.notes,
    )


def _cited(citation: Citation) -> Cited:
    passage = citation.passage
    return Cited(
        citation.mark,
        passage.document_id,
        citation.file,
        citation.title,
        passage.page,
        passage.label,
        passage.recognised,
        passage.id,
        passage.text,
        citation.score,
    )


def _swept(step: Step) -> Json:
    searches = step.observation.searches
    queries = dict.fromkeys(search.query for search in searches)
    return {"query": " · ".join(queries), "documents": [each for search in searches for each in search.documents]}


def _searched(search: Search, titles: Mapping[str, str]) -> Searched:
    hits = tuple(ranked(hit, titles.get(hit.passage.document_id, "")) for hit in search.hits)
    return Searched(search.query, search.documents, hits, search.best, search.near)


def _answered(trace: Trace) -> Answered:
    return Answered("answer", trace.answer.text, trace.status)
