"""Ranked passages for one query."""

import re
from collections.abc import Iterator

from starlette.responses import PlainTextResponse, Response

from rag.api.answers import Found
from rag.api.operation import Call, Operation, as_response
from rag.api.requests import Sought
from rag.result import Ranked, ranked
from rag.settings import Settings
from rag.types import Query

_VARIES = {"Vary": "Accept"}
_KIND = re.compile(r"(?P<kind>[^\s,;]+)[^,;]*(?:;\s*(?!q=)[^,;]*)*(?:;\s*q=(?P<q>[01](?:\.\d{0,3})?))?")


def operations(_: Settings) -> tuple[Operation, ...]:
    summary = "Ranked passages with scores, their parts and the words that matched; as text/plain a line each."
    return (
        Operation(
            "GET", "/rag/search", search, summary, takes=Sought, answers=Found, media=("text/plain",), errors=(404, 409)
        ),
    )


def search(call: Call) -> Response:
    asked: Sought = call.given
    documents = call.library.resolve(asked.documents or None)
    result = call.library.search(Query(asked.q, asked.k, documents), scorer=asked.scorer)
    titles = {document.id: document.title for document in call.library.documents()}
    hits = tuple(ranked(hit, titles.get(hit.passage.document_id, "")) for hit in result.hits)
    if _wants_text(call.request.headers.get("accept", "")):
        return PlainTextResponse("\n".join(_lines(hits)) + "\n", headers=_VARIES)
    response = as_response(Found(asked.q, asked.scorer, hits, result.seconds), 200)
    response.headers.update(_VARIES)
    return response


def _wants_text(accept: str) -> bool:
    """Whether lines are liked better than JSON."""
    liked = {match["kind"].casefold(): float(match["q"] or 1) for match in _KIND.finditer(accept)}
    return liked.get("text/plain", 0.0) > liked.get("application/json", 0.0)


def _lines(hits: tuple[Ranked, ...]) -> Iterator[str]:
    for hit in hits:
        section = hit.headings[-1] if hit.headings else f"p. {hit.label}"
        yield " ".join(f"{hit.score:.2f} {hit.title} {section}".split())
    if not hits:
        yield "No articles matched."
