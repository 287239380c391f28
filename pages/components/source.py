"""A passage where it stands: the page's image with the passage marked, or the page's text where there is no image."""

import re
from collections.abc import Sequence

import streamlit as st

from pages.components.links import DOCUMENTS, page_link
from pages.components.session import workspace
from pages.components.text import flowed, plain
from rag.errors import TracebookError, UnknownDocument
from rag.types import Passage
from rag.words import stem, tokens

_WORD = re.compile(r"[^\W_]+")


def open_source(passage: Passage, title: str) -> None:
    """Open the passage's page in a drawer beside the answer."""
    name = f"{plain(title)}, {plain(passage.place)}"
    st.dialog(name, width="large", position="right", icon=":material/article:")(_source)(passage)


def _source(passage: Passage) -> None:
    if passage.headings:
        st.caption(plain(" › ".join(passage.headings)))
    draw_page(passage.document_id, passage.page, mark=passage)
    query = {"document": passage.document_id, "page": str(passage.page), "passage": passage.id}
    page_link(DOCUMENTS, "Open in the document", icon=":material/open_in_new:", **query)


def draw_page(document_id: str, number: int, *, mark: Passage | None = None) -> None:
    """The page's image, the passage tinted; the text itself where the format has no page images."""
    image = None
    try:
        page = workspace().page(document_id, number)
        image = workspace().page_image(document_id, number, mark=mark, scale=2.0)
    except UnknownDocument as error:
        st.warning(plain(str(error)), icon=":material/warning:")
        return
    except TracebookError as error:  # its text is there all the same
        st.warning(plain(str(error)), icon=":material/warning:")
    if image is not None:
        st.image(image, width="stretch", alt=page.place + (", the passage marked" if mark else ""))
        return
    start, end = (mark.start, mark.end) if mark else (0, 0)
    with st.container(border=True):
        parts = ((page.text[:start], "{}"), (page.text[start:end], ":primary-background[{}]"), (page.text[end:], "{}"))
        for text, form in parts:
            st.markdown("  \n".join(form.format(plain(line)) for line in flowed(text)))


def highlighted(text: str, words: Sequence[str]) -> str:
    """Markdown of the text with every word tinted that has the stem of one of these."""
    wanted = {stem(token) for word in words for token in tokens(word)}
    return "  \n".join(_highlighted(line, wanted) for line in flowed(text))


def _highlighted(text: str, wanted: set[str]) -> str:
    pieces, start = [], 0
    for found in _WORD.finditer(text):
        if any(stem(token) in wanted for token in tokens(found.group())):
            pieces += [_spaced(text[start : found.start()]), f":primary-background[{plain(found.group())}]"]
            start = found.end()
    return "".join(pieces) + _spaced(text[start:])


def _spaced(text: str) -> str:
    return " " * (text[:1].isspace()) + plain(text) + " " * (text[-1:].isspace() and bool(text.strip()))
