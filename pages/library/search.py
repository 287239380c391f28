"""One query through every scorer, side by side: ranked passages with their scores out."""

from functools import partial

import streamlit as st

from pages.components.explanation import draw_explanation, open_explanation
from pages.components.hits import draw_hits
from pages.components.lookup import choose_passage
from pages.components.samples import draw_invitation
from pages.components.session import workspace
from pages.components.text import plain, seconds
from rag.errors import TracebookError
from rag.types import Query
from rag.words import content_words

MEANINGS = {
    "keyword": "Share of the query's words that the passage holds",
    "bm25": "Rare words count more; 1.00 is the most that the query can reach",
    "dense": "Likeness of meaning (cosine), by the embedding model",
    "hybrid": "Weighted mean of topic, bm25, heading, dense and numbers; what answers use",
}

st.title("Search")
work = workspace()
documents = {document.id: document for document in work.documents()}
if not documents:
    draw_invitation()
    st.stop()
text = st.text_input("Query", placeholder="supply chain risk", key="query", bind="query-params")
with st.container(horizontal=True, vertical_alignment="bottom"):
    chosen = st.multiselect(
        "Reports",
        list(documents),
        format_func=lambda document: documents[document].title,
        placeholder="Whole library",
        width=420,
    )
    k = st.number_input("Passages", min_value=1, max_value=50, value=5, width=140)
if text.strip():
    if any(document.state == "embedding" for document in documents.values()):
        done, total = (sum(getattr(each, name) for each in documents.values()) for name in ("embedded", "passages"))
        st.caption(f"{done:,} of {total:,} passages have a vector; dense finds those alone so far.")
    if not content_words(text):
        st.markdown("There is nothing to search for: these are words and signs that stand in every text.")
    titles = {document.id: document.title for document in documents.values()}
    query = Query(text, k, tuple(chosen) or None)
    scorers = work.scorers()
    columns = [column for _ in scorers[::2] for column in st.columns(2, gap="large")]
    for column, scorer in zip(columns, scorers, strict=False):
        with column:
            st.subheader(scorer)
            st.caption(MEANINGS[scorer])
            try:
                result = work.search(query, scorer=scorer)
            except TracebookError as error:
                st.warning(plain(str(error)), icon=":material/warning:")
                continue
            if not result.hits:
                st.markdown("No passage matched.")
            draw_hits(result.hits, titles, key=scorer, narrow=True, explain=partial(open_explanation, query))
            st.caption(seconds(result.seconds))
    st.subheader("Why this, why not this?")
    st.caption("Choose any passage of the library: where it stands for this query, and what it lacks.")
    if passage := choose_passage(documents):
        draw_explanation(query, passage, titles)
