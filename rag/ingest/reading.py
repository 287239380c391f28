"""What a reader makes of a file."""

from dataclasses import dataclass

from rag.types import Page


@dataclass(frozen=True)
class Heading:
    page: int  # from 1
    start: int  # page.text[start:end] is its line, or its lines
    end: int
    level: int  # 1 is outermost
    title: str


@dataclass(frozen=True)
class Reading:
    """Pages in order, and what the format says of their headings."""

    pages: tuple[Page, ...]
    notes: tuple[str, ...] = ()
    headings: tuple[Heading, ...] = ()  # marked as such, in reading order
    bold: frozenset[tuple[int, int]] = frozenset()  # (page, offset) of lines in bold
