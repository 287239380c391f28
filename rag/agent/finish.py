"""From a run's state and its answer text to the trace: citations, checks, ledger, status."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rag.agent.citing import Cited, add_citations
from rag.agent.coverage import not_covered
from rag.agent.grounding import Grounded, check_sentences, ground, numbers_in
from rag.agent.marks import plain_marks
from rag.agent.run import Run
from rag.agent.tools import answer_text
from rag.errors import UnknownDocument
from rag.search.support import band
from rag.types import Answer, CoverageRow, Decision, Hit, Mode, Passage, SentenceCheck, Status, Trace
from rag.words import count


@dataclass(frozen=True)
class Outcome:
    """What the loop ended with."""

    text: str = ""  # the answer, its marks numbering the evidence
    value: object = None
    status: Status | None = None  # where the loop knows it: "error", "cancelled", "step_limit"
    error: str | None = None
    said: float | None = None  # how much of what is asked the best quoted sentence says; None: not measured
    unanswered: bool = False  # the one value that is asked for cannot be given, whatever else was found
    by_model: bool = False  # whether a language model wrote the text
    counted: tuple[str, ...] = ()  # lines of the text that code derived from passages and ledger

    @classmethod
    def of(cls, decision: Decision, *, counted_by_code: bool) -> "Outcome":
        """From an `answer_directly`."""
        given = decision.action_input
        counted = given.get("counted") if counted_by_code else None
        return cls(
            text=answer_text(given),
            value=given.get("value"),
            status="step_limit" if counted_by_code and given.get("cut_short") else None,
            unanswered=counted_by_code and bool(given.get("unanswered")),
            said=said if counted_by_code and isinstance(said := given.get("said"), float) else None,
            by_model=not counted_by_code,
            counted=tuple(counted) if isinstance(counted, list) else (),
        )

    def limited(self) -> "Outcome":
        return replace(self, status=self.status or "step_limit")


class _Written(NamedTuple):
    """An answer's text, held against the passages that it cites."""

    grounded: Grounded
    added: int  # sentences whose citation code added
    cited: tuple[Hit, ...]
    checks: tuple[SentenceCheck, ...]
    unfounded: bool  # whether a model wrote it and it cites nothing

    @property
    def carried(self) -> int:
        """How many sentences their passages carry."""
        return sum(check.supported for check in self.checks)


def finish(
    run: Run,
    outcome: Outcome,
    *,
    run_id: str,
    mode: Mode,
    reasoner: str,
    selection: tuple[str, ...] | None,
    iteration_limit: int,
    started_at: str,
    seconds: float,
) -> Trace:
    """The whole run as it is stored."""
    written = _written(run, outcome)
    rows = run.coverage([citation.passage.id for citation in written.grounded.citations])
    single_shot = mode == "single_shot"
    rescued = not outcome.by_model and not single_shot and reasoner != "rules"
    return Trace(
        run_id=run_id,
        question=run.question,
        mode=mode,
        reasoner=reasoner,
        status=outcome.status or _status(run, rows, unanswered=outcome.unanswered or written.unfounded),
        selection=selection,
        scope=run.scope.documents,
        titles={document.id: document.title for document in run.selection},
        steps=tuple(run.steps),
        retrieved=run.evidence,
        coverage=rows,
        answer=_answer(run, outcome, written, rows, single_shot=single_shot, rescued=rescued),
        iterations=min(iteration_limit, sum(step.kind == "action" for step in run.steps)),  # the last answer beyond it
        iteration_limit=iteration_limit,
        started_at=started_at,
        seconds=seconds,
        usage=run.usage,
        error=outcome.error,
        asked=run.restated or None,
    )


def _written(run: Run, outcome: Outcome) -> _Written:
    """A model's text gets the citations that it left out; what code wrote has its own."""
    cited = Cited(outcome.text, 0)
    if outcome.by_model:
        cited = add_citations(plain_marks(outcome.text), run.evidence, run.by_id)
    grounded = ground(cited.text, run.evidence, run.by_id)
    pages = {citation.mark: _page(run, citation.passage) for citation in grounded.citations}
    checks = check_sentences(grounded.text, grounded.citations, counted=outcome.counted, pages=pages)
    ids = {citation.passage.id for citation in grounded.citations}
    return _Written(
        grounded,
        cited.added,
        tuple(hit for hit in run.evidence if hit.passage.id in ids),
        checks,
        unfounded=outcome.by_model and bool(grounded.text) and not grounded.citations,
    )


def _answer(
    run: Run, outcome: Outcome, written: _Written, rows: Sequence[CoverageRow], *, single_shot: bool, rescued: bool
) -> Answer:
    said = written.carried / len(written.checks) if outcome.by_model and written.checks else outcome.said
    evidence = band(written.cited, said=said)
    there = {document.id for document in run.library.documents()}
    return Answer(
        text=written.grounded.text,
        citations=written.grounded.citations,
        checks=written.checks,
        value=_value(outcome, written.grounded.text),
        evidence=evidence,
        not_covered=(
            *not_covered(rows, run.scope.absent, run.scope.gaps, run.searches, single_shot=single_shot),
            *(f"{d.title}: removed while the run went on." for d in run.documents if d.id not in there),
            *_shortcomings(written, by_model=outcome.by_model, weak=evidence == "weak"),
        ),
        notes=tuple(_notes(written, by_model=outcome.by_model, rescued=rescued)),
        not_in_library=run.scope.absent,
    )


def _value(outcome: Outcome, text: str) -> float | str | bool | None:
    """The answer alone; what a model's text does not say, its value does not say."""
    value = outcome.value if isinstance(outcome.value, (int, float, str, bool)) else None
    return None if outcome.by_model and not _is_told(value, text) else value


def _is_told(value: object, text: str) -> bool:
    """Whether a number stands in the text, in whatever scale; of other values the answer is the only witness."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return True
    digits = f"{abs(value):f}".rstrip("0").rstrip(".").replace(".", "").strip("0")
    return any(number.replace("p", "").strip("0") == digits for number in numbers_in(text)) or not digits


def _page(run: Run, passage: Passage) -> str:
    """The text of a passage's page; "" where the report was removed while the run went on."""
    try:
        return run.library.page(passage.document_id, passage.page).text
    except UnknownDocument:
        return ""


def _shortcomings(written: _Written, *, by_model: bool, weak: bool) -> Iterator[str]:
    if written.unfounded:
        yield "The answer cites no passage, so it does not come from the documents."
    if weak and not (by_model and band(written.cited) != "weak"):
        best = max(hit.score for hit in written.cited)
        yield f"The answer rests on weak passages alone: the best of them scores {best:.2f}."


def _notes(written: _Written, *, by_model: bool, rescued: bool) -> Iterator[str]:
    if rescued and written.grounded.text:
        yield "Rules put this answer together from what was found, as the model gave none."
    if by_model and written.carried < len(written.checks):
        yield f"The passages that it cites carry {written.carried} of its {count(len(written.checks), 'sentence')}."
    yield from (f"The mark {mark} names no passage of this run and was taken out." for mark in written.grounded.removed)
    if written.added:
        yield f"{count(written.added, 'sentence')} had no citation; code added the passage that says it."


def _status(run: Run, rows: tuple[CoverageRow, ...], *, unanswered: bool) -> Status:
    """A report that is silent is an answer; a name, a year or a document that could not be covered is a gap."""
    if not run.evidence or unanswered:
        return "not_found"
    gap = run.scope.absent or run.scope.gaps or any(row.state == "not_searched" for row in rows)
    return "partial" if gap else "answered"
