"""Coverage: what became of each document in scope, as badges, as words, and as a matrix of searches and documents."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pages.components.sheets import sheet
from pages.components.text import escape, narrowed, plain, short
from rag.types import CoverageRow, CoverageState, Step, Trace
from rag.words import count

if TYPE_CHECKING:
    import altair as alt

WORDS: Mapping[CoverageState, str] = {
    "cited": "cited",
    "offered": "read, not cited",
    "nothing_found": "nothing found",
    "not_searched": "not searched",
}
_COLOURS: Mapping[CoverageState, str] = {
    "cited": "green",
    "offered": "gray",
    "nothing_found": "orange",
    "not_searched": "red",
}
_ICONS: Mapping[CoverageState, str] = {
    "cited": ":material/check:",
    "offered": ":material/radio_button_unchecked:",
    "nothing_found": ":material/remove_circle:",
    "not_searched": ":material/visibility_off:",
}
_NAMED = 3  # reports that a badge names; more are counted


def ledger_badges(rows: Sequence[CoverageRow]) -> str:
    """Markdown: how many reports are cited, then those that are not, by name where they are few."""
    badges = [cited_badge(sum(row.state == "cited" for row in rows), len(rows))]
    for state in ("offered", "nothing_found", "not_searched"):
        those = [row for row in rows if row.state == state]
        if len(those) > _NAMED:
            badges.append(state_badge(state, f"{len(those)} {WORDS[state]}"))
        badges += [state_badge(state, f"{row.title}: {WORDS[state]}", row) for row in those if len(those) <= _NAMED]
    return " ".join(badges)


def cited_badge(cited: int, documents: int) -> str:
    """Markdown: how many of the reports in scope are cited; "" where none is in scope."""
    colour, icon = ("green", "check") if cited == documents else ("orange", "contrast")
    return f":{colour}-badge[:material/{icon}: {cited} of {count(documents, 'report')} cited]" if documents else ""


def state_badge(state: CoverageState, label: str, row: CoverageRow | None = None) -> str:
    """Markdown of a badge in the state's colour; with a row, a link to its document."""
    badge = f":{_COLOURS[state]}-badge[{_ICONS[state]} {plain(label)}]"
    return f'[{badge}](documents?document={row.document_id} "{escape(row.file)}")' if row else badge


@st.fragment
def draw_ledger(rows: Sequence[CoverageRow], *, key: str) -> None:
    """A line per document in scope, those that were not cited first; `key` must be the list's own on its page."""
    states = list(reversed(WORDS))
    for row in sheet(sorted(rows, key=lambda row: states.index(row.state)), 40, key=key):
        found = f"best {row.best:.2f}" if row.best else "nothing came back"
        sums = f"{count(row.searches, 'search', 'searches')}, {found}, {row.offered} offered, {row.cited} cited"
        asked = sums if row.searches else "no search asked it"
        st.markdown(f"{state_badge(row.state, WORDS[row.state])} **{plain(row.title)}** :gray[{asked}]")


def draw_not_covered(trace: Trace) -> None:
    """What the answer could not cover, in words, and apart from that which reports are silent; else nothing."""
    said = " ".join(trace.answer.not_covered)
    absent = [f"“{name}” is not in the library." for name in trace.answer.not_in_library if name not in said]
    gaps = [line for line in trace.answer.not_covered if line not in trace.silent]
    for title, items in (("Not covered", grouped([*gaps, *absent])), ("Silent", _silent(trace))):
        if items:
            with st.container(border=True):
                st.markdown(f"**{title}**\n\n" + "\n".join(items))


def _silent(trace: Trace) -> list[str]:
    """Markdown items: the sentences, or where they are many only whom they are about."""
    if len(trace.silent) <= _NAMED:
        return [f"- {plain(line)}" for line in trace.silent]
    titles = ", ".join(row.title for row in trace.coverage if row.state == "nothing_found")
    found = f"**{count(len(trace.silent), 'report')}** searched, nothing found on this"
    return [f"- {found}  \n:small[{plain(titles)}]"]


