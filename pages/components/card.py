"""A report's card: what it is, how much of it there is, and what can be done with it."""

from datetime import date
from typing import get_args

import streamlit as st

from pages.components.session import session, workspace
from pages.components.text import plain
from rag.types import Card, Document, Kind
from rag.words import count

_KINDS = list(get_args(Kind))
_EARLIEST = date(1900, 1, 1)


def draw_card(document: Document) -> None:
    """One report of the list."""
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.button(
                f"**{plain(document.title)}**",
                key=f"open-{document.id}",
                icon=":material/description:",
                on_click=open_document,
                args=(document.id,),
                type="tertiary",
            )
            with st.container(horizontal=True, width="content", gap="small"):
                draw_correction(document)
                draw_deletion(document)
        st.markdown(f"{card_badges(document)} :small[:gray[{facts(document)}]]")
        draw_notes(document)


def open_document(document_id: str | None) -> None:
    """Turn to the document; None turns back to the list."""
    st.query_params.clear()
    if document_id:
        st.query_params["document"] = document_id


def card_badges(document: Document) -> str:
    """Markdown: company, kind, year, period end and state."""
    card = document.card
    known = [
        plain(card.company or "company unknown"),
        card.kind if card.kind != "other" else "kind unknown",
        f"fiscal {card.fiscal_year}" if card.fiscal_year else "year unknown",
        *([f"period to {plain(card.period_end)}"] if card.period_end else []),
        *([f"dated {plain(card.issued)}"] if card.issued else []),
    ]
    return " ".join([*(f":gray-badge[{fact}]" for fact in known), _state_badge(document)])


def facts(document: Document) -> str:
    """ "alder.pdf · 24 pages · 61 passages · 9,120 tokens"."""
    sizes = (count(document.pages, "page"), count(document.passages, "passage"), count(document.tokens, "token"))
    return " · ".join((plain(document.file), *sizes))


def draw_notes(document: Document) -> None:
    """What a reader should know of how the file was read."""
    for note in document.notes:
        st.caption(f":material/info: {plain(note)}")


def draw_correction(document: Document) -> None:
    """A form for the card, folded."""
    key = f"correct-{document.id}"
    with st.popover("Correct", icon=":material/edit:", type="tertiary", key=key, on_change="rerun") as box:
        if box.open:  # a library may have hundreds of cards
            _draw_form(document)


def draw_deletion(document: Document) -> None:
    """Deletion, with a second click."""
    with st.popover("Delete", icon=":material/delete:", type="tertiary"):
        st.markdown(
            f"Delete **{plain(document.title)}** with its {count(document.passages, 'passage')} and retrieval tests? "
            "Past runs that quote it keep their question and ledger, and lose steps and answer."
        )
        st.button(
            "Delete this report", key=f"delete-{document.id}", type="primary", on_click=_delete, args=(document.id,)
        )


def _draw_form(document: Document) -> None:
    with st.form(f"card-{document.id}", border=False):
        card = document.card
        company = st.text_input("Company", card.company or "")
        aliases = st.text_input("Also known as", ", ".join(card.aliases), help="Other names, parted by commas.")
        kind = st.selectbox("Kind", _KINDS, _KINDS.index(card.kind))
        year = st.number_input("Fiscal year", min_value=1900, max_value=2200, value=card.fiscal_year, step=1)
        end = st.date_input("Period end", _date(card.period_end), min_value=_EARLIEST, format="YYYY-MM-DD")
        issued = st.date_input("Dated", _date(card.issued), min_value=_EARLIEST, format="YYYY-MM-DD")
        if st.form_submit_button("Save", type="primary"):
            names = tuple(name.strip() for name in aliases.split(",") if name.strip())
            days = (day.isoformat() if isinstance(day, date) else None for day in (end, issued))
            workspace().correct(document.id, Card(company.strip() or None, names, kind, year, *days))
            st.rerun()


def _delete(document_id: str) -> None:
    workspace().remove(document_id)
    session().outcomes = ()
    open_document(None)


def _date(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _state_badge(document: Document) -> str:
    if document.state == "ready":
        return ":green-badge[:material/check: ready]"
    share = f"{document.embedded:,} of {document.passages:,}"
    if document.trouble:
        return f":orange-badge[:material/warning: searchable by keyword, {share} embedded]"
    return f":blue-badge[:material/hourglass_top: searchable, {share} embedded]"
