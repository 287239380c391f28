"""How common words are in the library, read from its full-text index."""

from rag.index.terms import Terms


class LibraryCounts:
    """The port `WordCounts`."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms

    def passages_in_all(self) -> int:
        return len(self._terms.now().rows)

    def passages_with(self, word: str) -> int:
        return len(self._terms.now().posting(word).places)
