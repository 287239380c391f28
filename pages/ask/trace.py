"""Past runs: what was asked, how it ended, what was covered, and every step with its scores."""

import json
from datetime import datetime

import streamlit as st

from pages.components.answer import draw_answer
from pages.components.badges import MODES, evidence_badge, reasoner_badge, status_badge
from pages.components.checks import checks_badge, draw_checks
from pages.components.coverage import cited_badge, draw_ledger, draw_matrix, draw_not_covered, ledger_badges
from pages.components.notes import draw_notes
from pages.components.session import lists_of, workspace
from pages.components.sheets import sheet
from pages.components.steps import ICONS, draw_step, name, step_label
from pages.components.text import cost, plain, seconds, short
from rag.trace import to_json, to_markdown
from rag.types import Trace
from rag.words import count

_LISTED = 500  # runs, newest first
_MATRIX = 360  # pixels: the titles and a few steps


def open_run(run_id: str | None) -> None:
    if run_id is None:
        st.query_params.clear()
    else:
        st.query_params["run"] = run_id


def draw_list() -> None:
    heads = workspace().trace_heads(limit=_LISTED, owner=lists_of())
    if not heads:
        st.caption("No run yet. Ask a question on Chat; each leaves its trace here.")
    for head in sheet(heads, 20, key="runs"):
        with st.container(border=True, gap="xsmall"):
            st.button(
                plain(short(head.question, 140)),
                key=f"run-{head.run_id}",
                icon=":material/account_tree:",
                on_click=open_run,
                args=(head.run_id,),
                type="tertiary",
            )
            when = f"{datetime.fromisoformat(head.started_at):%d %B %Y, %H:%M} UTC · {seconds(head.seconds)}"
            st.markdown(
                f"{status_badge(head.status)} :gray-badge[{MODES[head.mode]}] "
                f"{cited_badge(head.cited, head.documents)} :small[:gray[{when}]]"
            )


def draw_downloads(trace: Trace) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All runs", icon=":material/arrow_back:", on_click=open_run, args=(None,), type="tertiary")
        st.download_button(
            "JSON",
            lambda: json.dumps(to_json(trace), ensure_ascii=False, indent=2),
            file_name=f"trace-{trace.run_id}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            type="tertiary",
        )
        st.download_button(
            "Markdown",
            lambda: to_markdown(trace),
            file_name=f"trace-{trace.run_id}.md",
            mime="text/markdown",
            icon=":material/download:",
            on_click="ignore",
            type="tertiary",
        )
        with st.popover("Share", icon=":material/link:", type="tertiary"):
            st.caption("Whoever can reach this app can open the run at this address.")
            st.code(f"{(st.context.url or '').split('?')[0]}?run={trace.run_id}", language=None, wrap_lines=True)


def draw_head(trace: Trace) -> None:
    st.title(plain(trace.question))
    facts = (
        MODES[trace.mode],
        *([f"{trace.iterations} of {count(trace.iteration_limit, 'iteration')}"] if trace.mode == "agent" else []),
        seconds(trace.seconds),
        f"{count(trace.usage.tokens, 'token')}{cost(trace)}",
    )
    evidence = evidence_badge(trace.answer.evidence) if trace.answer.text else ""
    badges = [status_badge(trace.status), ledger_badges(trace.coverage), evidence, checks_badge(trace)]
    st.markdown(" ".join([*badges, reasoner_badge(trace), *(f":gray-badge[{fact}]" for fact in facts)]))
    if trace.asked:
        st.caption(f"Read as: “{plain(trace.asked)}”")
    if trace.error:
        st.error(plain(trace.error), icon=":material/error:")


run_id = st.query_params.get("run")
trace = workspace().trace(run_id) if run_id else None
if trace is None:
    st.title("Trace")
    if run_id:
        st.warning("There is no run at this address. It may belong to another library.", icon=":material/warning:")
    draw_list()
else:
    draw_downloads(trace)
    draw_head(trace)
    draw_not_covered(trace)
    with st.container(horizontal=True, gap="medium"):  # beside each other where both have room, else stacked
        with st.container():
            st.subheader("Steps")
            for step in trace.steps:
                icon = ":material/error:" if step.observation.error else ICONS.get(name(step), ":material/circle:")
                with st.expander(step_label(step), type="step", icon=icon, key=f"step-{step.number}"):
                    draw_step(step, trace)
        with st.container(width=_MATRIX):
            st.subheader("Coverage")
            st.caption("Best score of each step in each report. A dot was cited, a ring was offered to the answer.")
            draw_matrix(trace)
            with st.expander("Report by report", type="compact"):
                draw_ledger(trace.coverage, key="ledger")
    if trace.answer.text:
        st.subheader("Answer")
        draw_answer(trace.answer)
        draw_notes(trace.answer.notes)
    if trace.answer.checks:
        st.subheader("Sentences")
        draw_checks(trace, key="held")
