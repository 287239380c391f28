"""Which reasoner is at work; and whole runs of a library whose model stands behind real HTTP."""

import json
import logging
import threading
import time
from pathlib import Path

import pytest

from rag.errors import AgentDisabled, ModelFailed
from rag.ingest.upload import Upload
from rag.reasoning import OPENAI_MODEL, choose
from rag.result import to_result
from rag.settings import Settings
from rag.trace import to_json, to_markdown
from rag.types import AnswerDelta, Noted, RunFinished, StepStarted
from rag.workspace import Workspace
from tests.openai_server import calls, fails, says, serving

CASES = Path(__file__).parent / "data" / "cases"
KEY = "sk-never-to-be-seen"
QUESTION = "Compare research and development spending of Alder, Birch and Cedar"
LOOK = calls("search_documents", {"query": "research and development spending"})
DONE = calls("answer_directly", {"answer": "Alder spent 50 million [1]."})


@pytest.fixture
def library(tmp_path):
    """Makes a workspace with the three small reports, whose model is at this address."""
    opened = []

    def make(url, **more):
        settings = Settings(
            data=tmp_path / f"{len(opened)}",
            embeddings="off",
            openai_base_url=url,
            openai_api_key=KEY,
            model="small",
            **more,
        )
        opened.append(Workspace.open(settings))
        files = [Upload(path.name, path.read_bytes()) for path in sorted(CASES.glob("A11_*.txt"))]
        assert [each.stage for each in opened[-1].add(files)].count("added") == 3
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def ask(workspace, question=QUESTION, **more):
    events = list(workspace.ask(question, **more))
    assert isinstance(events[-1], RunFinished)
    return events[-1].trace, events


class TestChoice:
    @pytest.mark.parametrize(
        ("variables", "name", "why"),
        [
            ({}, "rules", "no key"),
            ({"OPENAI_API_KEY": KEY}, f"openai:{OPENAI_MODEL}", "OPENAI_API_KEY is set"),
            ({"OPENAI_API_KEY": KEY, "TRACEBOOK_MODEL": "gpt-x"}, "openai:gpt-x", "OPENAI_API_KEY is set"),
            ({"OPENAI_API_KEY": KEY, "TRACEBOOK_REASONER": "rules"}, "rules", "TRACEBOOK_REASONER says so"),
            (
                {"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1", "TRACEBOOK_MODEL": "qwen3"},
                "127.0.0.1:11434:qwen3",
                "OPENAI_BASE_URL is set",
            ),
            ({"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"}, "rules", "TRACEBOOK_MODEL does not name a model"),
            (
                {
                    "AZURE_OPENAI_ENDPOINT": "https://x.openai.azure.com",
                    "AZURE_OPENAI_API_KEY": KEY,
                    "TRACEBOOK_MODEL": "mine",
                },
                "azure:mine",
                "AZURE_OPENAI_ENDPOINT is set",
            ),
            ({"AZURE_OPENAI_ENDPOINT": "https://x.openai.azure.com"}, "rules", "AZURE_OPENAI_API_KEY is not"),
        ],
    )
    def test_it_follows_the_settings_and_says_why(self, variables, name, why):
        choice = choose(Settings.read(variables))
        assert choice.name == name and why in choice.why

    def test_no_package_that_only_a_model_needs_is_imported_without_one(self):
        import subprocess
        import sys

        code = (
            "import sys, tempfile; from pathlib import Path; from rag.settings import Settings\n"
            "from rag.workspace import Workspace\n"
            "with Workspace.open(Settings(data=Path(tempfile.mkdtemp()), embeddings='off')) as workspace:\n"
            "    list(workspace.ask('What was revenue?'))\n"
            "print(sorted({name.split('.')[0] for name in sys.modules} & {'langchain', 'langchain_core', 'openai'}))"
        )
        assert subprocess.check_output([sys.executable, "-c", code], text=True, cwd=CASES.parents[2]).strip() == "[]"


def test_a_whole_run_over_http(library):
    with serving(LOOK, DONE) as server:
        workspace = library(server.url, price_in=2.0, price_out=10.0)
        trace, events = ask(workspace)
    assert trace.status == "answered" and trace.reasoner == workspace.reasoner().name
    assert trace.answer.text == "Alder spent 50 million [1]."
    assert sorted(row.state for row in trace.coverage) == ["cited", "offered", "offered"]
    assert (trace.usage.prompt_tokens, trace.usage.completion_tokens) == (140, 10)
    assert trace.usage.tokens == sum(step.usage.tokens for step in trace.steps)
    assert trace.cost == pytest.approx((140 * 2.0 + 10 * 10.0) / 1_000_000)
    assert len([event for event in events if isinstance(event, AnswerDelta)]) > 1
    assert workspace.trace(trace.run_id) == trace


@pytest.mark.parametrize(
    ("refuses", "tried"),
    [
        (("tools",), ["tools", "json_schema"]),
        (("tools", "json_schema"), ["tools", "json_schema", "json_object"]),
        (("tools", "json_schema", "json_object"), ["tools", "json_schema", "json_object", None]),
    ],
)
def test_a_server_without_tools_is_asked_in_another_way_from_then_on(library, refuses, tried):
    def said(action, **given):
        return says(json.dumps({"thought": "Because.", "action": action, "action_input": given}))

    look = said("search_documents", query="research and development spending")
    with serving(look, said("answer_directly", answer="Alder spent 50 million [1]."), look, refuses=refuses) as server:
        workspace = library(server.url)
        trace, events = ask(workspace)
        asked = [
            "tools" if "tools" in body else (body.get("response_format") or {}).get("type") for body in server.bodies
        ]
        assert asked == [*tried, tried[-1]]
        assert trace.status == "answered"
        assert any("takes no native tool calls" in event.text for event in events if isinstance(event, Noted))
        server.bodies.clear()
        ask(workspace)
        assert "tools" not in server.bodies[0]  # what was found out is kept in the library


