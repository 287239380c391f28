"""A run in the notebook: live while it goes on; then its steps folded, its answer, its ledger, its sources."""

import threading
from collections.abc import Sequence

import streamlit as st

from pages.components.answer import answer_markdown, draw_answer
from pages.components.badges import evidence_badge, reasoner_badge, status_badge
from pages.components.checks import checks_badge, draw_checks
from pages.components.coverage import draw_ledger, draw_not_covered, ledger_badges
from pages.components.hits import bar
from pages.components.links import TRACE, page_link
from pages.components.notebook import store_run
from pages.components.notes import draw_notes
from pages.components.session import session, workspace
from pages.components.sheets import sheet
from pages.components.source import open_source
from pages.components.steps import started_label, step_label
from pages.components.text import cost, plain, seconds, short
from rag.types import Answer, AnswerDelta, Cell, Noted, RunStarted, StepFinished, StepStarted, Trace
from rag.words import count

_READING = ":shimmer[Reading the reports]"


def run_live(cell: Cell, earlier: Sequence[Cell] = ()) -> None:
    """Run the cell and draw its steps as they happen; what breaks it off, a click too, cancels the run.

    `earlier` are the cells before it, whose questions it may follow on from.
    """
    state, cancel = session(), threading.Event()
    state.stopped = False
    _redraw_once_stopped()
    events = workspace().ask(
        cell.question,
        documents=cell.documents,
        mode=cell.mode,
        history=workspace().history([each.run_id for each in earlier if each.run_id]),
        cancel=cancel,
        owner=state.owner,
    )
    try:
        steps, answer, text = st.status(_READING, type="compact", expanded=True), st.empty(), ""
        for event in events:
            match event:
                case RunStarted():
                    store_run(cell, event.run_id)
                case StepStarted():
                    steps.update(label=_READING)
                    step = steps.status(started_label(event), type="step")
                    step.caption(plain(event.thought))
                case StepFinished():
                    ended = "error" if event.step.observation.error else "complete"
                    step.update(label=step_label(event.step), state=ended)
                case Noted():  # in the head, as anything between two steps would part their line
                    steps.update(label=f":shimmer[{plain(event.text)}]")
                case AnswerDelta():
                    text = event.text if event.anew else text + event.text
                    answer.markdown(answer_markdown(Answer(text)))
        steps.update(state="complete")
    finally:
        cancel.set()
        for _ in events:  # to its end, which is near now: so the trace has its ledger
            pass


@st.fragment(run_every=1)
def _redraw_once_stopped() -> None:
    """A stopped script can draw nothing more; what goes on by the clock can."""
    if session().stopped:
        session().stopped = False
        st.rerun()


def draw_run(trace: Trace, *, key: str) -> None:
    """The finished run; `key` must be its cell's own."""
    with st.expander(_summary(trace), type="compact", key=f"{key}-steps"):
        for step in trace.steps:
            icon = ":material/error:" if step.observation.error else ":material/check_circle:"
            with st.expander(step_label(step), type="step", icon=icon):
                st.caption(plain(step.thought) or "No reason given.")
                draw_notes(step.notes)
    if trace.asked:
        st.caption(f"Read as: “{plain(trace.asked)}”")
    if trace.error:
        st.error(plain(trace.error), icon=":material/error:")
    if trace.answer.text:
        draw_answer(trace.answer)
    draw_notes(trace.answer.notes)
    st.markdown(" ".join(filter(None, _badges(trace))))
    draw_not_covered(trace)
    _draw_below(trace, key=key)
    page_link(TRACE, "Open trace", icon=":material/account_tree:", run=trace.run_id)


@st.fragment
def _draw_below(trace: Trace, *, key: str) -> None:
    """Ledger, sentences and sources, each drawn when it is unfolded."""
    parts = (
        (
            "ledger",
            f"Coverage of {count(len(trace.coverage), 'report')}",
            trace.coverage,
            lambda: draw_ledger(trace.coverage, key=f"{key}-ledger-rows"),
        ),
        ("checks", "Sentence by sentence", trace.answer.checks, lambda: draw_checks(trace, key=f"{key}-held")),
        (
            "sources",
            count(len(trace.answer.citations), "source"),
            trace.answer.citations,
            lambda: _draw_sources(trace, key),
        ),
    )
    for name, label, rows, draw in parts:
        if rows:
            with st.expander(label, type="compact", key=f"{key}-{name}", on_change="rerun") as part:
                if part.open:
                    draw()


def _draw_sources(trace: Trace, key: str) -> None:
    for citation in sheet(trace.answer.citations, 10, key=f"{key}-sources"):
        with st.container(gap=None):
            label = f"**\\[{citation.mark}\\]** {plain(citation.title)}, {plain(citation.passage.place)}"
            if st.button(label, key=f"{key}-source-{citation.mark}", icon=":material/article:", type="tertiary"):
                open_source(citation.passage, citation.title)
            st.caption(f"{bar(citation.score)} {citation.score:.2f} · {plain(short(citation.passage.text, 160))}")


def _summary(trace: Trace) -> str:
    """ "Searched 3 reports in 2 searches, compared 2 passages · 0.84 s"."""
    searches = [search for step in trace.steps for search in step.observation.searches]
    documents = {document for search in searches for document in search.documents}
    comparisons = sum(step.observation.comparison is not None for step in trace.steps)
    asked = sum(bool(step.observation.searches) for step in trace.steps)
    parts = [f"Searched {count(len(documents), 'report')} in {count(asked, 'step')}"] if searches else ["No search"]
    if comparisons:
        parts.append(f"made {count(comparisons, 'comparison')}")
    used = f" · {count(trace.usage.tokens, 'token')}{cost(trace)}" if trace.usage.tokens else ""
    return f"{', '.join(parts)} · {seconds(trace.seconds)}{used}"


def _badges(trace: Trace) -> tuple[str, ...]:
    ended = "" if trace.status == "answered" else status_badge(trace.status)
    evidence = evidence_badge(trace.answer.evidence) if trace.answer.text else ""
    return ended, ledger_badges(trace.coverage), evidence, checks_badge(trace), reasoner_badge(trace)
