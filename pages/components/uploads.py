"""Files on their way into the library: progress by stage, and what became of each."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from pages.components.session import session, workspace
from pages.components.text import plain
from rag.ingest.upload import Upload
from rag.types import FileProgress, Stage
from rag.words import count

ENDS: frozenset[Stage] = frozenset({"added", "duplicate", "failed"})
_WORDS: Mapping[Stage, str] = {"waiting": "waiting", "reading": "reading", "storing": "storing", "added": "added"}


def draw_progress(progress: Iterable[FileProgress]) -> tuple[FileProgress, ...]:
    """Draw a bar for each file until all have ended; gives the last word on each."""
    bars: dict[str, st.delta_generator.DeltaGenerator] = {}  # by sha256
    ends = []
    for event in progress:
        if event.stage in ENDS:
            ends.append(event)
        bar = bars[event.sha256] = bars.get(event.sha256) or st.empty()
        bar.progress(_share(event), text=f"**{plain(event.file)}** · {_words(event)}")
    return tuple(ends)


def take_in(files: Sequence[Upload], *, replace: bool = False) -> None:
    """Add the files while their progress is drawn; what became of them is kept for the page's next run."""
    state = session()
    state.outcomes, state.undecided = draw_progress(workspace().add(files, replace=replace)), ()
    locked = {end.sha256 for end in state.outcomes if end.locked}
    state.locked = tuple(upload for upload in files if upload.sha256 in locked)


def draw_choice(files: Sequence[Upload]) -> None:
    """Ask what to do with files of which the library holds other versions."""
    names = dict.fromkeys(document.file for document in workspace().new_versions(files))
    with st.container(border=True):
        st.markdown(
            f"In the library with other content: {', '.join(f'**{plain(name)}**' for name in names)}. "
            "A report that is replaced is deleted; where both are kept, their titles tell them apart."
        )
        with st.container(horizontal=True):
            replace = st.button("Replace", key="replace", icon=":material/swap_horiz:", type="primary")
            keep = st.button("Keep both", key="keep-both", icon=":material/library_add:")
            leave = st.button("Do not add", key="leave", icon=":material/close:")
    if replace or keep:
        take_in(files, replace=replace)
    if leave:
        session().undecided = ()
    if replace or keep or leave:
        st.rerun()


def draw_lock(number: int, upload: Upload) -> None:
    """Ask for the password of a file, which is used once and kept nowhere."""
    with st.form(f"unlock-{number}", border=True):
        st.markdown(f"**{plain(upload.file)}** is opened with its password, which is not stored.")
        password = st.text_input("Password", type="password")  # a label with escapes would be read out with them
        if st.form_submit_button("Open", icon=":material/lock_open:") and password:
            others = tuple(each for each in session().locked if each is not upload)
            take_in([dataclasses.replace(upload, password=password)])
            session().locked = others + tuple(dataclasses.replace(each, password="") for each in session().locked)
            st.rerun()


def draw_outcome(end: FileProgress) -> None:
    """One line of what became of a file."""
    name = f"**{plain(end.file)}**"
    if end.stage == "failed":
        reason = end.error or "It could not be read."
        st.warning(plain(reason) if end.file in reason else f"{name}: {plain(reason)}", icon=":material/error:")
    elif end.stage == "duplicate" and end.document:
        st.caption(f":material/content_copy: {name} is in the library already, as {plain(end.document.title)}.")
    elif end.document:
        facts = f"{count(end.document.pages, 'page')}, {count(end.document.passages, 'passage')}"
        instead = " in place of the earlier file of this name" if end.replaced else ""
        st.caption(f":material/check: {name} added as {plain(end.document.title)}{instead}: {facts}.")


def _share(event: FileProgress) -> float:
    if event.stage in ENDS or event.stage == "storing":
        return 1.0
    return min(event.done / event.total, 1.0) if event.total else 0.0


def _words(event: FileProgress) -> str:
    if event.stage == "reading" and event.total:
        return f"reading page {event.done:,} of {event.total:,}"
    if event.stage == "failed":
        return "not added"
    return "in the library already" if event.stage == "duplicate" else _WORDS[event.stage]
