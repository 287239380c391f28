"""Why a query finds a passage, or why it does not: its standing with each scorer, and what the score is made of."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

import streamlit as st

from pages.components.hits import bar
from pages.components.session import workspace
from pages.components.source import highlighted
from pages.components.text import plain
from rag.errors import TracebookError
from rag.types import Explanation, Passage, Query, Standing
from rag.words import count


def open_explanation(query: Query, passage: Passage, title: str) -> None:
    """Open the explanation in a drawer beside the results."""
    name = f"Why this? {plain(title)}, {plain(passage.place)}"
    titles = {document.id: document.title for document in workspace().documents()}
    st.dialog(name, width="large", position="right", icon=":material/help:")(draw_explanation)(query, passage, titles)


def draw_explanation(query: Query, passage: Passage, titles: Mapping[str, str]) -> None:
    """The verdict, each scorer, the parts of hybrid, the words that are held and those that are not."""
    try:
        explanation = workspace().explain(query, passage.id)
    except TracebookError as error:  # deleted since the results were drawn
        st.warning(plain(str(error)), icon=":material/warning:")
        return
    st.markdown(_verdict(explanation, titles))
    _draw_keep(query, passage)
    left, right = st.columns(2)
    rows = [_standing(standing) for standing in explanation.standings]
    left.markdown(_table(("scorer", "", "score", "rank", f"last of {query.k}"), rows))
    if explanation.shares:
        total = explanation.standings[-1].score
        parts = [
            (s.name, bar(s.score), f"{s.score:.2f}", f"× {s.weight:g}", f"{s.contribution:.2f}")
            for s in explanation.shares
        ]
        right.markdown(_table(("hybrid", "", "score", "weight", f"gives, of {total:.2f}"), parts))
        st.caption(_support(explanation))
    st.markdown(_words(explanation))
    st.caption(plain(" › ".join((titles.get(passage.document_id, ""), *passage.headings))))
    st.markdown(highlighted(passage.text, explanation.matched))


def _draw_keep(query: Query, passage: Passage) -> None:
    """The button that keeps the query as a test, or that it is kept."""
    kept = (query, passage.document_id, passage.page)
    if kept in [(test.query, test.document_id, test.page) for test in workspace().retrieval_tests()]:
        st.caption(":material/check: Kept as a retrieval test. Evaluation runs it.")
    else:
        st.button(
            "Keep as a retrieval test",
            key=f"keep-{passage.id}",
            icon=":material/bookmark_add:",
            on_click=_keep,
            args=(query, passage.id),
            help=f"This query has to find this page among its first {query.k}.",
        )


def _keep(query: Query, passage_id: str) -> None:
    with suppress(TracebookError):  # deleted since: what is drawn next says so
        workspace().keep_test(query, passage_id)


def _verdict(explanation: Explanation, titles: Mapping[str, str]) -> str:
    standing, k = explanation.standings[-1], explanation.query.k
    if standing.listed:
        return f":green-badge[:material/check: found] Rank {standing.rank} of hybrid, among the first {k}."
    return f":orange-badge[:material/block: not found] {_why_not(explanation, standing, titles)}"


def _why_not(explanation: Explanation, standing: Standing, titles: Mapping[str, str]) -> str:
    if not explanation.in_scope:
        return f"Its report is not among those asked. Its score would be {standing.score:.2f}."
    if not standing.score:
        return "It holds no word of the query, and its meaning is not near."
    if better := explanation.copy_of:
        return f"Left out: {plain(better.place)} of the same report says almost the same, and ranks higher."
    k, cut = explanation.query.k, standing.cut
    if cut is None or standing.score > cut.score:
        return f"It scores {standing.score:.2f}, but neither bm25 nor dense has it among the passages that are weighed."
    last = f"{plain(titles.get(cut.passage.document_id, 'deleted report'))} {plain(cut.passage.place)}"
    rank = f"Rank {standing.rank}" if standing.rank else "Beyond rank 200"
    gap = f"{cut.score - standing.score:.2f} less than the last of the first {k}, {last}"
    return f"{rank} of hybrid. It scores {standing.score:.2f}: {gap} ({cut.score:.2f})."


def _standing(standing: Standing) -> Sequence[str]:
    rank = f"{standing.rank}" if standing.rank else "beyond 200" if standing.score else "no match"
    cut = f"{standing.cut.score:.2f}" if standing.cut else "all that match"
    return standing.scorer, bar(standing.score), f"{standing.score:.2f}", rank, cut


def _support(explanation: Explanation) -> str:
    """What the topic alone would let the passage be offered for."""
    topic, theme, fact = explanation.topic, explanation.support, explanation.loose
    if topic >= theme:
        return (
            f"Topic {topic:.2f} is enough to be offered to an answer: {theme:.2f} for a theme, {fact:.2f} for a fact."
        )
    if topic >= fact:
        short = f"{theme - topic:.2f} short for a theme ({theme:.2f})"
        return f"Topic {topic:.2f} is enough for a fact ({fact:.2f}), and {short}."
    return f"Topic {topic:.2f} is {fact - topic:.2f} short of what an answer is offered ({fact:.2f} for a fact)."


def _words(explanation: Explanation) -> str:
    matched, unmatched = explanation.matched, explanation.unmatched
    found = " ".join(f":primary-background[{plain(word)}]" for word in matched)
    missing = f"not in the passage: {plain(', '.join(unmatched))}" if unmatched else ""
    held = f"Matched {found}" if found else f"Matched no word of {count(len(unmatched), 'word')}"
    return " · ".join(filter(None, (held, missing)))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
