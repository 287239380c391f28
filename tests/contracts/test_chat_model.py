"""What every chat model promises, whether it is asked over HTTP or written down beforehand."""

import threading
from typing import get_args

import pytest

from rag.errors import OutOfBounds, Stopped, WayRefused
from rag.models.chat import LangChainChat
from rag.models.endpoint import Endpoint
from rag.models.scripted import ScriptedChat, call, text
from rag.prompts import DECISION_SCHEMA, TOOLS
from rag.types import CallDelta, Message, ReplyEnd, TextDelta, Way
from tests.openai_server import calls, says, serving

ASKED = (Message("system", "Be brief."), Message("user", "Hello"))
ON_THE_WIRE = {"tools": "tools", "schema": "json_schema", "json": "json_object"}
SAID = "Revenue was 41 million dollars [1]."
CALLED = '{"thought": "Because.", "query": "debt"}'


@pytest.fixture(params=["scripted", "over HTTP"])
def models(request):
    """Makes a model that says, or calls, what is given; `ways` are those that it takes."""
    with serving(says("")) as server:
        made = LangChainChat(Endpoint(server.url, "sk", retries=0), "small", schema=DECISION_SCHEMA)

        def make(said=None, tool=None, refuses=()):
            if request.param == "scripted":
                reply = call(tool, CALLED) if tool else text(said)
                return ScriptedChat(reply, ways=[way for way in get_args(Way) if way not in refuses])
            server.replies = [calls(tool, CALLED) if tool else says(said)]
            server.refuses = [ON_THE_WIRE[way] for way in refuses]
            return made

        yield make
        made.close()


def stream(model, way="text", *, cancel=None, seconds=20.0):
    return list(model.stream(ASKED, way, TOOLS, cancel=cancel or threading.Event(), seconds=seconds))


def test_it_is_named_by_provider_and_model(models):
    provider, _, model = models("x").name.rpartition(":")
    assert provider and model


def test_the_pieces_make_up_the_reply_and_the_end_comes_last(models):
    *pieces, end = stream(models(SAID))
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextDelta)) == SAID
    assert isinstance(end, ReplyEnd) and end.finish == "stop" and end.usage.tokens > 0
    assert not any(isinstance(piece, ReplyEnd) for piece in pieces)


def test_a_call_comes_with_its_name_and_its_arguments(models):
    pieces = [piece for piece in stream(models(tool="search_documents"), "tools") if isinstance(piece, CallDelta)]
    assert "".join(piece.name for piece in pieces) == "search_documents"
    assert "".join(piece.arguments for piece in pieces) == CALLED


@pytest.mark.parametrize("way", ["tools", "schema", "json"])
def test_a_way_that_it_does_not_take_is_refused(models, way):
    with pytest.raises(WayRefused):
        stream(models(SAID, refuses=[way]), way)


def test_the_same_messages_may_be_sent_again(models):
    model = models(SAID)
    assert stream(model) == stream(model)


def test_one_that_was_stopped_says_nothing(models):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Stopped):
        stream(models(SAID), cancel=cancel)


def test_without_time_it_says_nothing(models):
    with pytest.raises(OutOfBounds):
        stream(models(SAID), seconds=0.0)
