"""The data that crosses a module line: frozen dataclasses, each field with its unit, range or shape.

Pages are numbered from 1 (the sheet in the file). Scores lie in [0, 1], higher is better. Times are UTC, ISO 8601.
A passage and a chunk are one thing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

# Documents -----------------------------------------------------------------------------------------------------------

Media = Literal["pdf", "docx", "html", "markdown", "text"]
Kind = Literal["10-K", "10-Q", "8-K", "earnings release", "annual report", "other"]
DocumentState = Literal["embedding", "ready"]  # "embedding": searchable by keyword, vectors still to come
Statement = Literal["income", "comprehensive income", "balance", "cash flow", "equity"]


@dataclass(frozen=True)
class Card:
    """What a report is; read from its first pages, corrected by the user."""

    company: str | None = None  # as the report writes it, without legal form where it has a short one; None: unknown
    aliases: tuple[str, ...] = ()  # other names that the text gives: legal name, short forms, ticker, former names
    kind: Kind = "other"
    fiscal_year: int | None = None  # the company's own count: the year ended January 2023 may be fiscal 2022
    period_end: str | None = None  # "2023-01-28"; of an 8-K the day of its event
    issued: str | None = (
        None  # "2023-03-02", the day that an earnings release is dated; None: not told, or another kind
    )

    @property
    def interim(self) -> bool:
        """Whether its figures may be of a part of a year."""
        return self.kind in ("10-Q", "8-K", "earnings release")


@dataclass(frozen=True)
class Document:
    id: str  # first 16 hex digits of sha256
    file: str  # name as it was uploaded; shown, never used as a path
    sha256: str  # of the file's bytes, 64 hex digits
    media: Media
    card: Card
    pages: int
    passages: int
    tokens: int  # cl100k_base, summed over the passages
    embedded: int  # passages that have a vector, 0..passages
    state: DocumentState
    added_at: str
    notes: tuple[str, ...] = ()  # what a reader should know: "pages 3, 7 hold no text", "read as cp1252"
    version: int = 1  # from 1, of the documents that bear this file name the how many that was added
    trouble: str | None = None  # with "embedding": why no vectors come, in plain words; keywords find it all the same

    @property
    def title(self) -> str:
        """The name that pages and answers use: "Alder 10-K 2023", or the file's name where the card is empty.

        Of a file's second version "Alder 10-K 2023 (version 2)".
        """
        kind = "" if self.card.kind == "other" else self.card.kind
        parts = (self.card.company, kind, self.card.fiscal_year)
        name = " ".join(str(part) for part in parts if part) if self.card.company else self.file
        return name if self.version == 1 else f"{name} (version {self.version})"


@dataclass(frozen=True)
class Page:
    number: int  # from 1
    label: str  # as printed: "iv", "12"; the number where the file gives none
    text: str  # cleaned: ligatures folded, NUL and private-use glyphs out
    offsets: tuple[tuple[int, int], ...] = ()  # run starts (offset in text, PDFium character index), rising; () : none
    statement: Statement | None = None  # the financial statement that the page holds or continues
    recognised: bool = False  # whether the text was read off an image (OCR), and may be wrong

    @property
    def place(self) -> str:
        """As `place_of` writes it."""
        return place_of(self.number, self.label, recognised=self.recognised)


@dataclass(frozen=True)
class Passage:
    id: str  # "<document id>:<ordinal from 0>"
    document_id: str
    page: int  # from 1
    label: str  # the page's printed label
    start: int  # page.text[start:end] == text
    end: int
    text: str
    headings: tuple[str, ...] = ()  # trail, outermost first
    statement: Statement | None = None
    tokens: int = 0
    recognised: bool = False  # its page's

    @property
    def place(self) -> str:
        """Its page, as `place_of` writes it."""
        return place_of(self.page, self.label, recognised=self.recognised)


def place_of(number: int, label: str, *, recognised: bool = False) -> str:
    """ "p. 5", as printed; where it is another sheet of the file, "p. 5 (sheet 8)". So a page is named everywhere.

    Behind it stands where its text comes from, if that is an image: "p. 5 (recognised text)".
    """
    about = [f"sheet {number}"] * (label != str(number)) + ["recognised text"] * recognised
    return f"p. {label} ({', '.join(about)})" if about else f"p. {label}"


@dataclass(frozen=True)
class SearchText:
    """A passage as the index sees it, folded by `rag.words.fold`."""

    body: str
    heading: str  # heading trail, statement's names, table title; weighted more


@dataclass(frozen=True)
class ParsedDocument:
    """A file once read: everything that one upload's transaction stores."""

    id: str
    sha256: str
    file: str
    media: Media
    card: Card
    pages: tuple[Page, ...]
    passages: tuple[Passage, ...]
    search: tuple[SearchText, ...]  # as long as passages
    notes: tuple[str, ...] = ()