def grouped(lines: Sequence[str]) -> list[str]:
    """Markdown items; reports of which the same is said ("Alder 10-K 2023: …") share one, where they are many."""
    names = defaultdict(list)
    for line in lines:
        name, _, said = line.partition(": ")
        names[said].append(name)
    items = []
    for said, named in names.items():
        if said and len(named) > _NAMED:
            items.append(f"- **{count(len(named), 'report')}**: {plain(said)}  \n:small[{plain(', '.join(named))}]")
        else:
            items += [f"- {plain(f'{name}: {said}' if said else name)}" for name in named]
    return items


def draw_matrix(trace: Trace) -> None:
    """Best score of each step's searches in each document; what was cited bears a dot, what was offered a ring."""
    steps = [step for step in trace.steps if step.observation.searches]
    if not steps or not trace.coverage:
        st.caption("No search was made.")
        return
    import altair as alt
    import pandas as pd

    names = _distinct_titles(trace.coverage)
    cells = [
        (names[row.document_id], f"step {step.number}", *cell)
        for step in steps
        for row in trace.coverage
        if (cell := _cell(step, row, trace)) is not None
    ]
    table = pd.DataFrame(cells, columns=["report", "step", "query", "score", "sign"])
    st.altair_chart(_matrix(alt.Chart(table), [f"step {step.number}" for step in steps], list(names.values())))


def _matrix(chart: "alt.Chart", steps: Sequence[str], reports: Sequence[str]) -> "alt.LayerChart":
    """Squares in the theme's own sequence of colours, with the signs in one that stands out on them."""
    import altair as alt

    back, ink = ("#12161C", "#E8E6E1") if st.context.theme.type == "dark" else ("#FDFCF9", "#1C2430")
    across = alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False, labelFlush=False, labelBound=False)
    down = alt.Axis(ticks=False, domain=False, labelLimit=230, labelFlush=False, labelBound=False, labelOverlap=False)
    base = chart.encode(
        x=alt.X("step:N", title=None, sort=steps, scale=alt.Scale(domain=steps), axis=across),
        y=alt.Y("report:N", title=None, sort=reports, scale=alt.Scale(domain=reports), axis=down),
        tooltip=["report:N", "query:N", alt.Tooltip("score:Q", format=".2f")],
    )
    colour = alt.Color("score:Q", scale=alt.Scale(domain=[0, 1]), legend=None)
    squares = base.mark_rect(cornerRadius=3, stroke=back, strokeWidth=2).encode(color=colour)
    sign_colour = alt.condition("datum.score > 0.55", alt.value(back), alt.value(ink))
    signs = base.mark_text(fontSize=14).encode(text="sign:N", color=sign_colour)
    return (squares + signs).properties(height=44 + (30 if len(reports) <= 12 else 20) * len(reports))


def _cell(step: Step, row: CoverageRow, trace: Trace) -> tuple[str, float, str] | None:
    """The step's best query in the document, its score and its sign; None where the step did not ask it."""
    asked = [search for search in step.observation.searches if row.document_id in search.documents]
    if not asked:
        return None
    best = max(asked, key=lambda search: search.best.get(row.document_id, 0.0))
    found = {hit.passage.id for search in asked for hit in search.hits if hit.passage.document_id == row.document_id}
    cited = any(citation.passage.id in found for citation in trace.answer.citations)
    offered = any(hit.passage.id in found for hit in trace.retrieved)
    return short(best.query, 80), best.best.get(row.document_id, 0.0), "●" if cited else "○" if offered else ""


def _distinct_titles(rows: Sequence[CoverageRow]) -> dict[str, str]:
    titles = [narrowed(row.title, 30) for row in rows]
    pairs = zip(rows, titles, strict=True)
    return {row.document_id: title if titles.count(title) == 1 else f"{title} ({row.file})" for row, title in pairs}
