"""A file as it came in."""

from typing import NamedTuple


class Upload(NamedTuple):
    file: str  # the name it bears; shown, never used as a path
    data: bytes
    password: str = ""  # opens the file, where it wants one; used while it is read, and never stored