def test_a_wait_is_shown_while_it_lasts(library):
    with serving(fails(429, "slow down", retry_after="0.1"), LOOK, DONE) as server:
        trace, events = ask(library(server.url))
    assert trace.status == "answered"
    waits = [event.text for event in events if isinstance(event, Noted) and "too often" in event.text]
    assert waits == ["The model's server: it is asked too often (429); asked again after 0.1 s."]
    assert waits[0] in trace.steps[1].notes


def test_a_server_that_fails_for_good_ends_in_what_was_found_and_a_plain_message(library):
    with serving(LOOK, fails(500, "out of memory")) as server:
        trace, _ = ask(library(server.url, retries=0))
    assert trace.status == "error" and "answered 500" in trace.error
    assert trace.answer.citations and len(trace.coverage) == 3


def test_cancelling_in_the_middle_of_a_slow_reply_ends_the_run_and_the_connection(library):
    cancel = threading.Event()
    with serving(calls("search_documents", {"query": "x" * 4000}, pause=0.02)) as server:

        def stop_once_asked():
            while not server.bodies:
                time.sleep(0.01)
            time.sleep(0.1)
            cancel.set()

        stopper = threading.Thread(target=stop_once_asked)
        stopper.start()
        *_, last = library(server.url).ask(QUESTION, cancel=cancel)
        stopper.join()
        assert server.broken_off.wait(5)
        assert len(server.bodies) == 1
    assert last.trace.status == "cancelled" and len(last.trace.coverage) == 3


def test_leaving_a_run_in_the_middle_closes_its_connection_and_keeps_it_as_cancelled(library):
    with serving(LOOK, calls("answer_directly", {"answer": "word " * 400}, pause=0.02)) as server:
        workspace = library(server.url)
        events = workspace.ask(QUESTION)
        for event in events:
            if isinstance(event, AnswerDelta):
                break
        events.close()
        assert server.broken_off.wait(5)
    assert workspace.traces()[0].status == "cancelled"


def test_fifty_runs_that_were_left_in_the_middle_leave_no_thread_behind(library):
    with serving(calls("search_documents", {"query": "research"}, pause=0.005)) as server:
        workspace = library(server.url)
        for number in range(50):
            events = workspace.ask(QUESTION)
            for _ in range(3):
                next(events)
            events.close()
            if number == 0:
                settled = threading.active_count()
        for _ in range(100):  # the server's own threads see the closed connections a little later
            if threading.active_count() <= settled + 2:
                break
            threading.Event().wait(0.05)
    assert threading.active_count() <= settled + 2
    assert {trace.status for trace in workspace.traces(limit=100)} == {"cancelled"}


def test_a_key_is_sent_to_its_server_and_seen_nowhere_else(library, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    with serving(LOOK, fails(401, f"Incorrect API key provided: {KEY}")) as server:
        workspace = library(server.url)
        trace, events = ask(workspace)
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"
        with pytest.raises(ModelFailed) as wrong:
            workspace.test_model()
    seen = [
        json.dumps(to_json(trace)),
        json.dumps(to_result(trace)),
        to_markdown(trace),
        repr(events),
        str(wrong.value),
    ]
    seen += [repr(workspace.settings), repr(workspace.reasoner()), caplog.text, *capfd.readouterr()]
    assert not [text for text in seen if KEY in text]
    stored = [
        path for path in workspace.settings.data.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()
    ]
    assert stored == []


def test_a_follow_up_names_what_it_leaves_out(library):
    with serving(
        LOOK,
        DONE,
        says("What did Cedar spend on research and development?"),
        calls("search_documents", {"query": "research and development"}),
        calls("answer_directly", {"answer": "9 million [1]."}),
    ) as server:
        workspace = library(server.url)
        first, _ = ask(workspace, "What did Birch spend on R&D?")
        second, events = ask(workspace, "and Cedar?", history=workspace.history([first.run_id]))
        assert "Question: What did Birch spend on R&D?" in server.bodies[2]["messages"][-1]["content"]
    assert second.asked == "What did Cedar spend on research and development?"
    assert "Read as: “What did Cedar spend" in next(e.thought for e in events if isinstance(e, StepStarted))
    assert [second.titles[each].split()[0] for each in second.scope] == ["Cedar"]


def test_the_connection_can_be_tested(library):
    with serving(says("Ready.")) as server:
        assert library(server.url).test_model() == "Ready."
    with pytest.raises(ModelFailed, match="gave no answer"):
        library(server.url, retries=0).test_model()


def test_an_agent_that_is_turned_off_calls_no_model_and_single_shot_goes_on(library):
    with serving(LOOK) as server:
        workspace = library(server.url, agent_enabled=False)
        with pytest.raises(AgentDisabled, match="TRACEBOOK_AGENT_ENABLED"):
            workspace.ask(QUESTION)
        trace, _ = ask(workspace, mode="single_shot")
        assert trace.answer.text and server.bodies == []
