"""Work on another thread's event loop, which can be broken off."""

import asyncio
import threading

import pytest

from rag.errors import OutOfBounds, Stopped
from rag.models.background import Background


@pytest.fixture
def background():
    made = Background()
    yield made
    made.close()


def count_to(last, ended=None, pause=0.0):
    async def items():
        try:
            for number in range(last):
                await asyncio.sleep(pause)
                yield number
        finally:
            if ended:
                ended.set()

    return items


def test_items_come_in_order(background):
    assert list(background.each(count_to(5), cancel=threading.Event(), seconds=5)) == [0, 1, 2, 3, 4]


def test_what_goes_wrong_there_is_raised_here(background):
    async def items():
        yield 1
        raise KeyError("there")

    stream = background.each(items, cancel=threading.Event(), seconds=5)
    assert next(stream) == 1
    with pytest.raises(KeyError, match="there"):
        next(stream)


def test_a_stop_ends_it_where_it_stands(background):
    cancel, ended = threading.Event(), threading.Event()
    stream = background.each(count_to(10_000, ended, pause=0.01), cancel=cancel, seconds=60)
    next(stream)
    cancel.set()
    with pytest.raises(Stopped):
        list(stream)
    assert ended.wait(5)


def test_so_does_the_end_of_its_time_and_a_listener_that_leaves(background):
    late, left = threading.Event(), threading.Event()
    with pytest.raises(OutOfBounds):
        list(background.each(count_to(10_000, late, pause=0.01), cancel=threading.Event(), seconds=0.1))
    stream = background.each(count_to(10_000, left, pause=0.01), cancel=threading.Event(), seconds=60)
    next(stream)
    stream.close()
    assert late.wait(5) and left.wait(5)


def test_closing_it_ends_what_still_runs_and_its_thread(background):
    ended = threading.Event()
    stream = background.each(count_to(10_000, ended, pause=0.01), cancel=threading.Event(), seconds=60)
    next(stream)
    background.close()
    assert ended.is_set()
    with pytest.raises(Stopped):
        list(stream)
    assert not [thread for thread in threading.enumerate() if thread.name == "models"]


def test_it_starts_again_after_it_was_closed(background):
    background.close()
    assert list(background.each(count_to(2), cancel=threading.Event(), seconds=5)) == [0, 1]
