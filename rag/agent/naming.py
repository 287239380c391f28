"""Which documents a model names: it writes ids, file names, titles, lines of the catalogue, companies, and lists."""

import re

from rag.agent.run import Run
from rag.errors import AmbiguousDocument, BadInput
from rag.search.names import bearers


def named(name: str, run: Run) -> tuple[str, ...]:
    """The ids that a name stands for, at least one: those of its document, else of its company's in scope.

    Several names in one text are told apart. Raises `BadInput` with those that exist, and `AmbiguousDocument`.
    """
    plain = re.sub(r"\s*\([^()]*\)$", "", name.strip().removeprefix("- ")).casefold()
    found = [d for d in run.selection if plain in (d.id, d.file.casefold(), d.title.casefold())]
    if len(found) > 1:
        ids = ", ".join(d.id for d in found)
        raise AmbiguousDocument(f"{name!r} names several documents: {ids}. Take one of these ids.")
    if found:
        return (found[0].id,)
    if several := _several(name):
        return tuple(id for each in several for id in named(each, run))
    companies = bearers(name, run.selection)
    in_scope = [id for id in companies if id in run.scope.documents] or companies
    if not in_scope:
        raise BadInput(f"No document is named {name!r}. These exist: {', '.join(d.title for d in run.selection)}.")
    return tuple(in_scope)


def first_named(name: str, run: Run) -> str | None:
    """The id that a name stands for, of several the first; None: it stands for none, or for more than one file."""
    try:
        return named(name, run)[0]
    except BadInput:
        return None


def _several(name: str) -> list[str]:
    """The names in a list that was written as a text; none where it is one name."""
    if name.lstrip().startswith("["):
        return re.findall(r'"([^"]+)"', name)
    parts = [part.strip() for part in re.split(r"[,;\n]", name) if part.strip()]
    return parts if len(parts) > 1 else []
