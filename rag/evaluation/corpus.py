"""The folder of files that a question set is about, as a library."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from rag.errors import BadInput, BadLibrary
from rag.ingest.upload import Upload
from rag.types import FileProgress
from rag.workspace import Workspace

SUFFIXES = frozenset({".pdf", ".docx", ".txt", ".md", ".markdown", ".html", ".htm"})


def corpus(folder: Path) -> tuple[Upload, ...]:
    """The folder's readable files but a README, by name; raises `BadInput` where it holds none."""
    if not folder.is_dir():
        raise BadInput(f"The corpus {str(folder)!r} is no folder. Name the one that holds the reports.")
    files = (path for path in folder.iterdir() if path.is_file() and path.stem.upper() != "README")
    paths = sorted(path for path in files if path.suffix.lower() in SUFFIXES)
    if not paths:
        raise BadInput(f"The corpus {str(folder)!r} holds no PDF, DOCX, TXT, Markdown or HTML file.")
    return tuple(Upload(path.name, path.read_bytes()) for path in paths)


def fill(workspace: Workspace, uploads: tuple[Upload, ...]) -> Iterator[FileProgress]:
    """Adds what the library lacks; raises `BadLibrary` where it holds anything that is not of the corpus."""
    hashes = {upload.sha256 for upload in uploads}
    foreign = [document.file for document in workspace.documents() if document.sha256 not in hashes]
    if foreign:
        raise BadLibrary(
            f"The library {str(workspace.settings.data)!r} also holds {foreign[0]!r}, which is not of the corpus. "
            "Name another folder with --data, or leave it out for a temporary one."
        )
    there = {document.sha256 for document in workspace.documents()}
    yield from workspace.add([upload for upload in uploads if upload.sha256 not in there])


def file_names(uploads: tuple[Upload, ...]) -> Mapping[str, str]:
    """Document id -> the corpus's name of that file, whatever name the library has it under."""
    return {upload.sha256[:16]: upload.file for upload in uploads}
