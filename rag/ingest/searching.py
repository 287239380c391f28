"""What the index sees of a passage."""

from collections.abc import Iterator, Sequence

from rag import words
from rag.ingest.statements import table_head
from rag.ingest.tables import head_above
from rag.types import Card, Page, Passage, SearchText

_STATEMENT_WORDS = {
    "income": "statement of income operations earnings profit and loss",
    "comprehensive income": "statement of comprehensive income",
    "balance": "balance sheet statement of financial position",
    "cash flow": "statement of cash flows",
    "equity": "statement of changes in shareholders stockholders equity",
}


def search_texts(passages: Sequence[Passage], pages: Sequence[Page], card: Card) -> Iterator[SearchText]:
    """One a passage: with its heading trail, what its table is headed, and whose report it is."""
    whose = f"{card.company or ''} {card.kind} {card.fiscal_year or ''}"
    by_number = {page.number: page for page in pages}
    for passage in passages:
        names = (_STATEMENT_WORDS[passage.statement],) if passage.statement else ()
        head = _head(passage, by_number[passage.page], by_number.get(passage.page - 1))
        body = "\n".join(filter(None, (passage.text, head, whose)))
        yield SearchText(words.fold(body), words.fold("\n".join((*passage.headings, *names))))


def _head(passage: Passage, page: Page, before: Page | None) -> str:
    """What heads the passage's table and stands in another one: higher on the page, or on a statement's first page."""
    if not page.statement:
        return head_above(page.text, passage.start)
    if own := table_head(page.text):
        return own if passage.start > 0 else ""
    return table_head(before.text) if before and before.statement == page.statement else ""
