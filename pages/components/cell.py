"""A cell of the notebook: the question with what it was asked of, and its run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, StopException

from pages.components.badges import MODES, status_badge
from pages.components.coverage import cited_badge
from pages.components.notebook import delete_cell, edit_cell, run_again
from pages.components.run import draw_run, run_live
from pages.components.session import session, workspace
from pages.components.text import plain, short
from rag.errors import TracebookError
from rag.types import Cell, Document, Mode
from rag.words import count


def draw_folded(cell: Cell, documents: Mapping[str, Document], earlier: Sequence[Cell] = ()) -> None:
    """An earlier cell as one line, so that the newest stands in view; it unfolds in place."""
    with st.expander(_line(cell), key=f"{cell.id}-fold", on_change="rerun") as unfolded:
        if unfolded.open:
            draw_cell(cell, documents, earlier)


def _line(cell: Cell) -> str:
    head = next(iter(workspace().trace_heads(runs=[cell.run_id]) if cell.run_id else ()), None)
    cited = cited_badge(head.cited, head.documents) if head else ""
    ended = status_badge(head.status) if head and not (cited and head.status == "answered") else ""
    return f"{plain(short(cell.question, 96))} :gray-badge[{MODES[cell.mode]}] {ended} {cited}"


def draw_cell(cell: Cell, documents: Mapping[str, Document], earlier: Sequence[Cell] = ()) -> None:
    """The cell as it stands; where it is to run next, it runs. `earlier` are the cells before it."""
    state = session()
    with st.chat_message("user", avatar=":material/person:"):
        if state.editing == cell.id:
            _draw_form(cell, documents)
        else:
            _draw_question(cell, documents)
    with st.chat_message("assistant", avatar=":material/account_tree:"):
        if state.running == cell.id:
            _run(cell, earlier)
        elif trace := workspace().trace(cell.run_id) if cell.run_id else None:
            draw_run(trace, key=cell.id)
        else:
            st.caption("Not run yet.")


def _run(cell: Cell, earlier: Sequence[Cell]) -> None:
    state = session()
    try:
        run_live(cell, earlier)
    except RerunException:  # something else was clicked: the page, drawn anew, starts the run again
        raise
    except BaseException as error:
        state.running, state.stopped = None, isinstance(error, StopException)
        if not isinstance(error, TracebookError):
            raise
        st.error(plain(str(error)), icon=":material/error:")
    else:
        state.running = None
        st.rerun()


def _draw_question(cell: Cell, documents: Mapping[str, Document]) -> None:
    st.markdown(plain(cell.question))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{MODES[cell.mode]} · {_asked_of(cell, documents)}", width="content")
        button = partial(st.button, type="tertiary", wrap=False)
        button("Edit", key=f"{cell.id}-edit", icon=":material/edit:", on_click=edit_cell, args=(cell.id,))
        button("Run again", key=f"{cell.id}-again", icon=":material/refresh:", on_click=run_again, args=(cell,))
        button("Delete", key=f"{cell.id}-delete", icon=":material/delete:", on_click=delete_cell, args=(cell.id,))


def _asked_of(cell: Cell, documents: Mapping[str, Document]) -> str:
    if cell.documents is None:
        return "whole library"
    titles = [documents[d].title if d in documents else "a deleted report" for d in cell.documents]
    return plain(", ".join(titles)) if len(titles) <= 3 else count(len(titles), "report")


def _draw_form(cell: Cell, documents: Mapping[str, Document]) -> None:
    with st.form(f"{cell.id}-form", border=False):
        question = st.text_area("Question", cell.question, label_visibility="collapsed")
        mode = draw_mode(cell.mode, key=f"{cell.id}-mode")
        still_there = [document for document in cell.documents or () if document in documents]
        chosen = st.multiselect(
            "Reports", list(documents), still_there, lambda d: documents[d].title, placeholder="Whole library"
        )
        with st.container(horizontal=True):
            run = st.form_submit_button("Run", type="primary", icon=":material/play_arrow:")
            close = st.form_submit_button("Leave as it was", type="tertiary")
    if run and question.strip():
        run_again(replace(cell, question=question.strip(), mode=mode, documents=selection(chosen)))
        st.rerun()
    if close:
        edit_cell(None)
        st.rerun()


def draw_mode(default: Mode, *, key: str) -> Mode:
    """The switch between the modes; the agent is not among them where it is turned off."""
    on = workspace().settings.agent_enabled
    chosen: Mode = st.segmented_control(
        "Mode",
        list(MODES) if on else ["single_shot"],
        default=default if on else "single_shot",
        required=True,
        format_func=MODES.__getitem__,
        key=key,
        label_visibility="collapsed",
    )
    return chosen


def selection(chosen: Sequence[str]) -> tuple[str, ...] | None:
    """The ticked documents; None for the whole library, where none is ticked."""
    return tuple(chosen) or None
