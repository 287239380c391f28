"""Language models over real HTTP."""

import json
import threading

import pytest

from rag.errors import ContextTooLong, ModelFailed, OutOfBounds, Stopped, WayRefused
from rag.models.chat import LangChainChat
from rag.models.endpoint import Endpoint
from rag.prompts import DECISION_SCHEMA, TOOLS
from rag.types import Call, CallDelta, Message, ReplyEnd, TextDelta, Usage, Waiting
from tests.openai_server import calls, fails, says, serving

KEY = "sk-quite-secret"
HELLO = (Message("system", "Be brief."), Message("user", "Hello"))


@pytest.fixture
def chat():
    """Makes a chat model at an address."""
    made = []

    def make(server, *, model="small", azure=False, timeout=5.0, retries=2, temperature=0.0):
        where = {"base_url": None, "azure": server.url.removesuffix("/v1")} if azure else {"base_url": server.url}
        endpoint = Endpoint(key=KEY, timeout=timeout, retries=retries, **where)
        made.append(LangChainChat(endpoint, model, schema=DECISION_SCHEMA, temperature=temperature))
        return made[-1]

    yield make
    for each in made:
        each.close()


def heard(chat, way="text", *, messages=HELLO, cancel=None, seconds=20.0):
    return list(chat.stream(messages, way, TOOLS, cancel=cancel or threading.Event(), seconds=seconds))


def text_of(deltas):
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


def test_a_reply_comes_in_pieces_and_ends_with_its_usage(chat):
    with serving(says("Revenue was 41 million.")) as server:
        deltas = heard(chat(server))
    assert text_of(deltas) == "Revenue was 41 million."
    assert len(deltas) > 2
    assert deltas[-1] == ReplyEnd("stop", Usage(70, 5))


def test_it_is_named_by_its_server_and_its_model(chat):
    with serving(says("Yes.")) as server:
        assert chat(server).name == f"{server.url.split('/')[2]}:small"
    assert LangChainChat(Endpoint(None, KEY), "gpt", schema={}).name == "openai:gpt"


def test_a_tool_call_comes_with_its_name_and_its_arguments(chat):
    with serving(calls("search_documents", {"query": "debt"})) as server:
        deltas = heard(chat(server), "tools")
        (body,) = server.bodies
    calls_heard = [delta for delta in deltas if isinstance(delta, CallDelta)]
    assert "".join(delta.name for delta in calls_heard) == "search_documents"
    assert json.loads("".join(delta.arguments for delta in calls_heard))["query"] == "debt"
    assert [tool["function"]["name"] for tool in body["tools"]] == [tool.name for tool in TOOLS]
    assert all("thought" in tool["function"]["parameters"]["required"] for tool in body["tools"])


@pytest.mark.parametrize(("way", "kind"), [("schema", "json_schema"), ("json", "json_object"), ("text", None)])
def test_the_way_of_asking_is_the_form_of_the_request(chat, way, kind):
    with serving(says("{}")) as server:
        heard(chat(server), way)
        (body,) = server.bodies
    assert "tools" not in body
    assert (body.get("response_format") or {}).get("type") == kind


def test_what_was_called_and_came_of_it_is_told_again(chat):
    call = Call("step-2", "look it up!", '{"query": "debt"}')
    messages = (*HELLO, Message("assistant", "", call), Message("tool", "Nothing.", call), Message("user", "Go on."))
    with serving(says("Well.")) as server:
        heard(chat(server), "tools", messages=messages)
        told = server.bodies[0]["messages"]
    assert [message["role"] for message in told] == ["system", "user", "assistant", "tool", "user"]
    assert told[2]["tool_calls"][0]["function"]["name"] == "look_it_up_"  # OpenAI takes no other signs
    assert told[3]["tool_call_id"] == told[2]["tool_calls"][0]["id"]


def test_the_first_chunk_may_come_without_choices_as_azures_does(chat):
    with serving(says("Hello.", first={"choices": [], "prompt_filter_results": [{"prompt_index": 0}]})) as server:
        deltas = heard(chat(server, azure=True, model="deployed"))
        assert server.paths == ["/openai/deployments/deployed/chat/completions?api-version=2024-10-21"]
        assert server.headers[0]["api-key"] == KEY
    assert text_of(deltas) == "Hello."


def test_a_reply_cut_at_the_token_limit_says_so(chat):
    with serving(says("Revenue was", finish="length")) as server:
        assert heard(chat(server))[-1].finish == "length"


