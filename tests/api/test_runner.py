"""Runs in threads, followed from an event loop."""

import asyncio
import threading
import time
from contextlib import aclosing

import pytest

from rag.api.runner import Runner
from rag.types import AnswerDelta, RunStarted

STARTED = RunStarted("run-1", "Why?", "agent", "rules", 5)


def until_cancelled(cancel):
    yield STARTED
    cancel.wait(20)
    yield AnswerDelta("Cancelled.")


def slow():
    yield STARTED
    time.sleep(0.2)
    yield AnswerDelta("Because.")


def broken():
    yield STARTED
    raise ValueError("no")


@pytest.fixture
def runner():
    made = Runner(silence=0.05)
    yield made
    made.close()


async def followed(runner, events, cancel=None):
    async with aclosing(runner.follow(events, cancel or threading.Event())) as following:
        return [event async for event in following]


def test_a_silence_is_told_and_no_event_is_lost(runner):
    events = asyncio.run(followed(runner, slow()))
    assert [event for event in events if event] == [STARTED, AnswerDelta("Because.")]
    assert 2 <= events.count(None) <= 5


def test_who_stops_following_cancels_the_run(runner):
    cancel = threading.Event()

    async def leave():
        async with aclosing(runner.follow(until_cancelled(cancel), cancel)) as following:
            assert await anext(following) == STARTED
            assert runner.running == 1

    asyncio.run(leave())
    assert cancel.is_set()


def test_who_leaves_before_its_turn_leaves_a_run_that_was_cancelled():
    runner, seen = Runner(at_once=1), []

    def noting(cancel):
        seen.append(cancel.is_set())
        yield STARTED

    async def leave():
        first, second = threading.Event(), threading.Event()
        async with aclosing(runner.follow(until_cancelled(first), first)) as following:
            await anext(following)
            waiting = asyncio.create_task(followed(runner, noting(second), second))
            await asyncio.sleep(0.05)
            assert runner.running == 2
            waiting.cancel()
            await asyncio.wait([waiting])

    asyncio.run(leave())
    runner.close()
    assert seen == [True] and runner.running == 0


def test_a_run_is_cancelled_by_its_id_while_it_goes_on(runner):
    cancel = threading.Event()

    async def follow():
        async with aclosing(runner.follow(until_cancelled(cancel), cancel)) as following:
            await anext(following)
            assert runner.cancel("run-1") and not runner.cancel("run-2")
            return [event async for event in following if event]

    assert asyncio.run(follow()) == [AnswerDelta("Cancelled.")]
    assert not runner.cancel("run-1")


def test_what_breaks_a_run_is_raised_where_it_is_followed(runner):
    with pytest.raises(ValueError, match="no"):
        asyncio.run(followed(runner, broken()))
    assert runner.running == 0


def test_closing_ends_the_runs_that_go_on():
    runner, cancel = Runner(), threading.Event()

    async def follow():
        async with aclosing(runner.follow(until_cancelled(cancel), cancel)) as following:
            await anext(following)
            await asyncio.to_thread(runner.close)
            assert cancel.is_set() and runner.running == 0

    asyncio.run(follow())