Stage = Literal["waiting", "reading", "storing", "added", "duplicate", "failed"]


@dataclass(frozen=True)
class FileProgress:
    """Where one file of an upload stands."""

    file: str
    stage: Stage
    done: int = 0  # pages read so far
    total: int = 0  # pages in all; 0 while unknown
    document: Document | None = None  # with "added", and with "duplicate" the one already there
    error: str | None = None  # with "failed": plain words that say what to do
    sha256: str = ""  # of the file's bytes: tells those of one name apart
    locked: bool = False  # with "failed": it is read once its password is given
    replaced: tuple[Document, ...] = ()  # with "added": earlier ones of its file name, gone in its favour


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a stored library."""

    text: str  # a plain sentence, and the way out where a repair does not help
    repairable: bool  # whether it can be derived anew from what is whole


# Retrieval -----------------------------------------------------------------------------------------------------------

ScorerName = Literal["keyword", "bm25", "dense", "hybrid"]


@dataclass(frozen=True)
class Query:
    text: str
    k: int = 10  # at most so many passages, >= 1
    documents: tuple[str, ...] | None = None  # document ids; None: the whole library; (): nothing
    statement: Statement | None = None  # where the answer is a line of this statement; only hybrid uses it
    phrases: tuple[str, ...] = ()  # the words that filings use for what is asked, one of them required; only hybrid
    related: tuple[str, ...] = ()  # words that stand where it is told; they help to rank, none is required; only hybrid


@dataclass(frozen=True)
class Component:
    """What one scorer, or one part of the hybrid formula, gave a passage."""

    name: str  # "bm25", "dense", "heading", "statement", …
    score: float  # [0, 1]
    rank: int | None = None  # from 1 within that scorer's list; None: it ranks nothing or did not list the passage


@dataclass(frozen=True)
class Hit:
    passage: Passage
    score: float  # (0, 1]
    components: tuple[Component, ...] = ()
    matched: tuple[str, ...] = ()  # query words (as typed) that the passage holds
    unmatched: tuple[str, ...] = ()


@dataclass(frozen=True)
class Copy:
    """A passage left out of a ranking, since a better one of its document says almost the same."""

    hit: Hit
    of: Passage


@dataclass(frozen=True)
class SearchResult:
    query: Query
    scorer: ScorerName
    hits: tuple[Hit, ...]  # best first; equal scores ordered by passage id
    seconds: float
    copies: tuple[Copy, ...] = ()  # what would stand among the hits, but was left out


@dataclass(frozen=True)
class Standing:
    """Where a passage stands for one scorer."""

    scorer: ScorerName
    score: float  # [0, 1]; 0.0: it does not match
    rank: int | None  # from 1 in a list far longer than k; None: not even there
    listed: bool  # whether it is among the query's k
    cut: Hit | None  # the last passage that is; None: fewer than k match


@dataclass(frozen=True)
class Share:
    """What one part of the hybrid formula gives: contribution = weight * score / sum of the weights."""

    name: str
    score: float  # [0, 1]
    weight: float
    contribution: float  # the shares of a passage sum up to its hybrid score


@dataclass(frozen=True)
class Explanation:
    """Why a query finds this passage, or why it does not."""

    query: Query
    passage: Passage
    in_scope: bool  # whether the query asks the passage's document
    standings: tuple[Standing, ...]  # one a scorer
    shares: tuple[Share, ...]  # () where no word and no meaning is shared
    topic: float  # how much of what is asked the passage speaks of, [0, 1]
    support: float  # least topic of a passage that an answer about a theme is offered
    loose: float  # least topic of one that an answer about a fact is offered
    matched: tuple[str, ...]  # query words (as typed) that the passage holds
    unmatched: tuple[str, ...]
    copy_of: Passage | None = None  # the passage in whose favour hybrid leaves this one out


@dataclass(frozen=True)
class RetrievalTest:
    """A page that a query has to find among its k passages."""

    id: str
    query: Query
    document_id: str
    page: int  # from 1
    created_at: str


@dataclass(frozen=True)
class EmbeddingChange:
    """Another embedding model is set than the one whose vectors serve; what it takes to change the library over."""

    before: str  # names the model that serves until the new one's vectors are whole
    after: str
    passages: int  # that have no vector of the new model yet
    tokens: int  # of these, headings included; about, since each model counts its own
    price: (
        float | None
    )  # of these, in the currency of the prices in the settings; 0.0: on this machine; None: not known
    begun: bool  # whether it was agreed to
    gap: bool  # whether the model before cannot be asked with these settings: until then keywords alone find


@dataclass(frozen=True)
class EmbeddingProgress:
    done: int  # passages with a vector of the model that is wanted
    total: int  # passages in the library
    running: bool
    error: str | None = None


# A language model ----------------------------------------------------------------------------------------------------

Way = Literal["tools", "schema", "json", "text"]  # how a model is asked for a decision, the strictest first
Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class Tool:
    """An action as a model is told of it."""

    name: str
    description: str
    parameters: Mapping[str, object]  # a JSON schema


@dataclass(frozen=True)
class Call:
    """A native tool call, as the model wrote it."""

    id: str
    name: str
    arguments: str  # JSON, or what the model takes for it


@dataclass(frozen=True)
class Message:
    role: Role
    text: str
    call: Call | None = None  # of the assistant: what it called; of a tool: what it answers


@dataclass(frozen=True)
class TextDelta:
    """The next piece of a reply's text."""

    text: str


