"""Pages for formats that have none: text that flows is cut where a paragraph ends."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rag.errors import NoText
from rag.ingest.clean import clean
from rag.ingest.reading import Heading, Reading
from rag.types import Page

_PAGE = 3000  # characters of an estimated page
NOTE = "page numbers are estimated: the file has no pages of its own"


@dataclass(frozen=True)
class Block:
    """A paragraph, a table row or a heading."""

    text: str
    level: int | None = None  # of a heading, 1 is outermost
    new_page: bool = False  # the file breaks the page before it
    close: bool = False  # follows the block before without an empty line, as a row follows a row


def paginate(blocks: Iterable[Block], notes: tuple[str, ...] = ()) -> Reading:
    """Pages by the file's own breaks, and by length where it has none, which the notes say; raises `NoText`."""
    cleaned = [part for block in blocks for part in _parts(block)]
    longest = _PAGE * (2 if any(block.new_page for block in cleaned) else 1)
    pages: list[list[Block]] = [[]]
    size = estimated = 0
    for block in cleaned:
        full = size + len(block.text) > longest
        if pages[-1] and (block.new_page or full):
            pages.append([])
            size = 0
            estimated += full and not block.new_page
        if block.text.strip():
            pages[-1].append(block)
            size += len(block.text) + 2
    if not any(pages):
        raise NoText("It holds no readable text.")
    return _reading([page for page in pages if page], (*notes, NOTE) if estimated else notes)


def _parts(block: Block) -> Iterator[Block]:
    """The block with its text cleaned, in pieces where it is longer than a page."""
    text = clean(block.text).text.strip("\n")
    yield replace(block, text=text[: (end := _end(text))])
    while text := text[end:].lstrip():
        yield replace(block, text=text[: (end := _end(text))], new_page=False, close=True)


def _end(text: str) -> int:
    """Where the first piece of a text ends: at a line's end, else a sentence's, else a word's."""
    if len(text) <= _PAGE:
        return len(text)
    ends = (text.rfind(border, _PAGE // 2, _PAGE) for border in ("\n", ". ", " "))
    return next((end + 1 for end in ends if end > 0), _PAGE)


def _reading(pages: Sequence[Sequence[Block]], notes: tuple[str, ...]) -> Reading:
    result, headings = [], []
    for number, blocks in enumerate(pages, 1):
        text = ""
        for block in blocks:
            text += ("\n" if block.close else "\n\n") * bool(text)
            if block.level:
                headings.append(
                    Heading(number, len(text), len(text) + len(block.text), block.level, " ".join(block.text.split()))
                )
            text += block.text
        result.append(Page(number, str(number), text))
    return Reading(tuple(result), notes, tuple(headings))
