"""What the index sees of a passage."""

from collections.abc import Iterator, Sequence

from rag import words
from rag.ingest.statements import table_head
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
    heads = {page.number: table_head(page.text) if page.statement else "" for page in pages}
    for passage in passages:
        names = (_STATEMENT_WORDS[passage.statement],) if passage.statement else ()
        head = heads[passage.page] if passage.start > 0 else ""  # the first passage of a page holds it itself
        body = "\n".join(filter(None, (passage.text, head, whose)))
        yield SearchText(words.fold(body), words.fold("\n".join((*passage.headings, *names))))
