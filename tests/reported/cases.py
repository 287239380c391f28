"""The files of the cases, in `tests/data`, and what is asked of a library that holds them."""

from pathlib import Path

from rag.ingest.upload import Upload
from rag.types import Query

DATA = Path(__file__).parents[1] / "data"
GOOD = Upload("good.txt", b"Alder plc\nAnnual report 2023\n\nRevenue was $12 million.\n")


def read(name):
    path = next(folder / name for folder in (DATA / "odd", DATA / "cases") if (folder / name).exists())
    return Upload(path.name, path.read_bytes())


def found(library, text, scorer="hybrid"):
    """Texts of the passages that a query finds, best first."""
    return [hit.passage.text for hit in library.search(Query(text), scorer=scorer).hits]


def answer(library, question, **more):
    *_, finished = library.ask(question, **more)
    return finished.trace
