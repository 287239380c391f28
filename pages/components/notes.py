"""What is to be noted beside a step or an answer: a line each."""

from collections.abc import Iterable

import streamlit as st

from pages.components.text import plain


def draw_notes(notes: Iterable[str]) -> None:
    for note in notes:
        st.caption(f":material/info: {plain(note)}")
