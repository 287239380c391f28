"""The notebook that is open: read from the workspace at every rerun, stored at every change."""

import secrets
from dataclasses import replace

import streamlit as st

from pages.components.session import session, workspace
from pages.components.text import short
from rag import notebook as notebooks
from rag.types import Cell, Mode, Notebook

_PARAMETER = "notebook"
_TITLE_LENGTH = 60


def current() -> Notebook:
    """The notebook of this address, else the one that was open, else an empty one, stored with its first cell."""
    state = session()
    state.notebook = st.query_params.get(_PARAMETER) or state.notebook
    st.query_params[_PARAMETER] = state.notebook
    return workspace().notebook(state.notebook) or replace(notebooks.new_notebook(""), id=state.notebook)


def open_notebook(notebook_id: str | None = None) -> None:
    """Turn to another notebook; to a new one where no id is given."""
    state = session()
    state.notebook = st.query_params[_PARAMETER] = notebook_id or secrets.token_urlsafe(16)
    state.running = state.editing = None


def add_cell(question: str, mode: Mode, documents: tuple[str, ...] | None) -> None:
    """Put a new cell at the end, to be run next."""
    cell = notebooks.new_cell(question, mode=mode, documents=documents)
    _save(notebooks.add_cell(current(), cell))
    session().running = cell.id


def store_run(cell: Cell, run_id: str) -> None:
    """Remember the run as the cell's latest."""
    _save(notebooks.edit_cell(current(), replace(cell, run_id=run_id)))


def edit_cell(cell_id: str | None) -> None:
    """Open the cell's question for editing; None closes it."""
    session().editing = cell_id


def run_again(cell: Cell) -> None:
    """Store the cell as it was edited, and run it next."""
    _save(notebooks.edit_cell(current(), cell))
    session().editing, session().running = None, cell.id


def delete_cell(cell_id: str) -> None:
    """Take the cell out; a notebook without cells is deleted."""
    session().running = None
    notebook = notebooks.delete_cell(current(), cell_id)
    if notebook.cells:
        _save(notebook)
    else:
        workspace().delete_notebook(notebook.id)


def _save(notebook: Notebook) -> None:
    title = short(notebook.cells[0].question, _TITLE_LENGTH)
    workspace().save_notebook(replace(notebook, title=title), owner=session().owner)
