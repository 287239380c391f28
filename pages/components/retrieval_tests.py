"""The retrieval tests of the library: each query with the page it has to find, and whether it does now."""

from collections.abc import Mapping

import streamlit as st

from pages.components.links import SEARCH, page_link
from pages.components.session import session, workspace
from pages.components.text import plain
from rag.evaluation.cases import CaseOutcome, run_cases
from rag.types import Document, RetrievalTest
from rag.words import count


def draw_retrieval_tests() -> None:
    """The list, with a button that runs all of them."""
    documents = {document.id: document for document in workspace().documents()}
    tests = [test for test in workspace().retrieval_tests() if test.document_id in documents]
    if not tests:
        st.caption("No test yet. Open a passage on Search, ask why it is found or not, and keep it as a test.")
        page_link(SEARCH, "Search", icon=":material/search:")
        return
    if st.button(f"Run {count(len(tests), 'test')}", type="primary", icon=":material/play_arrow:", key="run-tests"):
        session().tested = {outcome.case.id: outcome for outcome in run_cases(workspace(), tests)}
    outcomes = session().tested
    ran = [outcomes[test.id] for test in tests if test.id in outcomes]
    if ran:
        st.caption(f"{sum(outcome.passed for outcome in ran)} of {len(ran)} passed.")
    for test in tests:
        with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            badge, expected = _badge(outcomes.get(test.id)), _expected(test, documents)
            st.markdown(f"{badge} **{plain(test.query.text)}**  \n:small[:gray[{expected}]]")
            st.button(
                "Remove",
                key=f"forget-{test.id}",
                icon=":material/delete:",
                type="tertiary",
                on_click=workspace().forget_test,
                args=(test.id,),
            )


def _badge(outcome: CaseOutcome | None) -> str:
    if outcome is None:
        return ":gray-badge[not run]"
    where = f"rank {outcome.rank}" if outcome.rank else "not among 200"
    return f":green-badge[:material/check: {where}]" if outcome.passed else f":red-badge[:material/close: {where}]"


def _expected(test: RetrievalTest, documents: Mapping[str, Document]) -> str:
    title, asked = documents[test.document_id].title, test.query.documents
    place = plain(workspace().page(test.document_id, test.page).place)
    scope = "the whole library" if asked is None else count(len(asked), "report")
    return f"{plain(title)}, {place}, among the first {test.query.k} of {scope}"
