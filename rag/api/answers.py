"""What the API answers with, where no shape of `rag.result` or `rag.types` says it."""

from dataclasses import dataclass
from typing import Literal

from rag.result import Cited, Listing, Ranked, Result
from rag.types import Band, CoverageRow, Notebook, ScorerName, Stage, Status, TraceHead

Health = Literal["ok", "degraded", "down"]


@dataclass(frozen=True)
class Dependency:
    state: Literal["ok", "off", "working", "failed"]  # "off": not set up, and done without
    detail: str  # in a sentence, without names of hosts or paths


@dataclass(frozen=True)
class Dependencies:
    store: Dependency
    index: Dependency
    embedder: Dependency
    model: Dependency  # the language model's server


@dataclass(frozen=True)
class HealthReport:
    status: Health
    agent_enabled: bool
    dependencies: Dependencies


@dataclass(frozen=True)
class Stats:
    documents: int
    pages: int
    passages: int
    tokens: int
    vectors: int  # passages that have one
    runs: int
    running: int  # runs that go on now, of this API
    conversations: int


@dataclass(frozen=True)
class Found:
    query: str
    scorer: ScorerName
    hits: tuple[Ranked, ...]  # best first
    seconds: float


@dataclass(frozen=True)
class Documents:
    documents: tuple[Listing, ...]  # oldest first


@dataclass(frozen=True)
class FileOutcome:
    """What became of one file."""

    file: str  # the name without folders
    stage: Stage  # "added", "duplicate" or "failed"
    document: Listing | None  # with "duplicate" the one already there
    error: str | None  # with "failed": what to do
    locked: bool  # with "failed": it is read once its password is given


@dataclass(frozen=True)
class Uploaded:
    results: tuple[FileOutcome, ...]  # a file each, in the order in which they came


@dataclass(frozen=True)
class PassageText:
    id: str
    page: int  # from 1, the sheet in the file
    label: str  # the page's printed label
    recognised: bool  # whether the page's text was read off an image (OCR), and may be wrong
    headings: tuple[str, ...]  # trail, outermost first
    text: str
    tokens: int


@dataclass(frozen=True)
class Passages:
    document_id: str
    passages: tuple[PassageText, ...]  # in reading order


@dataclass(frozen=True)
class ChatResult:
    """What came of one search and one pass."""

    run_id: str
    question: str
    status: Status
    answer: str  # with [n] marks
    evidence: Band
    sources: tuple[Ranked, ...]  # passages that the answer was given
    citations: tuple[Cited, ...]
    coverage: tuple[CoverageRow, ...]
    untouched: tuple[CoverageRow, ...]  # documents of which no passage reached the answer
    not_in_library: tuple[str, ...]  # names that the question asks for and no document bears
    seconds: float
    error: str | None


@dataclass(frozen=True)
class Runs:
    runs: tuple[TraceHead, ...]  # newest first


@dataclass(frozen=True)
class Cancelling:
    run_id: str
    state: Literal["cancelling"]  # at most the call in flight still ends


@dataclass(frozen=True)
class Conversations:
    conversations: tuple[Notebook, ...]  # newest first


@dataclass(frozen=True)
class ConversationExport:
    conversation: Notebook
    runs: tuple[Result, ...]  # in the order of its cells