def test_a_stream_that_breaks_keeps_what_came_and_says_so(chat):
    with serving(says("Revenue was 41 million dollars.", breaks=True)) as server:
        deltas = heard(chat(server))
        assert len(server.bodies) == 1  # a reply once begun is not asked for again
    assert text_of(deltas) == "Revenue was 41 m"
    assert deltas[-1].finish == "broken"


def test_it_waits_as_the_server_says_and_asks_again(chat):
    with serving(fails(429, "slow down", Retry_After="0.1"), fails(503, Retry_After="0"), says("Yes.")) as server:
        deltas = heard(chat(server))
        assert len(server.bodies) == 3
    assert deltas[:2] == [Waiting(0.1, "it is asked too often (429)"), Waiting(0.0, "it has a fault (503)")]
    assert text_of(deltas) == "Yes."


def test_the_tries_are_bounded(chat):
    with (
        serving(fails(429, "slow down", Retry_After="0")) as server,
        pytest.raises(ModelFailed, match="asked too often"),
    ):
        heard(chat(server, retries=2))
    assert len(server.bodies) == 3


def test_a_server_that_wants_an_hour_of_rest_is_not_waited_for(chat):
    with (
        serving(fails(429, "come back later", Retry_After="3600")) as server,
        pytest.raises(ModelFailed, match="3600 s"),
    ):
        heard(chat(server))
    assert len(server.bodies) == 1


def test_a_used_up_quota_is_not_asked_again(chat):
    with serving(fails(429, "You exceeded your current quota: insufficient_quota")) as server:
        with pytest.raises(ModelFailed, match="billing"):
            heard(chat(server))
        assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("status", "way_out"), [(401, "OPENAI_API_KEY"), (404, "TRACEBOOK_MODEL"), (400, "does not take the request")]
)
def test_what_failed_is_said_with_the_way_out_and_without_the_key(chat, status, way_out):
    with serving(fails(status, f"Incorrect key {KEY} provided")) as server:
        with pytest.raises(ModelFailed, match=way_out) as wrong:
            heard(chat(server))
        assert len(server.bodies) == 1
    assert KEY not in str(wrong.value)


def test_a_server_that_is_not_there_is_said_with_its_address(chat):
    with serving(says("")) as server:
        pass
    with pytest.raises(ModelFailed, match=server.url):
        heard(chat(server, retries=0))


@pytest.mark.parametrize("way", ["tools", "schema", "json"])
@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "llama2 does not support tools"),
        (422, "unknown field"),
        (404, "No endpoints found that support tool use"),
        (500, "tools param requires --jinja flag"),
    ],
)
def test_a_way_that_the_server_does_not_know_is_refused_at_once(chat, way, status, message):
    with serving(fails(status, message)) as server:
        with pytest.raises(WayRefused):
            heard(chat(server), way)
        assert len(server.bodies) == 1


def test_a_briefing_that_is_too_long_is_told_apart(chat):
    long = fails(400, "This model's maximum context length is 4096 tokens.")
    with serving(long) as server, pytest.raises(ContextTooLong):
        heard(chat(server), "tools")


@pytest.mark.parametrize("option", ["temperature", "stream_options"])
def test_an_option_that_the_server_does_not_take_is_left_away_from_then_on(chat, option):
    def pick(body):
        return fails(400, f"Unsupported value: '{option}'") if option in body else says("Yes.")

    with serving(pick) as server:
        model = chat(server)
        assert text_of(heard(model)) == text_of(heard(model)) == "Yes."
        assert [option in body for body in server.bodies] == [True, False, False]


def test_cancelling_ends_it_at_once_and_closes_the_connection(chat):
    cancel = threading.Event()
    with serving(says("word " * 400, pause=0.02)) as server:
        with pytest.raises(Stopped):
            for delta in chat(server).stream(HELLO, "text", (), cancel=cancel, seconds=30.0):
                assert isinstance(delta, TextDelta)
                cancel.set()
        assert server.broken_off.wait(5)


def test_cancelling_ends_a_wait(chat):
    cancel = threading.Event()
    with serving(fails(429, Retry_After="50")) as server, pytest.raises(Stopped):
        for delta in chat(server).stream(HELLO, "text", (), cancel=cancel, seconds=100.0):
            assert isinstance(delta, Waiting)
            cancel.set()


def test_a_reply_that_takes_longer_than_the_run_may_is_broken_off(chat):
    with serving(says("word " * 400, pause=0.02)) as server, pytest.raises(OutOfBounds):
        heard(chat(server), seconds=0.2)


