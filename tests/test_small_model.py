"""A small real model decides. It cannot plan; whatever it says, a run ends honestly."""

import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import get_args

import pytest

from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.types import Status
from rag.workspace import Workspace

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def address():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, str(HERE / "local_model.py"), str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1).close()
                break
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                time.sleep(0.25)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.kill()
        server.wait()


@pytest.fixture(scope="module")
def library(address, tmp_path_factory):
    settings = Settings(
        data=tmp_path_factory.mktemp("small"),
        embeddings="off",
        openai_base_url=address,
        model="smollm2",
        context_tokens=4_000,
        run_seconds=30,
    )
    with Workspace.open(settings) as workspace:
        list(
            workspace.add([Upload(path.name, path.read_bytes()) for path in sorted(HERE.glob("data/cases/A11_*.txt"))])
        )
        yield workspace


@pytest.mark.parametrize(
    "question",
    [
        "Compare research and development spending of Alder, Birch and Cedar",
        "What did Dogwood spend on research and development in 2023?",
    ],
)
def test_every_run_ends_with_an_honest_status_a_full_ledger_and_no_invented_citation(library, question):
    *_, last = library.ask(question)
    trace = last.trace
    assert trace.status in get_args(Status)
    assert trace.status != "error" or trace.error
    assert {row.document_id for row in trace.coverage} == set(trace.scope)
    assert all(row.searches for row in trace.coverage)  # what it never searched, code did
    assert trace.usage.tokens == sum(step.usage.tokens for step in trace.steps) > 0
    offered = {hit.passage.id for hit in trace.retrieved}
    assert {citation.passage.id for citation in trace.answer.citations} <= offered
    marks = {int(mark) for mark in re.findall(r"\[(\d+)\]", trace.answer.text)}
    assert marks == {citation.mark for citation in trace.answer.citations}
    assert trace.status != "answered" or trace.answer.citations
    assert len(trace.answer.checks) > 0 or not trace.answer.text
    assert library.trace(trace.run_id) == trace
