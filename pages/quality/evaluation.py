"""Question sets asked over the library: the scores of each kind of question, and each question with its run."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.components.badges import status_badge
from pages.components.cell import draw_mode
from pages.components.links import TRACE, page_link
from pages.components.retrieval_tests import draw_retrieval_tests
from pages.components.samples import draw_invitation, draw_samples_button
from pages.components.session import session, workspace
from pages.components.text import plain, seconds
from rag.errors import BadInput
from rag.evaluation.adapters import load, of_files
from rag.evaluation.questions import Sample, about
from rag.evaluation.runner import Outcome, evaluate
from rag.evaluation.score import means
from rag.types import Mode
from rag.words import count

KNOWN = Path(__file__).parents[2] / "samples" / "questions.jsonl"


def run(samples: Sequence[Sample], mode: Mode) -> tuple[Outcome, ...]:
    """Ask all of them, with progress; what was asked before a stop is kept."""
    outcomes: list[Outcome] = []
    progress = st.progress(0.0, text="Asking")
    for outcome in evaluate(workspace(), samples, mode=mode):
        outcomes.append(outcome)
        session().evaluated = tuple(outcomes)
        done = f"{len(outcomes)} of {count(len(samples), 'question')}"
        progress.progress(len(outcomes) / len(samples), text=f"{done} · {plain(outcome.sample.question)}")
    progress.empty()
    return tuple(outcomes)


def draw_scores(outcomes: Sequence[Outcome]) -> None:
    """Measures down, kinds of question across; kinds have different measures."""
    groups = means((outcome.sample, outcome.scores) for outcome in outcomes)
    measures = dict.fromkeys(measure for group in groups for measure in group.means)
    head = ["", *(f"{plain(group.kind)} ({group.samples})" for group in groups)]
    rows = [
        [
            measure.replace("_", " "),
            *(f"{group.means[measure]:.2f}" if measure in group.means else "" for group in groups),
        ]
        for measure in measures
    ]
    rule = ["---", *("--:" for _ in groups)]
    st.markdown("\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows)))


def score_badges(outcome: Outcome) -> str:
    """Markdown: how many measures are full, those that are not, and the counts of pages."""
    scores = {name.replace("_", " "): value for name, value in outcome.scores.items()}
    shares = {name: value for name, value in scores.items() if not name.startswith("pages")}
    full = sum(value >= 1 for value in shares.values())
    badges = [f":green-badge[{count(full, 'measure')} at 1.00]"] if full else []
    badges += [f":orange-badge[{name} {value:.2f}]" for name, value in shares.items() if value < 1]
    badges += [f":gray-badge[{name} {value:.2f}]" for name, value in scores.items() if name not in shares]
    return " ".join(badges)


def draw_question(outcome: Outcome) -> None:
    """The question, how it ended, its scores, and the way to its trace."""
    with st.container(border=True, gap="xsmall"):
        st.markdown(plain(outcome.sample.question))
        time = f":small[:gray[{seconds(outcome.result.seconds)}]]"
        st.markdown(f"{status_badge(outcome.result.status)} {score_badges(outcome)} {time}")
        if outcome.trace:
            page_link(TRACE, "Open trace", icon=":material/account_tree:", run=outcome.trace.run_id)
        else:
            st.caption(plain(outcome.result.answer))


st.title("Evaluation")
if not workspace().documents():
    draw_invitation()
    st.stop()
questions, tests = st.tabs(["Question sets", "Retrieval tests"])
with tests:
    draw_retrieval_tests()
with questions:
    st.caption(
        "A question set holds one JSON object a line: id, kind, question, and the pages that count in each file. "
        "FinanceBench and the Enterprise RAG Challenge (answers.json, with questions.json) are read as published. "
        "The set is asked over this library; every run leaves its trace."
    )
    samples: tuple[Sample, ...] = ()
    uploads = st.file_uploader(
        "Question set; without one, that of the sample reports", ["jsonl", "json"], accept_multiple_files=True
    )
    try:
        texts = {upload.name: upload.getvalue().decode("utf-8", errors="replace") for upload in uploads}
        samples = of_files(texts) if texts else load(KNOWN)
    except BadInput as error:
        st.warning(plain(str(error)), icon=":material/error:")
    there = {document.file for document in workspace().documents()}
    missing = sorted({file for sample in samples for file in sample.expected} - there)
    if missing and not uploads:
        st.caption("The set that comes along is about the sample reports, and not all of them are in this library.")
        draw_samples_button()
        samples = ()
    elif missing:
        some = ", ".join(missing[:5]) + (" and others" if len(missing) > 5 else "")
        every, samples = len(samples), about(samples, there)
        left = f" {every - len(samples)} of {count(every, 'question')} left out." if len(samples) < every else ""
        st.warning(
            f"Not in this library: {plain(some)}.{left} Add them on Documents, under these names.",
            icon=":material/warning:",
        )
    elif any(sample.accepted and not sample.expected for sample in samples):
        st.caption("These questions name companies, not files. One whose report is not in this library scores 0.")
    with st.container(horizontal=True, vertical_alignment="center"):
        mode = draw_mode("agent", key="evaluation-mode")
        start = st.button(
            f"Ask {count(len(samples), 'question')}", type="primary", icon=":material/play_arrow:", disabled=not samples
        )
    outcomes = run(samples, mode) if start else session().evaluated
    if outcomes:
        st.subheader("Scores")
        draw_scores(outcomes)
        st.subheader("Questions")
        for outcome in outcomes:
            draw_question(outcome)
