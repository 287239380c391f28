"""What a server or the network did wrong: whether to wait, and what is said of it."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import openai
import pytest

from rag.errors import ContextTooLong, WayRefused
from rag.models.endpoint import Endpoint
from rag.models.failures import LONGEST, dropped_option, failure, wait_before_retry

SERVER = Endpoint("http://127.0.0.1:1/v1", "sk-secret")


def wrong(status, message="", **headers):
    request = httpx.Request("POST", "http://127.0.0.1:1/v1/chat/completions")
    response = httpx.Response(status, request=request, headers={k.replace("_", "-"): v for k, v in headers.items()})
    return openai.APIStatusError(message, response=response, body={"message": message})


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_what_may_pass_is_waited_for_longer_each_time(status):
    assert [wait_before_retry(wrong(status), tries).seconds for tries in (0, 1, 2)] == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_what_will_not_pass_is_not(status):
    assert wait_before_retry(wrong(status), 0) is None


def test_the_server_names_the_wait_in_seconds_milliseconds_or_as_a_date():
    assert wait_before_retry(wrong(429, retry_after="7"), 0).seconds == 7.0
    assert wait_before_retry(wrong(429, retry_after_ms="250"), 0).seconds == 0.25
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert 25 < wait_before_retry(wrong(503, retry_after=soon), 0).seconds <= 30
    assert wait_before_retry(wrong(429, retry_after="whenever"), 1).seconds == 2.0
    assert wait_before_retry(wrong(429, retry_after=str(LONGEST + 1)), 0) is None


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 8192 tokens",
        "the request exceeds the available context size",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "Too many tokens in the request",
        "Input is too long for requested model.",
        "`inputs` tokens + `max_new_tokens` must be <= 4096",
        "input length 9000 exceeds model's max length 8192",
        "Request too large for gpt",
    ],
)
def test_too_long_is_told_apart_from_a_form_that_is_not_taken(message):
    assert isinstance(failure(wrong(400, message), "tools", SERVER, "a:small"), ContextTooLong)


@pytest.mark.parametrize("way", ["tools", "schema", "json"])
def test_a_form_that_is_not_taken_is_told(way):
    assert isinstance(failure(wrong(400, "unsupported"), way, SERVER, "a:small"), WayRefused)
    assert not isinstance(failure(wrong(400, "unsupported"), "text", SERVER, "a:small"), WayRefused)
    assert not isinstance(failure(wrong(401, "no tools for you"), way, SERVER, "a:small"), WayRefused)


def test_no_key_stands_in_what_is_said():
    assert "sk-secret" not in str(failure(wrong(400, "bad key sk-secret"), "text", SERVER, "a:small"))


def test_an_option_is_dropped_where_the_server_names_it_and_it_was_sent():
    named = wrong(400, "Unsupported value: 'temperature' does not support 0")
    assert dropped_option(named, {"temperature"}) == "temperature"
    assert dropped_option(named, set()) is None
    assert dropped_option(wrong(500, "temperature"), {"temperature"}) is None