@dataclass(frozen=True)
class CallDelta:
    """The next piece of the reply's first tool call; name and id may come whole with the first piece alone."""

    name: str = ""
    arguments: str = ""


@dataclass(frozen=True)
class Waiting:
    """The model's server has no answer yet and is asked again."""

    seconds: float
    why: str  # "it is asked too often (429)"


@dataclass(frozen=True)
class ReplyEnd:
    """The end of a reply: "length" where it was cut at the token limit, "broken" where the connection was."""

    finish: Literal["stop", "length", "broken"]
    usage: "Usage | None" = None  # None: the server does not count


Delta = TextDelta | CallDelta | Waiting | ReplyEnd

# A run ---------------------------------------------------------------------------------------------------------------

Mode = Literal["agent", "single_shot"]
Action = Literal["search_documents", "get_document_summary", "compare_chunks", "answer_directly"]
StepKind = Literal["plan", "action", "sweep"]  # a sweep is the code's own search of documents never searched
CoverageState = Literal["cited", "offered", "nothing_found", "not_searched"]
Status = Literal["error", "cancelled", "step_limit", "not_found", "partial", "answered"]
Band = Literal["strong", "partial", "weak", "none"]


@dataclass(frozen=True)
class Decision:
    thought: str
    action: str  # one of Action; another one is answered with those that exist
    action_input: Mapping[str, object]


@dataclass(frozen=True)
class Search:
    """One search of a step, over some documents."""

    query: str
    documents: tuple[str, ...]  # ids searched
    hits: tuple[Hit, ...]  # those that passed the support threshold, best first
    best: Mapping[str, float]  # document id -> best score there, passed or not; 0.0: nothing came back
    near: Mapping[str, int]  # document id -> passages that came back but did not pass


@dataclass(frozen=True)
class Relation:
    """How two passages stand to each other on one point."""

    kind: Literal["agree", "contradict", "only left", "only right"]
    point: str  # the words or figure they share or differ on
    left: str  # the sentence of the left passage, "" where it has none
    right: str


@dataclass(frozen=True)
class Comparison:
    left: Passage
    right: Passage
    relations: tuple[Relation, ...]


@dataclass(frozen=True)
class Observation:
    text: str  # one or two lines for people and models
    searches: tuple[Search, ...] = ()
    comparison: Comparison | None = None
    passages: tuple[Passage, ...] = ()  # what a summary rests on
    error: str | None = None  # what the model or the data did wrong


@dataclass(frozen=True)
class Usage:
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.prompt_tokens + other.prompt_tokens, self.completion_tokens + other.completion_tokens)


@dataclass(frozen=True)
class Step:
    number: int  # from 1 over all steps of the run
    kind: StepKind
    decision: Decision | None  # None for the plan and the sweep
    thought: str  # why, in a sentence or two
    observation: Observation
    started_at: str
    seconds: float
    usage: Usage = Usage()  # of the model, to come to the decision
    notes: tuple[str, ...] = ()  # what it took: how the model was asked, waits, replies sent back, passages left out


