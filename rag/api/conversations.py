"""Conversations: notebooks whose questions follow on from one another."""

import threading
from collections.abc import Iterator
from dataclasses import replace

from starlette.exceptions import HTTPException
from starlette.responses import Response

from rag.api.answers import ConversationExport, Conversations
from rag.api.operation import Call, Operation, as_file, as_response
from rag.api.requests import ConversationForm, ConversationMade
from rag.notebook import add_cell, new_notebook
from rag.result import result_of
from rag.settings import Settings
from rag.types import Cell, Event, Notebook, RunFinished
from rag.workspace import Workspace

OWNER = "api"  # whose the runs and conversations of this API are
_ALL, _ONE = "/api/conversations", "/api/conversations/{conversation}"
WHOSE = "All of the library where no key is needed, else those of this API alone."
_changing = threading.Lock()


def operations(_: Settings) -> tuple[Operation, ...]:
    return (
        Operation("GET", _ALL, every, "Conversations, newest first.", answers=Conversations, description=WHOSE),
        Operation("POST", _ALL, create, "A new conversation.", ConversationMade, Notebook, status=201, waits=True),
        Operation("GET", _ONE, one, "One conversation: its questions and their runs.", answers=Notebook, errors=(404,)),
        Operation(
            "DELETE", _ONE, delete, "Forgets a conversation; its runs stay.", status=204, errors=(404,), waits=True
        ),
        Operation(
            "GET",
            f"{_ONE}/export",
            export,
            "A conversation as a file: JSON, Markdown or plain text.",
            ConversationForm,
            ConversationExport,
            media=("text/markdown", "text/plain"),
            errors=(404,),
        ),
    )


def every(call: Call) -> Conversations:
    return Conversations(call.library.notebooks(owner=lists_of(call)))


def create(call: Call) -> Notebook:
    notebook = new_notebook(call.given.title)
    call.library.save_notebook(notebook, owner=OWNER)
    return notebook


def one(call: Call) -> Notebook:
    return conversation(call.library, call.path("conversation"))


def delete(call: Call) -> None:
    call.library.delete_notebook(one(call).id)


def export(call: Call) -> Response:
    notebook, form = one(call), call.given.form
    if form == "json":
        traces = (call.library.trace(cell.run_id) for cell in notebook.cells if cell.run_id)
        whole = ConversationExport(notebook, tuple(result_of(trace) for trace in traces if trace))
        return as_file(as_response(whole, 200), "conversation.json")
    media, name = {"markdown": ("text/markdown", "conversation.md"), "text": ("text/plain", "conversation.txt")}[form]
    return as_file(Response(call.library.export_notebook(notebook.id, form), media_type=media), name)


def conversation(library: Workspace, conversation_id: str) -> Notebook:
    """Raises 404."""
    if notebook := library.notebook(conversation_id):
        return notebook
    raise HTTPException(404, f"There is no conversation {conversation_id!r}. POST {_ALL} makes one.")


def in_conversation(library: Workspace, notebook: Notebook, cell: Cell, events: Iterator[Event]) -> Iterator[Event]:
    """The events; once the run has ended it stands in the conversation, where that was not deleted meanwhile."""
    for event in events:
        if isinstance(event, RunFinished):
            with _changing:
                if latest := library.notebook(notebook.id):
                    library.save_notebook(add_cell(latest, replace(cell, run_id=event.trace.run_id)), owner=OWNER)
        yield event


def lists_of(call: Call) -> str | None:
    """Whose runs and conversations lists show: all (None) where no key is needed, else this API's own."""
    return OWNER if call.library.settings.api_key else None
