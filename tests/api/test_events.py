"""A run as the lines of server-sent events."""

import asyncio
import json

from rag.api.events import as_sse
from rag.types import AnswerDelta


def lines(*events):
    async def following():
        for event in events:
            if isinstance(event, Exception):
                raise event
            yield event

    async def read():
        return [line async for line in as_sse(following(), {}, lambda trace: trace)]

    return asyncio.run(read())


def test_a_silence_is_a_comment_line():
    assert lines(None, AnswerDelta("Yes.")) == [
        ": still here\n\n",
        'event: token\ndata: {"text": "Yes.", "anew": false}\n\n',
    ]


def test_a_run_that_breaks_ends_in_an_error_that_tells_nothing_of_the_server(caplog):
    (line,) = lines(ValueError("/home/me/library"))
    name, data = line.strip().split("\n")
    problem = json.loads(data.removeprefix("data: "))
    assert name == "event: error" and problem["status"] == 500 and "/home" not in line
    assert "A stream broke" in caplog.text
