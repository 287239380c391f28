"""The invitation of an empty library: the sample reports, in one click."""

import streamlit as st

from pages.components.session import session, workspace
from pages.components.uploads import draw_progress


def draw_invitation() -> None:
    """What to do first, with one button that loads the samples."""
    with st.container(border=True):
        st.markdown("### No reports yet")
        st.markdown(
            "Load three short reports of invented companies to look around, or add your own on **Documents**. "
            "Everything stays on this machine, unless you name a rerank server, which is sent the passages of a search."
        )
        draw_samples_button(primary=True)


def draw_samples_button(*, primary: bool = False) -> None:
    """The button; once clicked, the progress of each sample, and then the page anew."""
    style = "primary" if primary else "secondary"
    if st.button("Load the sample reports", key="samples", type=style, icon=":material/library_add:"):
        session().outcomes = draw_progress(workspace().add_samples())
        st.rerun()
