"""A document opened: its passages, page by page, beside the image of the page."""

import streamlit as st

from pages.components.card import card_badges, draw_correction, draw_deletion, draw_notes, facts, open_document
from pages.components.session import workspace
from pages.components.source import draw_page
from pages.components.text import flowed, plain, short
from rag.types import Document, Passage
from rag.words import count


def draw_document(document: Document) -> None:
    """The card, then the page that the address names, with its passages."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("All documents", icon=":material/arrow_back:", on_click=open_document, args=(None,), type="tertiary")
        draw_correction(document)
        draw_deletion(document)
    st.title(plain(document.title))
    st.markdown(card_badges(document))
    st.caption(facts(document))
    draw_notes(document)
    if document.trouble:
        st.caption(f":material/warning: {plain(document.trouble)}")
    number = st.pagination(document.pages, key="page", bind="query-params", max_visible_pages=9)
    passages = workspace().passages(document.id, page=number)
    marked = next((each for each in passages if each.id == st.query_params.get("passage")), None)
    left, right = st.columns([3, 2], gap="large")
    with right:
        st.caption(f"{plain(workspace().page(document.id, number).place)} · {count(document.pages, 'sheet')}")
        if not passages:
            st.markdown("This page holds no text that could be cited.")
        for passage in passages:
            _draw_passage(passage, marked)
    with left:
        draw_page(document.id, number, mark=marked)


def _draw_passage(passage: Passage, marked: Passage | None) -> None:
    chosen = passage == marked
    with st.container(border=True, gap="xsmall"):
        heading = short(passage.headings[-1], 40) if passage.headings else ""
        st.button(
            plain(heading) or "Passage",
            key=f"mark-{passage.id}",
            icon=":material/ink_highlighter:" if chosen else ":material/ink_highlighter_move:",
            on_click=_mark,
            args=(None if chosen else passage.id,),
            type="tertiary",
            help="Mark it on the page",
        )
        form = ":primary-background[{}]" if chosen else "{}"
        st.markdown("  \n".join(form.format(plain(line)) for line in flowed(passage.text)))
        st.caption(f"{passage.tokens} tokens" + (f" · {passage.statement} statement" if passage.statement else ""))


def _mark(passage_id: str | None) -> None:
    if passage_id is None:
        st.query_params.pop("passage", None)
    else:
        st.query_params["passage"] = passage_id
