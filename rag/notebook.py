"""Notebooks: questions with their runs, kept as cells; edits as pure functions, a store, and exports."""

import json
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from rag import markdown
from rag.types import Cell, Mode, Notebook, Trace
from rag.wire import from_json, to_json
from rag.words import count

_TABLE = """
CREATE TABLE IF NOT EXISTS notebooks (
    id TEXT PRIMARY KEY, owner TEXT, created_at TEXT NOT NULL, body TEXT NOT NULL
);
"""


def new_notebook(title: str = "Untitled") -> Notebook:
    """An empty notebook at an unguessable address."""
    return Notebook(secrets.token_urlsafe(16), title, (), _now())


def new_cell(question: str, *, mode: Mode = "agent", documents: tuple[str, ...] | None = None) -> Cell:
    return Cell(secrets.token_urlsafe(8), question, mode, documents, None, _now())


def add_cell(notebook: Notebook, cell: Cell) -> Notebook:
    """The notebook with the cell at its end."""
    return replace(notebook, cells=(*notebook.cells, cell))


def edit_cell(notebook: Notebook, cell: Cell) -> Notebook:
    """The notebook with this cell in place of the one of its id."""
    return replace(notebook, cells=tuple(cell if old.id == cell.id else old for old in notebook.cells))


def delete_cell(notebook: Notebook, cell_id: str) -> Notebook:
    return replace(notebook, cells=tuple(cell for cell in notebook.cells if cell.id != cell_id))


class NotebookStore:
    """Notebooks in a table of their own; `connection` gives the calling thread's connection to the library's file."""

    def __init__(self, connection: Callable[[], sqlite3.Connection]) -> None:
        self._connection = connection
        connection().executescript(_TABLE)

    def save(self, notebook: Notebook, *, owner: str | None = None) -> None:
        """Replaces the notebook of the same id; who saved it first owns it."""
        body = json.dumps(to_json(notebook), ensure_ascii=False)
        with self._connection() as connection:
            connection.execute(
                "INSERT INTO notebooks VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body",
                (notebook.id, owner, notebook.created_at, body),
            )

    def load(self, notebook_id: str) -> Notebook | None:
        rows = self._connection().execute("SELECT body FROM notebooks WHERE id = ?", (notebook_id,)).fetchall()
        return _read(rows[0][0]) if rows else None

    def all(self, *, owner: str | None = None) -> tuple[Notebook, ...]:
        """Newest first; with an owner only theirs."""
        rows = self._connection().execute(
            "SELECT body FROM notebooks WHERE ? IS NULL OR owner = ? ORDER BY created_at DESC, rowid DESC",
            (owner, owner),
        )
        return tuple(_read(row[0]) for row in rows.fetchall())

    def delete(self, notebook_id: str) -> None:
        """Forgets the notebook; its runs stay."""
        with self._connection() as connection:
            connection.execute("DELETE FROM notebooks WHERE id = ?", (notebook_id,))


def to_markdown(notebook: Notebook, traces: Mapping[str, Trace]) -> str:
    """The notebook for people; `traces` holds its runs by id."""
    return "\n\n".join((f"# {markdown.escape(notebook.title)}", *_parts(notebook, traces))) + "\n"


def to_jupyter(notebook: Notebook, traces: Mapping[str, Trace]) -> str:
    """The notebook as nbformat 4.5 JSON: Markdown cells alone, so that it opens without a kernel."""
    parts = [f"# {markdown.escape(notebook.title)}", *_parts(notebook, traces)]
    cells = [
        {"cell_type": "markdown", "id": f"cell-{n}", "metadata": {}, "source": part} for n, part in enumerate(parts)
    ]
    metadata: dict[str, Any] = {"tracebook": to_json(notebook)}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}, ensure_ascii=False)


def to_text(notebook: Notebook, traces: Mapping[str, Trace]) -> str:
    """Questions, answers and what they cite, letter for letter."""
    parts = [notebook.title]
    for cell in notebook.cells:
        trace = traces.get(cell.run_id or "")
        cited = [f"[{each.mark}] {each.file}, {each.passage.place}" for each in trace.answer.citations] if trace else []
        answer = (trace.answer.text or trace.error or "") if trace else "Not run yet."
        parts.append("\n".join([f"Q: {cell.question}", f"A: {answer}", *cited]))
    return "\n\n".join(parts) + "\n"


def _parts(notebook: Notebook, traces: Mapping[str, Trace]) -> list[str]:
    """Of each cell its question, its steps folded, its answer."""
    parts = []
    for cell in notebook.cells:
        parts.append(f"## {markdown.escape(cell.question)}")
        if trace := traces.get(cell.run_id or ""):
            summary = f"{count(len(trace.steps), 'step')} · {trace.seconds:.1f} s"
            steps = f"{markdown.head(trace)}\n\n{markdown.steps(trace)}"
            parts.append(f"<details><summary>{summary}</summary>\n\n{steps}\n\n</details>")
            parts.append(markdown.answer(trace))
        else:
            parts.append("Not run yet.")
    return parts


def _read(body: str) -> Notebook:
    return from_json(Notebook, json.loads(body))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
