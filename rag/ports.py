"""The seams of the project: each Protocol has one to three methods and its promise written down.

Every implementation of a port passes the contract tests in `tests/contracts/`.
"""

from collections.abc import Generator, Iterator, Sequence
from threading import Event
from typing import TYPE_CHECKING, Protocol

from rag.types import (
    Decision,
    Delta,
    Document,
    Exchange,
    Hit,
    Message,
    Page,
    Passage,
    Query,
    ScorerName,
    SearchResult,
    Thinking,
    Tool,
    Trace,
    Way,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Reader(Protocol):
    """Reads the bytes of one format.

    Gives pages in order, at least one of them with text; raises a `BadFile` whose message says what to do.
    `report(done, total)` is called as pages are read. The same bytes give the same pages.
    """

    def read(self, data: bytes, report: "Report") -> "ReadFile": ...


class Report(Protocol):
    def __call__(self, done: int, total: int) -> None: ...


class ReadFile(Protocol):
    """What a reader gives."""

    @property
    def pages(self) -> tuple[Page, ...]: ...

    @property
    def notes(self) -> tuple[str, ...]: ...


class Ocr(Protocol):
    """Recognises the text on the image of a page.

    Lines as they are read, from the top; "" where it finds none, and no error. The same image gives the same text.
    """

    def recognise(self, image: "NDArray[np.uint8]") -> str:
        """`image` has shape (height, width, 3): blue, green, red."""


class Retriever(Protocol):
    """A scorer: a query goes in, ranked passages with scores come out.

    At most `query.k` hits; best first; every score in (0, 1] and not rising; equal scores ordered by passage id;
    a blank query, one of punctuation or one of stop words alone gives no hits and no error; only documents in
    `query.documents`; never a deleted document; the same query on the same library gives the same result.
    """

    @property
    def name(self) -> ScorerName: ...

    def search(self, query: Query) -> SearchResult: ...


class Scorer(Retriever, Protocol):
    """A retriever that can also say what it gives to passages that another one found."""

    def score(self, query: Query, passage_ids: Sequence[str]) -> dict[str, float]:
        """Score in [0, 1] of each of these passages; one that does not match may be left out."""


class WordCounts(Protocol):
    """How common words are in a library; what makes "climate" weigh more than "change"."""

    def passages_in_all(self) -> int: ...

    def passages_with(self, word: str) -> int:
        """How many passages hold a folded word, in any form of it."""


class Embedder(Protocol):
    """Texts to unit vectors; the same text gives the same vector, whatever stands beside it in the batch.

    Raises `EmbeddingFailed` where a server that it needs gives none.
    """

    @property
    def name(self) -> str:
        """Names the vector space: vectors of different names are never compared."""

    @property
    def dimensions(self) -> int: ...

    @property
    def batch(self) -> int:
        """Texts that are best given at once: few where each takes long, many where it is the way that does."""

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Shape (len(texts), dimensions), rows of length 1."""


class Reranker(Protocol):
    """Reads a query and texts together and says how well each text answers it.

    As many scores as texts, in their order, each in [0, 1], higher is better; the same query and texts give the same
    scores; no texts give none. Raises `RerankFailed` where it cannot be asked.
    """

    def rerank(self, query: str, texts: Sequence[str]) -> tuple[float, ...]: ...


class Catalogue(Protocol):
    """The documents of a library, oldest first."""

    def documents(self) -> tuple[Document, ...]: ...


class PassageSource(Protocol):
    """The text of a library's documents. Unknown ids raise `UnknownDocument`."""

    def passages(self, document_id: str, *, page: int | None = None) -> tuple[Passage, ...]: ...

    def passage(self, passage_id: str) -> Passage: ...

    def page(self, document_id: str, number: int) -> Page: ...


class ChatModel(Protocol):
    """A language model behind a server.

    Gives a reply piece by piece, `ReplyEnd` last, and never a piece of another one: a call that fails before its first
    piece is made again as often as the model's settings say, each time with a `Waiting`. `way` says what form the reply
    has to have: with "tools" it calls one of them; with "schema", "json" and "text" it is text. Raises `WayRefused`
    where the server knows no such way, `ContextTooLong`, `OutOfTime` after so many seconds, `Stopped` at once where
    `cancel` is set, its connection closed, and `ModelFailed` for all else, in plain words and never with a key.
    """

    @property
    def name(self) -> str:
        """ "<provider>:<model>"."""

    def stream(
        self, messages: Sequence[Message], way: Way, tools: Sequence[Tool], *, cancel: Event, seconds: float
    ) -> Iterator[Delta]: ...


class Reasoner(Protocol):
    """Decides the next action of a run from what was asked and observed so far, and tells what happens meanwhile.

    Deciding changes nothing. Raises `ModelFailed` where no decision can be had.
    """

    @property
    def name(self) -> str:
        """ "rules", or the model's."""

    def decide(self, run: "RunView") -> Generator[Thinking, None, Decision]: ...

    def restate(self, question: str, history: Sequence[Exchange], run: "RunView") -> Generator[Thinking, None, str]:
        """The question as it stands alone, where it follows on from those before; else as it is."""


class RunView(Protocol):
    """What a reasoner may look at: the state of a run, read-only."""

    @property
    def question(self) -> str: ...

    @property
    def evidence(self) -> tuple[Hit, ...]:
        """Passages offered so far; the answer cites the first as [1]."""

    @property
    def iterations_left(self) -> int: ...


class TraceStore(Protocol):
    """Past runs. `save` replaces a run of the same id; `load` gives None where there is none."""

    def save(self, trace: Trace, *, owner: str | None = None) -> None: ...

    def load(self, run_id: str) -> Trace | None: ...

    def recent(self, *, limit: int = 50, owner: str | None = None) -> tuple[Trace, ...]:
        """Newest first; with an owner only theirs."""
