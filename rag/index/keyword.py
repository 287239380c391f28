"""The plainest score: how many of the query's words a passage holds."""

from typing import TYPE_CHECKING

from rag.index.lexical import LexicalScorer
from rag.index.terms import Counts
from rag.types import ScorerName

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class KeywordScorer(LexicalScorer):
    """1.0: the passage holds all content words of the query."""

    name: ScorerName = "keyword"

    @staticmethod
    def formula(counts: Counts) -> "NDArray[np.float64]":
        """Distinct words held, divided by the words that the query has."""
        return (counts.counts > 0).mean(axis=0)  # type: ignore[no-any-return]