def test_leaving_a_reply_in_the_middle_closes_the_connection(chat):
    with serving(says("word " * 400, pause=0.02)) as server:
        stream = chat(server).stream(HELLO, "text", (), cancel=threading.Event(), seconds=30.0)
        next(stream)
        stream.close()
        assert server.broken_off.wait(5)


def test_of_several_calls_only_the_first_is_heard(chat):
    with serving(calls("search_documents", {"query": "debt"}, also="answer_directly")) as server:
        deltas = heard(chat(server), "tools")
    assert [delta.name for delta in deltas if isinstance(delta, CallDelta) and delta.name] == ["search_documents"]


def test_calls_at_one_index_are_told_apart_by_their_ids(chat):
    two = calls("search_documents", {"query": "debt"}, also="answer_directly", same_index=True)
    with serving(two) as server:
        deltas = [delta for delta in heard(chat(server), "tools") if isinstance(delta, CallDelta)]
    assert "".join(delta.name for delta in deltas) == "search_documents"
    assert json.loads("".join(delta.arguments for delta in deltas))["query"] == "debt"


@pytest.mark.parametrize("way", ["text", "tools"])
def test_a_server_that_answers_in_one_piece_is_heard_too(chat, way):
    reply = says("Yes.", whole=True) if way == "text" else calls("search_documents", {"query": "debt"}, whole=True)
    with serving(reply) as server:
        model = chat(server)
        first, again = heard(model, way), heard(model, way)
        assert [body.get("stream", False) for body in server.bodies] == [True, False, False]
    assert first == again and first[-1] == ReplyEnd("stop", Usage(70, 5))
    if way == "text":
        assert text_of(first) == "Yes."
    else:
        assert [delta.name for delta in first if isinstance(delta, CallDelta)] == ["search_documents"]


def test_a_page_in_place_of_a_reply_is_said_with_the_way_out(chat):
    with serving(says("", html=True)) as server, pytest.raises(ModelFailed, match="ends in /v1"):
        heard(chat(server))


@pytest.mark.parametrize(
    ("finish", "end"),
    [("stop", "stop"), ("eos", "stop"), ("max_tokens", "length"), ("length", "length"), (None, "stop")],
)
def test_how_a_reply_ended_is_read_from_its_reason_or_its_count(chat, finish, end):
    with serving(says("Yes.", finish=finish)) as server:
        assert heard(chat(server))[-1].finish == end


def test_a_content_filter_is_said(chat):
    with serving(says("Rev", finish="content_filter")) as server, pytest.raises(ModelFailed, match="content filter"):
        heard(chat(server))


def test_a_tool_call_that_the_model_spoilt_is_asked_for_again(chat):
    spoilt = fails(400, "Failed to call a function. tool_use_failed")
    with serving(spoilt, calls("search_documents", {"query": "debt"})) as server:
        assert heard(chat(server), "tools")[0] == Waiting(0.0, "its model spoilt a tool call")


def test_messages_of_the_user_that_follow_each_other_are_sent_as_one(chat):
    def strict(body):
        roles = [message["role"] for message in body["messages"]]
        return says("Yes.") if roles == ["system", "user"] else fails(400, "roles must alternate")

    with serving(strict) as server:
        assert text_of(heard(chat(server), messages=(*HELLO, Message("user", "And now?")))) == "Yes."


def test_a_template_without_a_system_is_told_everything_by_the_user(chat):
    def no_system(body):
        roles = [message["role"] for message in body["messages"]]
        return fails(400, "System role not supported") if "system" in roles else says(body["messages"][0]["content"])

    with serving(no_system) as server:
        assert text_of(heard(chat(server))) == "Be brief.\n\nHello"


def test_two_at_once_that_learn_the_same_do_not_take_it_for_a_refusal(chat):
    def pick(body):
        return fails(400, "Unsupported value: 'temperature'") if "temperature" in body else says("Yes.")

    with serving(pick) as server:
        model, said = chat(server), []
        threads = [threading.Thread(target=lambda: said.append(text_of(heard(model, "tools")))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert said == ["Yes."] * 6


def test_one_that_was_closed_says_nothing_more(chat):
    with serving(says("Yes.")) as server:
        model = chat(server)
        model.close()
        with pytest.raises(Stopped):
            heard(model)
        assert server.bodies == []


def test_closing_it_leaves_no_thread_behind(chat):
    with serving(says("Yes.")) as server:
        model = chat(server)
        heard(model)
        model.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "models"]
