"""The invitation of an empty library: the sample reports, in one click."""

import streamlit as st

from pages.components.session import session, workspace
from pages.components.text import plain
from pages.components.uploads import draw_progress
from rag.words import listed


def draw_invitation() -> None:
    """What to do first, with one button that loads the samples."""
    with st.container(border=True):
        st.markdown("### No reports yet")
        st.markdown(
            "Load three short reports of invented companies to look around, or add your own on **Documents**. "
            + _where_text_goes()
        )
        draw_samples_button(primary=True)


def _where_text_goes() -> str:
    """Which servers the settings name, and what they are sent."""
    settings, choice = workspace().settings, workspace().reasoner()
    told = [f"the language model ({plain(choice.name)}) questions and passages"] if choice.endpoint else []
    told += ["the embedding server all passages"] if settings.embeddings == "endpoint" else []
    told += ["the rerank server the passages of a search"] if settings.rerank_url else []
    return f"Your settings send {listed(told)}; all else stays here." if told else "Everything stays on this machine."


def draw_samples_button(*, primary: bool = False) -> None:
    """The button; once clicked, the progress of each sample, and then the page anew."""
    style = "primary" if primary else "secondary"
    if st.button("Load the sample reports", key="samples", type=style, icon=":material/library_add:"):
        session().outcomes = draw_progress(workspace().add_samples())
        st.rerun()
