"""What a reader makes of a file."""

from dataclasses import dataclass

from rag.types import Page


@dataclass(frozen=True)
class Heading:
    page: int  # from 1
    start: int  # offset in the page's text where its line begins
    level: int  # 1 is outermost
    title: str


@dataclass(frozen=True)
class Reading:
    """Pages in order; headings are those that the format itself marks, in reading order."""

    pages: tuple[Page, ...]
    notes: tuple[str, ...] = ()
    headings: tuple[Heading, ...] = ()
