"""Files on their way into the library: progress by stage, and what became of each."""

from collections.abc import Iterable, Mapping

import streamlit as st

from pages.components.text import plain
from rag.types import FileProgress, Stage
from rag.words import count

ENDS: frozenset[Stage] = frozenset({"added", "duplicate", "failed"})
_WORDS: Mapping[Stage, str] = {"waiting": "waiting", "reading": "reading", "storing": "storing", "added": "added"}


def draw_progress(progress: Iterable[FileProgress]) -> tuple[FileProgress, ...]:
    """Draw a bar for each file until all have ended; gives the last word on each."""
    bars: dict[str, st.delta_generator.DeltaGenerator] = {}
    ends = []
    for event in progress:
        if event.stage in ENDS:
            ends.append(event)
        bar = bars[event.file] = bars.get(event.file) or st.empty()
        bar.progress(_share(event), text=f"**{plain(event.file)}** · {_words(event)}")
    return tuple(ends)


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
        st.caption(f":material/check: {name} added as {plain(end.document.title)}: {facts}.")


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
