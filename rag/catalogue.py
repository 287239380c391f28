"""Which document a name means: an id or a file name will do, wherever documents are named."""

from collections.abc import Sequence
from unicodedata import normalize

from rag.errors import AmbiguousDocument, UnknownDocument
from rag.types import Document

_SHOWN = 10


def find(documents: Sequence[Document], name: str) -> Document:
    """The document of this id or file name; raises `UnknownDocument`, or `AmbiguousDocument` naming the ids."""
    for document in documents:
        if document.id == name:
            return document
    named = [each for each in documents if normalize("NFC", each.file) == normalize("NFC", name)]
    if len(named) > 1:
        ids = " and ".join(document.id for document in named)
        raise AmbiguousDocument(f"{len(named)} documents are named {name!r}: {ids}. Name one of them by its id.")
    if not named:
        raise UnknownDocument(f"The library has no document {name!r}. {_listed(documents)}")
    return named[0]


def _listed(documents: Sequence[Document]) -> str:
    if not documents:
        return "It is empty: add reports first."
    names = ", ".join(repr(document.file) for document in documents[:_SHOWN])
    more = f" and {len(documents) - _SHOWN} more" if len(documents) > _SHOWN else ""
    return f"It holds {names}{more}."
