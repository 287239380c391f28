"""Ranked passages: a score bar for each, which unfolds in place into what the score is made of."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from pages.components.sheets import sheet
from pages.components.source import highlighted, open_source
from pages.components.text import narrowed, plain, short
from rag.types import Hit, Passage

_TRACK = "#80808040"  # grey, a quarter opaque


def bar(score: float, width: int = 10) -> str:
    """Markdown of a bar as long as the score, 0 to 1, on a track that is seen in both themes."""
    filled = max(round(score * width), 1 if score > 0 else 0)
    track = f':color[{"━" * (width - filled)}]{{foreground="{_TRACK}"}}' if filled < width else ""
    return (f":primary[{'━' * filled}]" if filled else "") + track


@st.fragment
def draw_hits(
    hits: Sequence[Hit],
    titles: Mapping[str, str],
    *,
    key: str,
    narrow: bool = False,
    explain: Callable[[Passage, str], None] | None = None,
) -> None:
    """The hits in the order given; `key` must be the list's own on its page. `explain` opens why one is found."""
    for hit in sheet(hits, 10, key=key):
        title = titles.get(hit.passage.document_id, "deleted report")
        row = f"{key}-{hit.passage.id}"
        with st.expander(_label(hit, title, narrow), type="compact", key=row, on_change="rerun") as unfolded:
            if unfolded.open:
                _unfold(hit, title, explain, key=row)


def _label(hit: Hit, title: str, narrow: bool) -> str:
    place = f"{plain(narrowed(title, 24 if narrow else 34))} {plain(hit.passage.place)}"
    heading = f" · {plain(short(hit.passage.headings[-1], 18))}" if hit.passage.headings and not narrow else ""
    return f"{bar(hit.score)} **{hit.score:.2f}** · {place}{heading}"


def _unfold(hit: Hit, title: str, explain: Callable[[Passage, str], None] | None, *, key: str) -> None:
    st.caption(plain(" › ".join((title, *hit.passage.headings))))
    if hit.components:
        rows = [
            f"| {plain(part.name)} | {bar(part.score)} | {part.score:.2f} | {part.rank or ''} |"
            for part in hit.components
        ]
        st.markdown("\n".join(["| part | | score | rank |", "|---|---|---|---|", *rows]))
    words = [f":primary-background[{plain(word)}]" for word in hit.matched]
    found = f"Matched {' '.join(words)}" if words else "Matched no word of the query; close in meaning."
    missing = f" · not in the passage: {plain(', '.join(hit.unmatched))}" if hit.unmatched else ""
    st.markdown(found + missing)
    st.markdown(highlighted(hit.passage.text, hit.matched))
    with st.container(horizontal=True):
        if st.button("Show on the page", key=f"{key}-open", icon=":material/article:", type="tertiary"):
            open_source(hit.passage, title)
        if explain and st.button("Why this?", key=f"{key}-why", icon=":material/help:", type="tertiary"):
            explain(hit.passage, title)
