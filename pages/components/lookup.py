"""A passage chosen by report and page."""

from collections.abc import Mapping

import streamlit as st

from pages.components.session import workspace
from pages.components.text import short
from rag.types import Document, Passage


def choose_passage(documents: Mapping[str, Document]) -> Passage | None:
    """The passage that is chosen; None where none is yet, or the page holds no text."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        document_id = st.selectbox(
            "Report",
            list(documents),
            index=None,
            format_func=lambda document: documents[document].title,
            placeholder="Choose a report",
            key="why-report",
            width=300,
        )
        if not document_id:
            return None
        pages = documents[document_id].pages
        number = st.number_input(f"Sheet, of {pages}", 1, pages, key=f"why-page-{document_id}", width=140)
        passages = workspace().passages(document_id, page=number)
        if not passages:
            st.markdown("This page holds no text that could be found.")
            return None
        chosen = st.selectbox(
            "Passage",
            range(len(passages)),
            format_func=lambda place: f"{place + 1} of {len(passages)} · {short(passages[place].text, 70)}",
            key=f"why-passage-{document_id}-{number}",
        )
    return passages[chosen]
