"""An embedder without a model: words hashed into few dimensions. Deterministic and instant, for tests and trials."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from rag.words import stems

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class HashingEmbedder:
    """Texts with words in common lie close; it knows nothing of their meaning."""

    batch = 16

    def __init__(self, dimensions: int = 256) -> None:
        self.dimensions = dimensions
        self.name = f"hashing-{dimensions}"

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Shape (len(texts), dimensions), rows of length 1; a text without words lies along the first axis."""
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in stems(text):
                digest = int.from_bytes(blake2b(word.encode(), digest_size=8).digest())
                vector[digest // 2 % self.dimensions] += 1 if digest % 2 else -1
            if not vector.any():
                vector[0] = 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors
