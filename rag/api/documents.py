"""The library's documents: upload, list, replace, delete, their passages and the images of their pages."""

import re
from collections import defaultdict
from dataclasses import replace

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from rag.api.answers import Documents, FileOutcome, Passages, PassageText, Uploaded
from rag.api.operation import Call, Operation
from rag.api.requests import ImageAsked, PassagesAsked
from rag.api.threads import computed, waited_for
from rag.errors import AmbiguousDocument, BadInput
from rag.ingest.upload import Upload
from rag.result import Listing, listing
from rag.settings import Settings
from rag.types import Document, FileProgress

FIELD, PASSWORD = "files", "password"
_ONE, _NAMED = "/api/documents/{document}", (404, 409)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def operations(settings: Settings) -> tuple[Operation, ...]:
    most = settings.upload_files
    return (
        Operation("GET", "/api/documents", every, "All documents, oldest first.", answers=Documents),
        Operation(
            "POST",
            "/api/documents",
            upload,
            "Takes files in; answers when each can be searched by keyword, with what became of it.",
            answers=Uploaded,
            errors=(415,),
            files=most,
        ),
        Operation("GET", _ONE, one, "One document, by id or file name.", answers=Listing, errors=_NAMED),
        Operation(
            "PUT",
            _ONE,
            put,
            "Another file in a document's place, under its name; where it cannot be read the document stays.",
            answers=Uploaded,
            errors=(*_NAMED, 415),
            files=1,
        ),
        Operation(
            "DELETE", _ONE, remove, "Removes a document with all its text.", status=204, errors=_NAMED, waits=True
        ),
        Operation(
            "GET",
            f"{_ONE}/passages",
            passages,
            "Its passages in reading order.",
            takes=PassagesAsked,
            answers=Passages,
            errors=_NAMED,
        ),
        Operation(
            "GET",
            f"{_ONE}/pages/{{page:int}}/image",
            image,
            "The image of a page of a PDF, a passage marked on it.",
            takes=ImageAsked,
            media=("image/png",),
            waits=True,
            errors=_NAMED,
        ),
    )


def every(call: Call) -> Documents:
    return Documents(tuple(map(listing, call.library.documents())))


def one(call: Call) -> Listing:
    return listing(call.library.document(call.path("document")))


def remove(call: Call) -> None:
    call.library.remove(call.path("document"))


def passages(call: Call) -> Passages:
    document, asked = call.library.document(call.path("document")), call.given
    found = call.library.passages(document.id, page=asked.page)
    texts = (PassageText(p.id, p.page, p.label, p.recognised, p.headings, p.text, p.tokens) for p in found)
    return Passages(document.id, tuple(texts))


def image(call: Call) -> Response:
    document, asked = call.library.document(call.path("document")), call.given
    mark = call.library.passage(asked.mark) if asked.mark else None
    number = call.request.path_params["page"]
    if mark and (mark.document_id, mark.page) != (document.id, number):
        raise BadInput(f"The passage {mark.id!r} stands on another page. Ask for the page that it names.")
    call.library.page(document.id, min(number, 1 << 31))
    drawn = call.library.page_image(document.id, number, mark=mark, scale=asked.scale)
    if drawn is None:
        raise HTTPException(404, "This document has no page images: only those of PDFs can be drawn. Ask for passages.")
    return Response(drawn, media_type="image/png")


async def upload(call: Call) -> Uploaded:
    files = await _files(call, most=call.library.settings.upload_files)
    return await waited_for(_taken_in, call, files)


async def put(call: Call) -> Uploaded:
    document = await computed(_only, call)
    (file,) = await _files(call, most=1)
    done = await waited_for(_taken_in, call, [replace(file, file=document.file)], instead=True)
    there = done.results[0].document
    if there and done.results[0].stage == "duplicate" and there.id != document.id:
        raise HTTPException(409, f"This file is in the library already, as {there.id}; nothing was replaced.")
    return done


def _taken_in(call: Call, files: list[Upload], *, instead: bool = False) -> Uploaded:
    return Uploaded(_outcomes(files, list(call.library.add(files, replace=instead))))


def _only(call: Call) -> Document:
    """The document, which no other shares its name with: those would go, too."""
    document = call.library.document(call.path("document"))
    versions = [each.id for each in call.library.documents() if each.file == document.file]
    if len(versions) > 1:
        found = " and ".join(versions)
        raise AmbiguousDocument(
            f"{found} are versions of {document.file!r}. Delete those that go, then upload the file."
        )
    return document


async def _files(call: Call, *, most: int) -> list[Upload]:
    """The form's files; refused as a whole where they are too many or one is too large."""
    if not call.request.headers.get("content-type", "").casefold().startswith("multipart/form-data"):
        raise HTTPException(415, f"Send the files as multipart/form-data, in fields named {FIELD!r}.")
    largest = call.library.settings.file_megabytes
    async with call.request.form() as form:
        files = [each for each in form.getlist(FIELD) if isinstance(each, UploadFile)]
        if not 1 <= len(files) <= most or len(files) < len(form.getlist(FIELD)):
            raise HTTPException(422, f"{len(files)} files came in fields named {FIELD!r}; send 1 to {most}.")
        for file in files:
            if (file.size or 0) > largest << 20:
                raise HTTPException(413, f"A file is larger than {largest} MB; nothing was stored. Split it.")
        password = form.get(PASSWORD, "")
        if not isinstance(password, str):
            raise HTTPException(422, f"The field {PASSWORD!r} is a file; send the password as text.")
        return [Upload(named(file.filename or ""), await file.read(), password) for file in files]


def named(name: str) -> str:
    """The name alone: without folders, signs that steer what stands around them, and blanks at its ends.

    It is shown, and never used as a path.
    """
    last = _CONTROL.sub("", re.split(r"[/\\]", name)[-1]).strip()[:255]
    return last if last.strip(".") else "unnamed"


def _outcomes(files: list[Upload], progress: list[FileProgress]) -> tuple[FileOutcome, ...]:
    """How each file ended, in the order in which they came; those of one content ended in theirs."""
    ended: defaultdict[str, list[FileProgress]] = defaultdict(list)
    for each in progress:
        if each.stage in ("added", "duplicate", "failed"):
            ended[each.sha256].append(each)
    return tuple(_outcome(ended[file.sha256].pop(0)) for file in files)


def _outcome(end: FileProgress) -> FileOutcome:
    return FileOutcome(end.file, end.stage, listing(end.document) if end.document else None, end.error, end.locked)
