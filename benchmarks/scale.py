"""Whether indexing grows with the library and search stays quick: 3, 30 and 300 thousand passages.

    python benchmarks/scale.py [--thousands 3 30 300]

Invented text, from a fixed seed over a vocabulary whose words are as unevenly common as those of a language (Zipf), in
documents of 500 passages, stored as an upload is. Vectors are random ones of the built-in model's shape: making true
ones is a cost for each passage, which benchmarks/search.py pays. Each size runs in a process of its own, so that its
peak memory is its own.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from numpy.typing import NDArray

from rag.index.bm25 import Bm25Scorer
from rag.index.dense import DenseScorer
from rag.index.store import Store
from rag.search.hybrid import HybridRetriever
from rag.types import Card, Page, ParsedDocument, Passage, Query, SearchText
from rag.words import fold

WORDS, PASSAGE = 50_000, 150  # of the vocabulary; of a passage
DOCUMENT = 500  # passages
DIMENSIONS = 384
QUERIES = 20
SHARES = (1 / (np.arange(WORDS) + 2.7)).cumsum()  # of the most common words (Zipf and Mandelbrot), not yet out of 1


class Noise:
    """An embedder that knows nothing: the same text gives the same random unit vector."""

    name, dimensions, batch = f"noise-{DIMENSIONS}", DIMENSIONS, 16

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        seeds = [int.from_bytes(sha256(text.encode()).digest()[:8]) for text in texts]
        vectors = np.stack([np.random.default_rng(seed).standard_normal(DIMENSIONS, np.float32) for seed in seeds])
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def vocabulary() -> list[str]:
    """Words of three to eleven letters, none a stop word or number."""
    letters = np.random.default_rng(1).choice(list("bcdfghklmnprstvwaeiouy"), (WORDS, 11))
    lengths = np.random.default_rng(2).integers(3, 12, WORDS)
    return ["".join(row[:length]) + "q" for row, length in zip(letters, lengths, strict=True)]


def document(number: int, words: list[str]) -> ParsedDocument:
    """Five passages a page."""
    random = np.random.default_rng(number)
    ranks = SHARES.searchsorted(random.random((DOCUMENT, PASSAGE)) * SHARES[-1])
    texts = [" ".join(words[rank] for rank in row) for row in ranks.tolist()]
    digest = sha256(f"document {number}".encode()).hexdigest()
    pages = [Page(at // 5 + 1, str(at // 5 + 1), "\n".join(texts[at : at + 5])) for at in range(0, DOCUMENT, 5)]
    passages = [
        Passage(f"{digest[:16]}:{at}", digest[:16], at // 5 + 1, str(at // 5 + 1), start, start + len(text), text)
        for at, text in enumerate(texts)
        for start in [sum(len(other) + 1 for other in texts[at - at % 5 : at])]
    ]
    search = tuple(SearchText(fold(text), "") for text in texts)
    return ParsedDocument(digest[:16], digest, f"{number}.txt", "text", Card(), tuple(pages), tuple(passages), search)


def timed(work: Callable[[], object]) -> float:
    """Seconds."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measure(passages: int) -> None:
    """Prints one line of the table."""
    words, model = vocabulary(), Noise()
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder), model=model.name)
        wall = processor = 0.0
        for number in range(passages // DOCUMENT):
            parsed = document(number, words)
            ids = [passage.id for passage in parsed.passages]
            vectors = model.embed(ids)
            began, worked = time.perf_counter(), time.process_time()
            store.add(parsed, parsed.file.encode())
            store.save_vectors(model.name, ids, vectors)
            wall, processor = wall + time.perf_counter() - began, processor + time.process_time() - worked
        bm25 = Bm25Scorer(store)
        hybrid = HybridRetriever(bm25, DenseScorer(store, model), counts=bm25)
        opening = timed(lambda: hybrid.search(Query(words[100])))
        one = (store.documents()[0].id,)
        random = np.random.default_rng(0)
        asked = [" ".join(words[rank] for rank in random.integers(20, 2_000, 4)) for _ in range(QUERIES)]
        whole, scoped = (
            [timed(lambda t=t, s=s: hybrid.search(Query(t, documents=s))) for t in asked] for s in (None, one)
        )
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
        store.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    columns = (wall, processor, passages / wall, opening, 1000 * median(whole), 1000 * median(scoped))
    print(f"{passages:>9}" + "".join(f"{value:>12.1f}" for value in (*columns, peak, size / 2**20)), flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--thousands", nargs="+", type=int, default=[3, 30, 300], help="passages of each size")
    arguments.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.one:
        measure(args.one)
        return
    names = ("seconds", "CPU s", "passages/s", "opening s", "search ms", "scoped ms", "peak MB", "disk MB")
    print(f"{'passages':>9}" + "".join(f"{name:>12}" for name in names), flush=True)
    for thousands in args.thousands:
        subprocess.run([sys.executable, __file__, "--one", str(1000 * thousands)], check=True)


if __name__ == "__main__":
    main()
