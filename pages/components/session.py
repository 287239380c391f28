"""The workspace of this process, and what this browser session remembers."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from pages.components.text import plain
from rag.api.loopback import is_loopback
from rag.errors import TracebookError
from rag.ingest.upload import Upload
from rag.settings import Settings, environment
from rag.types import FileProgress
from rag.workspace import Workspace, shared

if TYPE_CHECKING:
    from rag.evaluation.cases import CaseOutcome
    from rag.evaluation.runner import Outcome

REPORTS = "reports"  # key of the widget that ticks reports on Chat
_KEY = "tracebook"


@dataclass
class Session:
    owner: str = field(default_factory=lambda: secrets.token_urlsafe(16))  # whose runs and notebooks these are
    notebook: str = field(default_factory=lambda: secrets.token_urlsafe(16))  # the one that is open
    running: str | None = None  # the cell to run next
    stopped: bool = False  # a run was broken off and the page still shows it as going on
    editing: str | None = None  # the cell whose question is being edited
    uploads: int = 0  # uploads so far: a new uploader, empty, for each
    outcomes: tuple[FileProgress, ...] = ()  # what became of the last upload's files
    undecided: tuple[Upload, ...] = ()  # an upload that holds new versions, until the user says what to do with them
    locked: tuple[Upload, ...] = ()  # files of the last upload that want a password
    evaluated: tuple["Outcome", ...] = ()  # of the last question set
    tested: Mapping[str, "CaseOutcome"] = field(default_factory=dict)  # retrieval tests by id, as they last ended


def ticked_reports() -> int:
    """How many reports are ticked on Chat; known before the widget is drawn."""
    return len(st.session_state.get(REPORTS, ()))


def session() -> Session:
    """This browser session's state; the same object at every rerun."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session()
    state: Session = st.session_state[_KEY]
    return state


def workspace() -> Workspace:
    """The library that the environment names, the very one that the API uses; made where it is missing."""
    try:
        return _open(Settings.read(environment(os.environ)))
    except TracebookError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.stop()


@st.cache_resource(show_spinner="Opening the library …", hash_funcs={Settings: repr}, on_release=Workspace.close)
def _open(settings: Settings) -> Workspace:
    return shared(settings)


def lists_of() -> str | None:
    """Whose runs and notebooks lists show: all (None) while only this machine can reach the app, else one's own."""
    address = st.get_option("server.address") or "0.0.0.0"
    return None if is_loopback(address) else session().owner
