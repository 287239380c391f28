"""The steps of a run: the one fact of each in its label, all of it in its body."""

from collections.abc import Mapping

import streamlit as st

from pages.components.hits import draw_hits
from pages.components.links import passage_address
from pages.components.notes import draw_notes
from pages.components.source import open_source
from pages.components.text import plain, seconds, short
from rag.types import Action, Comparison, Search, Step, StepKind, StepStarted, Trace
from rag.words import count

ICONS: Mapping[StepKind | Action, str] = {
    "plan": ":material/route:",
    "sweep": ":material/manage_search:",
    "search_documents": ":material/search:",
    "get_document_summary": ":material/summarize:",
    "compare_chunks": ":material/compare_arrows:",
    "answer_directly": ":material/edit_note:",
}
_NAMES: Mapping[StepKind, str] = {"plan": "Plan", "sweep": "Sweep", "action": "Step"}


def name(step: Step) -> StepKind | Action:
    """What the step did: its action, or "plan" or "sweep"."""
    return step.decision.action if step.decision else step.kind


def started_label(event: StepStarted) -> str:
    """The label of a step that is under way."""
    query = event.action_input.get("query")
    fact = f"“{short(str(query), 44)}”" if query else short(event.thought, 64)
    return f":gray[{event.number}] **{plain(event.action or _NAMES[event.kind])}** · {plain(fact)}"


def step_label(step: Step) -> str:
    """The label of a step that is done: at most about ninety characters, so that it stays on one line."""
    title = plain(name(step)) if step.decision else _NAMES[step.kind]
    return f":gray[{step.number}] **{title}** · {plain(_fact(step))}"


def _fact(step: Step) -> str:
    observation = step.observation
    if observation.error:
        return short(observation.error, 64)
    if observation.searches:
        documents = {document for search in observation.searches for document in search.documents}
        scores = [hit.score for search in observation.searches for hit in search.hits]
        query = f"“{short(observation.searches[0].query, 32)}” · "
        more = f"+{len(observation.searches) - 1} · " if len(observation.searches) > 1 else ""
        best = f" · best {max(scores):.2f}" if scores else ""
        return f"{query}{more}{count(len(documents), 'report')} · {count(len(scores), 'passage')}{best}"
    return short(step.thought if step.kind == "plan" else observation.text or step.thought, 62)


def draw_step(step: Step, trace: Trace) -> None:
    """The whole step inside the container that is open: why, what went in, what came out."""
    st.markdown(plain(step.thought) or "No reason given.")
    if step.decision and step.decision.action_input:
        rows = {plain(key): plain(_value(value, trace)) for key, value in step.decision.action_input.items()}
        st.table(rows, border="horizontal", width="content")
    if step.observation.error:
        st.warning(plain(step.observation.error), icon=":material/warning:")
    elif step.observation.text:
        for line in step.observation.text.splitlines():
            st.markdown(plain(line))
    if step.observation.comparison:
        _draw_comparison(step.observation.comparison, trace, key=f"compare-{step.number}")
    _draw_searches(step, trace)
    if step.observation.passages:
        places = (f"[{plain(each.place)}]({passage_address(each)})" for each in step.observation.passages)
        st.markdown(f"Rests on {', '.join(places)}")
    draw_notes(step.notes)
    st.caption(f"{seconds(step.seconds)} · {_tokens(step)}")


@st.fragment
def _draw_searches(step: Step, trace: Trace) -> None:
    """The passages of each search; of several searches each is folded into a line."""
    searches = step.observation.searches
    for number, search in enumerate(searches):
        key = f"{trace.run_id}-{step.number}-{number}"
        if len(searches) == 1:
            _draw_search(search, trace, key=key)
            continue
        best = f" · best {search.hits[0].score:.2f}" if search.hits else ""
        label = f"“{plain(short(search.query, 50))}” · {count(len(search.hits), 'passage')}{best}"
        with st.expander(label, type="compact", key=f"{key}-fold", on_change="rerun") as unfolded:
            if unfolded.open:
                _draw_search(search, trace, key=key)


def _draw_search(search: Search, trace: Trace, *, key: str) -> None:
    draw_hits(search.hits, trace.titles, key=key)
    if missed := _missed(search, trace):
        st.caption(missed)


def _missed(search: Search, trace: Trace) -> str:
    """Markdown: the documents of which no passage passed, with the best that came back; "" where all gave one."""
    given = {hit.passage.document_id for hit in search.hits}
    missed = [document for document in search.documents if document not in given]
    parts = [f"{trace.titles.get(each, each)} (best {search.best.get(each, 0.0):.2f})" for each in missed]
    return f"No passage passed in {plain(', '.join(parts))}." if parts else ""


def _value(value: object, trace: Trace) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_value(item, trace) for item in value)
    return ("yes" if value else "no") if isinstance(value, bool) else trace.titles.get(str(value), str(value))


def _tokens(step: Step) -> str:
    usage = step.usage
    if not usage.prompt_tokens and not usage.completion_tokens:
        return "no tokens"
    return f"{usage.prompt_tokens:,} tokens in, {usage.completion_tokens:,} out"


def _draw_comparison(comparison: Comparison, trace: Trace, *, key: str) -> None:
    sides = zip(st.columns(2), (comparison.left, comparison.right), ("left", "right"), strict=True)
    for column, passage, side in sides:
        title = trace.titles.get(passage.document_id, "deleted report")
        with column:
            label = f"{plain(title)}, {plain(passage.place)}"
            if st.button(label, key=f"{trace.run_id}-{key}-{side}", icon=":material/article:", type="tertiary"):
                open_source(passage, title)
    colours = {"agree": "green", "contradict": "red"}
    for relation in comparison.relations:
        badge = f":{colours.get(relation.kind, 'gray')}-badge[{plain(relation.kind)}]"
        quotes = " / ".join(f"“{plain(quote)}”" for quote in (relation.left, relation.right) if quote)
        st.markdown(f"{badge} **{plain(relation.point)}**  \n{quotes}")
