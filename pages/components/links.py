"""Addresses that can be shared, and links between the pages."""

from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

from rag.types import Passage

TRACE, DOCUMENTS, SEARCH = "pages/ask/trace.py", "pages/library/documents.py", "pages/library/search.py"


def passage_address(passage: Passage) -> str:
    """The documents page with the passage's page open and the passage marked, relative to any page."""
    query = {"document": passage.document_id, "page": passage.page, "passage": passage.id}
    return "documents?" + urlencode(query, quote_via=quote)


def page_link(page: str, label: str, /, *, icon: str, **query: str) -> None:
    """A link to another page; where that page is not there (a page that runs on its own) nothing is drawn."""
    try:
        st.page_link(page, label=label, icon=icon, query_params=query)
    except (StreamlitAPIException, KeyError):
        return
