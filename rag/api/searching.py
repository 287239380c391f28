"""Ranked passages for one query."""

from collections.abc import Iterator

from starlette.responses import PlainTextResponse, Response

from rag.api.answers import Found
from rag.api.operation import Call, Operation
from rag.api.requests import Sought
from rag.result import Ranked, ranked
from rag.settings import Settings
from rag.types import Query


def operations(_: Settings) -> tuple[Operation, ...]:
    summary = "Ranked passages with scores, their parts and the words that matched; as text/plain a line each."
    return (
        Operation(
            "GET", "/rag/search", search, summary, takes=Sought, answers=Found, media=("text/plain",), errors=(404, 409)
        ),
    )


def search(call: Call) -> Found | Response:
    asked: Sought = call.given
    documents = call.library.resolve(asked.documents or None)
    result = call.library.search(Query(asked.q, asked.k, documents), scorer=asked.scorer)
    titles = {document.id: document.title for document in call.library.documents()}
    hits = tuple(ranked(hit, titles.get(hit.passage.document_id, "")) for hit in result.hits)
    if _wants_text(call.request.headers.get("accept", "")):
        return PlainTextResponse("\n".join(_lines(hits)) + "\n")
    return Found(asked.q, asked.scorer, hits, result.seconds)


def _wants_text(accept: str) -> bool:
    kinds = [part.split(";")[0].strip().casefold() for part in accept.split(",")]
    return "text/plain" in kinds and "application/json" not in kinds


def _lines(hits: tuple[Ranked, ...]) -> Iterator[str]:
    for hit in hits:
        section = hit.headings[-1] if hit.headings else f"p. {hit.label}"
        yield " ".join(f"{hit.score:.2f} {hit.title} {section}".split())
    if not hits:
        yield "No articles matched."
