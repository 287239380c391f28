"""What a worker process is asked to do."""

from pathlib import Path
from typing import NamedTuple

from rag.ingest.upload import Upload
from rag.types import Page, Passage


class ReadRequest(NamedTuple):
    upload: Upload
    chunk_tokens: int
    ocr: bool = False  # whether pages without text are recognised


class DrawRequest(NamedTuple):
    file: Path  # where the PDF lies
    page: Page
    mark: Passage | None  # to be tinted
    scale: float  # of 72 dots an inch


Request = ReadRequest | DrawRequest
