"""From bytes to keyword-searchable, against the usual pipeline, on the same files in the same run:

    python benchmarks/ingest.py DIR [--limit N] [--embed]

Ours: text, cards, passages, headings, statements, into SQLite with its word index, embeddings off.
The usual, in one process as it is usually run: pypdf's text, LangChain's RecursiveCharacterTextSplitter, a FAISS index.
Embedding would hide all else, so the usual pipeline gets vectors for nothing (random ones) and is timed without their
making; `--embed` adds the time that our own model takes for its chunks, as it can be searched only after that.
"""

import argparse
import io
import logging
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.workspace import Workspace

CHUNK, OVERLAP = 1000, 200  # characters, as in LangChain's own tutorials
DIMENSIONS = 384


class Timing(NamedTuple):
    pages: int
    seconds: float
    embedding: float = 0.0

    def __str__(self) -> str:
        return f"{self.pages} pages in {self.seconds:.1f} s: {self.pages / self.seconds:.1f} pages/s"


def ours(uploads: list[Upload]) -> Timing:
    """Bytes in, every document searchable by keyword."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with Workspace.open(Settings(data=Path(folder), embeddings="off")) as workspace:
            ended = [progress for progress in workspace.add(uploads) if progress.stage in ("added", "failed")]
            seconds = time.perf_counter() - began
        for progress in ended:
            if progress.error:
                print(progress.error)
        return Timing(sum(progress.document.pages for progress in ended if progress.document), seconds)


def usual(uploads: list[Upload], *, embed: bool) -> Timing:
    """Bytes in, every chunk in a FAISS index."""
    import faiss
    import numpy as np
    from langchain_text_splitters import RecursiveCharacterTextSplitter
    from pypdf import PdfReader

    began = time.perf_counter()
    splitter = RecursiveCharacterTextSplitter(chunk_size=CHUNK, chunk_overlap=OVERLAP)
    texts = [page.extract_text() for each in uploads for page in PdfReader(io.BytesIO(each.data)).pages]
    chunks = [chunk for text in texts for chunk in splitter.split_text(text)]
    seconds = time.perf_counter() - began
    vectors = np.random.default_rng(0).random((len(chunks), DIMENSIONS), dtype=np.float32)
    embedding = 0.0
    if embed:
        from rag.models.minilm import MiniLM

        began = time.perf_counter()
        vectors = MiniLM().embed(chunks)
        embedding = time.perf_counter() - began
    began = time.perf_counter()
    faiss.IndexFlatIP(DIMENSIONS).add(vectors)
    return Timing(len(texts), seconds + time.perf_counter() - began, embedding)


def main() -> None:
    logging.getLogger("pypdf").setLevel(logging.ERROR)  # its warnings would bury the figures
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path, metavar="DIR")
    arguments.add_argument("--limit", type=int, help="only the first N files")
    arguments.add_argument(
        "--embed", action="store_true", help="time the embedding of the usual pipeline's chunks, too"
    )
    args = arguments.parse_args()
    paths = sorted(args.folder.glob("*.pdf"))[: args.limit]
    uploads = [Upload(path.name, path.read_bytes()) for path in paths]
    print(f"{len(uploads)} files of {args.folder}")
    mine = ours(uploads)
    print(f"Tracebook, searchable by keyword:              {mine}")
    theirs = usual(uploads, embed=args.embed)
    print(f"pypdf + splitter + FAISS, without embedding:   {theirs}")
    print(f"ratio {theirs.seconds / mine.seconds:.1f}")
    if args.embed:
        whole = Timing(theirs.pages, theirs.seconds + theirs.embedding)
        print(f"pypdf + splitter + FAISS, embedding included:  {whole}")
        print(f"ratio {whole.seconds / mine.seconds:.1f}")


if __name__ == "__main__":
    main()
