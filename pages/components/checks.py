"""Whether each sentence of an answer is carried by what it cites; one without support says so."""

import streamlit as st

from pages.components.sheets import sheet
from pages.components.text import plain
from rag.types import SentenceCheck, Trace
from rag.words import count


def checks_badge(trace: Trace) -> str:
    """Markdown: how many sentences lack support; "" where none does."""
    missing = sum(not check.supported for check in trace.answer.checks)
    return f":orange-badge[:material/help: {count(missing, 'sentence')} without support]" if missing else ""


@st.fragment
def draw_checks(trace: Trace, *, key: str) -> None:
    """The sentences without support, then, folded, those with it; `key` must be the list's own on its page."""
    missing = [check for check in trace.answer.checks if not check.supported]
    held = [check for check in trace.answer.checks if check.supported]
    st.caption(f"Carried by the passages they cite: {len(held)} of {count(len(trace.answer.checks), 'sentence')}.")
    for check in missing:
        st.markdown(f":orange-badge[:material/help: without support] {_words(check)}")
    if held:
        with st.expander("With support", type="compact", key=key, on_change="rerun") as unfolded:
            for check in sheet(held, 20, key=key) if unfolded.open else ():
                st.markdown(f":green[:material/check:] {_words(check)}")


def _words(check: SentenceCheck) -> str:
    sentence = " · ".join(cell.strip() for cell in check.sentence.split("|") if cell.strip())  # a table's row, too
    return f"{plain(sentence)} :small[:gray[{plain(check.why)}]]"
