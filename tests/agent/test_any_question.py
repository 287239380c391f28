"""What holds of every run, whatever is asked."""

import re
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag.index.store import Store
from rag.types import Status
from tests.agent.reports import ALDER, BIRCH, CEDAR
from tests.agent.shelf import Shelf

WORDS = (
    "Which What How many compare summarise list risk risks factors common mention reports Alder Birch's Cedar "
    "Elm Inc. & and or not of in the 2023 2022 FY24 Q2 fiscal revenue gross margin hatchery tonnage pollinator decline "
    "climate change bees ? , ( ) [1] $ % | ** <b> ![](x) é 日本 \u0000 answer in millions higher least why"
).split()


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    store = Store.open(tmp_path_factory.mktemp("library"), model=None)
    shelf = Shelf(store)
    for name, text in (("alder.md", ALDER), ("birch.md", BIRCH), ("cedar.md", CEDAR)):
        shelf.add(name, text)
    yield shelf
    store.close()


questions = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))


@settings(max_examples=120, deadline=None, derandomize=True)
@given(question=questions, mode=st.sampled_from(["agent", "single_shot"]), limit=st.integers(1, 5))
def test_a_run_ends_whole(library, question, mode, limit):
    trace = library.ask(question, mode=mode, iteration_limit=limit)
    answer, rows = trace.answer, trace.coverage
    assert trace.status in get_args(Status) and trace.error is None and answer.text

    marks = {int(mark) for mark in re.findall(r"\[(\d{1,4})\]", answer.text)}
    assert marks == {citation.mark for citation in answer.citations} == set(range(1, len(marks) + 1))
    offered = {hit.passage.id for hit in trace.retrieved}
    assert {citation.passage.id for citation in answer.citations} <= offered

    assert [row.document_id for row in rows] == list(trace.scope)
    assert sum(row.offered for row in rows) == len(offered)
    assert sum(row.cited for row in rows) == len({citation.passage.id for citation in answer.citations})
    assert mode == "single_shot" or "not_searched" not in {row.state for row in rows}
    uncovered = [row.title for row in rows if row.state in ("nothing_found", "not_searched")]
    assert all(any(line.startswith(f"{title}:") for line in answer.not_covered) for title in uncovered)
    assert trace.iterations <= limit + (mode == "single_shot")