@dataclass(frozen=True)
class Citation:
    mark: int  # the n of "[n]" in the answer, from 1 in order of appearance
    passage: Passage
    file: str
    title: str  # the document's
    score: float  # of the passage in this run


@dataclass(frozen=True)
class CoverageRow:
    """What became of one document in scope."""

    document_id: str
    file: str
    title: str
    state: CoverageState
    searches: int  # how many searches asked it
    best: float  # best score of any of them, 0.0 where nothing came back
    offered: int  # passages given to the answer
    cited: int


@dataclass(frozen=True)
class SentenceCheck:
    """Whether a sentence of the answer is carried by what it cites."""

    sentence: str
    supported: bool
    why: str  # "3 of 4 numbers stand in [2]", "no citation"


@dataclass(frozen=True)
class Answer:
    text: str  # Markdown with [n] marks; document text in it is escaped where it is shown, not here
    citations: tuple[Citation, ...] = ()
    checks: tuple[SentenceCheck, ...] = ()
    value: float | str | bool | None = None  # the answer alone in plain units, where the question asks for one
    evidence: Band = "none"
    not_covered: tuple[str, ...] = ()  # sentences: which document or name, and why
    not_in_library: tuple[str, ...] = ()  # names that the question asks for and no document bears
    notes: tuple[str, ...] = ()  # sentences: what code did to the text, such as taking out a mark that names nothing


@dataclass(frozen=True)
class Trace:
    """A whole run, as it is stored, shown, exported and replayed."""

    run_id: str  # unguessable, URL-safe
    question: str
    mode: Mode
    reasoner: str  # "rules" or "<provider>:<model>"
    status: Status
    selection: tuple[str, ...] | None  # document ids the user ticked; None: the whole library
    scope: tuple[str, ...]  # document ids the question is about
    titles: Mapping[str, str]  # document id -> title, as it was then
    steps: tuple[Step, ...]
    retrieved: tuple[Hit, ...]  # passages that the answer was given, in the order in which it was given them
    coverage: tuple[CoverageRow, ...]
    answer: Answer
    iterations: int
    iteration_limit: int
    started_at: str
    seconds: float
    usage: Usage = Usage()  # the sum of the steps'
    cost: float | None = None  # in the currency of the prices in the settings; None: no prices there, or no model
    error: str | None = None  # with status "error": plain words
    asked: str | None = None  # the question as it stands alone, where it was a follow-up

    @property
    def silent(self) -> tuple[str, ...]:
        """Those of `answer.not_covered` on documents that were searched and say nothing: no gap, but an answer."""
        heads = tuple(f"{row.title}: nothing found" for row in self.coverage if row.state == "nothing_found")
        return tuple(sentence for sentence in self.answer.not_covered if sentence.startswith(heads))


@dataclass(frozen=True)
class TraceHead:
    """What a list of runs shows of one."""

    run_id: str
    question: str
    status: Status
    mode: Mode
    reasoner: str
    evidence: Band
    cited: int  # documents that the answer cites
    documents: int  # documents in scope
    started_at: str
    seconds: float


@dataclass(frozen=True)
class Exchange:
    """A question asked before in the same conversation, as it stood alone, and its answer."""

    question: str
    answer: str


@dataclass(frozen=True)
class RunStarted:
    run_id: str
    question: str
    mode: Mode
    reasoner: str
    iteration_limit: int


@dataclass(frozen=True)
class StepStarted:
    number: int
    kind: StepKind
    thought: str
    action: str | None
    action_input: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class StepFinished:
    step: Step


@dataclass(frozen=True)
class Noted:
    text: str  # what holds a decision up: "asked too often (429), waits 2 s"; kept with the step that follows


@dataclass(frozen=True)
class Spent:
    usage: Usage  # of one call to the model


@dataclass(frozen=True)
class AnswerDelta:
    text: str  # the next piece of the answer
    anew: bool = False  # whether what came before is void: the answer begins again with this


Thinking = Noted | Spent | AnswerDelta  # what happens while a reasoner decides


@dataclass(frozen=True)
class RunFinished:
    trace: Trace


Event = RunStarted | StepStarted | StepFinished | Noted | AnswerDelta | RunFinished


# Notebooks -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    id: str
    question: str
    mode: Mode
    documents: tuple[str, ...] | None  # the selection it was asked with
    run_id: str | None  # its latest run; None: not run yet
    created_at: str


@dataclass(frozen=True)
class Notebook:
    id: str  # unguessable, URL-safe
    title: str
    cells: tuple[Cell, ...]
    created_at: str
