"""BM25 over body and heading, as a share of the most that the query could reach.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the fields' counts summed
before saturation as there in 3.6, and Lucene's idf, which is above 0 also where most passages hold the word.
"""

from typing import TYPE_CHECKING

from rag.index.lexical import LexicalScorer
from rag.index.terms import Counts
from rag.types import ScorerName

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

K1 = 1.2  # how soon a repeated word stops to count
B = 0.75  # how much a long passage pays for its length


class Bm25Scorer(LexicalScorer):
    """Words that are rare in the library count more; 1.0 would be each word without end."""

    name: ScorerName = "bm25"

    @staticmethod
    def formula(counts: Counts) -> "NDArray[np.float64]":
        """sum(idf * tf / (tf + K1 * (1 - B + B * length / mean))) / sum(idf), over the query's words."""
        import numpy as np

        idf = np.log1p((counts.total - counts.holding + 0.5) / (counts.holding + 0.5))  # shape (words,)
        damping = K1 * (1 - B + B * counts.lengths / counts.mean_length)  # shape (passages,)
        return idf / idf.sum() @ (counts.counts / (counts.counts + damping))  # type: ignore[no-any-return]
