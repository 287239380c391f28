import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rag.ingest.parse import parse
from rag.ingest.upload import Upload
from rag.types import Page, ParsedDocument

sys.path.append(str(Path(__file__).parent))  # tests share what draws their PDFs
ODD = Path(__file__).parents[1] / "data" / "odd"


@pytest.fixture
def odd() -> Callable[[str], Upload]:
    return lambda file: Upload(file, (ODD / file).read_bytes())


@pytest.fixture
def read() -> Callable[[Upload], ParsedDocument]:
    return lambda upload: parse(upload, chunk_tokens=256, report=lambda done, total: None)


@pytest.fixture
def pages() -> Callable[..., tuple[Page, ...]]:
    return lambda *texts: tuple(Page(number, str(number), text) for number, text in enumerate(texts, 1))
