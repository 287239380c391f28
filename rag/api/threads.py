"""Work that would hold up the event loop, in threads: few that compute, and others that wait for something else."""

from collections.abc import Callable
from functools import cache
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread

COMPUTING = 2  # at once: one takes little time, and more of them would only wait for one another
WAITING = 32  # at once: for files that are read, pages that are drawn, other servers

P = ParamSpec("P")
T = TypeVar("T")


async def computed(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    return await to_thread.run_sync(lambda: work(*args, **kwargs), limiter=_limiter(COMPUTING))


def crowded() -> bool:
    """Whether answers wait for others to be computed, so that what takes longer should give way."""
    return _limiter(COMPUTING).statistics().tasks_waiting > 0


async def waited_for(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Holds up nothing but its like."""
    return await to_thread.run_sync(lambda: work(*args, **kwargs), limiter=_limiter(WAITING))


@cache
def _limiter(most: int) -> CapacityLimiter:
    return CapacityLimiter(most)
