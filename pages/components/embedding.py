"""Where the library's vectors stand: how far they are, what went wrong, and the change to another embedding model."""

import streamlit as st

from pages.components.session import workspace
from pages.components.text import plain
from rag.types import EmbeddingChange
from rag.words import count


def draw_embedding() -> None:
    """Nothing where all passages have their vectors of the model that is set."""
    running = workspace().embedding().running
    st.fragment(_draw, run_every=2 if running else None)(running)


def _draw(running: bool) -> None:
    progress, change = workspace().embedding(), workspace().embedding_change()
    if running and not progress.running:
        st.rerun()  # done, or failed: the cards say so, and the clock stops
    if progress.error:
        st.warning(plain(progress.error), icon=":material/warning:")
        if st.button("Try again", key="embed-again", icon=":material/refresh:"):
            workspace().embed_again()
            st.rerun()
    elif progress.running and progress.done < progress.total:
        share = progress.done / progress.total
        st.progress(share, text=f"Embedding in the background: {progress.done:,} of {progress.total:,} passages")
    if change:
        with st.container(border=True, gap="small"):
            _draw_change(change)


def _draw_change(change: EmbeddingChange) -> None:
    before, after = plain(change.before), plain(change.after)
    if change.begun:
        st.markdown(f"The library is going over to the embedding model **{after}**.")
    else:
        st.markdown(f"The library's vectors are of the embedding model **{before}**, the settings name **{after}**.")
        st.markdown(f"A change means to embed {_cost(change)}. It runs in the background, after a restart too.")
    until = f"**{before}** cannot be asked with these settings, so searches go" if change.gap else "Searches go"
    by = "keywords alone" if change.gap else f"**{before}**"
    st.caption(f"{until} by {by} until every passage has its new vector; then the old vectors are dropped.")
    if change.begun and st.button("Give the change up", key="keep-embeddings"):
        workspace().keep_embeddings()
        st.rerun()
    if not change.begun and st.button("Change the library over", key="change-embeddings"):
        workspace().change_embeddings()
        st.rerun()


def _cost(change: EmbeddingChange) -> str:
    """ "1,204 passages, about 210,000 tokens, on this machine"."""
    match change.price:
        case None:
            price = "sent to its server at a price that the settings do not name"
        case 0:
            price = "on this machine"
        case _:
            amount = f"{change.price:,.2f}" if change.price >= 0.01 else "under 0.01"
            price = f"sent to its server, {amount} at the price that is set"
    return f"{count(change.passages, 'passage')}, about {count(change.tokens, 'token')}, {price}"
