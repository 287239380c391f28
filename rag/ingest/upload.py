"""A file as it came in."""

from typing import NamedTuple


class Upload(NamedTuple):
    file: str  # the name it bears; shown, never used as a path
    data: bytes
