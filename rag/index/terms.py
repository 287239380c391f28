"""Where the words of a query stand, read from the full-text index once for each state of the library."""

import re
import sqlite3
import threading
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache, reduce
from typing import TYPE_CHECKING, NamedTuple

from rag.index.store import Span, Store
from rag.types import Passage
from rag.words import content_words, is_sign, tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEADING_WEIGHT = 6  # a word in the heading counts like six in the body
_TOKENIZER = "porter unicode61 remove_diacritics 2"  # as in the schema
_MOST_WORDS = 2_000  # kept in memory
_MOST_PASSAGES = 4_000  # likewise


class Words(NamedTuple):
    """A query's content words; none for a blank query, one of punctuation, or one of stop words alone."""

    folded: tuple[str, ...]
    typed: tuple[str, ...]  # the same words, spelt as in the query


class Posting(NamedTuple):
    """The passages that hold a word, as places in `Lexicon.rows`."""

    places: "NDArray[np.int64]"  # rising, shape (n,)
    counts: "NDArray[np.float64]"  # how often they hold it, once in the heading being HEADING_WEIGHT; shape (n,)


class Counts(NamedTuple):
    """How often the words of a query stand in the passages of a range."""

    counts: "NDArray[np.float64]"  # shape (words, passages)
    lengths: "NDArray[np.float64]"  # of the passages, in words; shape (passages,)
    holding: "NDArray[np.float64]"  # passages of the whole library that hold the word; shape (words,)
    total: int  # passages of the whole library
    mean_length: float  # of all of them


class Lexicon:
    """The words of the library in one state."""

    def __init__(self, store: Store) -> None:
        import numpy as np

        with store.connection() as connection:
            connection.execute("BEGIN")  # both of the same state
            self.spans: dict[str, Span] = {span.document_id: span for span in store.spans()}
            found = connection.execute("SELECT row, words FROM passages ORDER BY row").fetchall()
        table = np.array(found, np.int64).reshape(-1, 2)
        self.rows: NDArray[np.int64] = table[:, 0]  # of all passages, rising
        self.lengths: NDArray[np.float64] = table[:, 1].astype(float)  # in words, heading included
        self._store = store
        self._starts = [span.first for span in self.spans.values()]
        self._names = list(self.spans)
        self._postings: dict[str, Posting] = {}
        self._passages: dict[int, Passage] = {}

    def passages(self, rows: Sequence[int]) -> dict[int, Passage]:
        """Those of these rows, kept for the next search of this state; without those removed meanwhile."""
        known = self._passages
        there = {row: known[row] for row in rows if row in known}
        if absent := [row for row in rows if row not in there]:
            there |= (read := self._store.passages_at(absent))
            self._passages = read if len(known) + len(read) > _MOST_PASSAGES else known | read
        return there

    def posting(self, word: str) -> Posting:
        """Of a folded word; one that the index cuts into several is held where all of them are."""
        posting = self._postings.get(word)
        if posting is None:
            if len(self._postings) >= _MOST_WORDS:
                self._postings.clear()
            if is_sign(word):
                posting = self._containing(word)
            else:
                posting = reduce(_meet, [self._read(term) for term in index_terms(word) or [word]])
            self._postings[word] = posting
        return posting

    def range_of(self, documents: Sequence[str] | None) -> tuple[int, int]:
        """The places from the first of these documents to the last; those of other documents lie between."""
        if documents is None:
            return 0, len(self.rows)
        spans = [self.spans[id] for id in documents if id in self.spans]
        if not spans:
            return 0, 0
        start, stop = self.rows.searchsorted([min(s.first for s in spans), max(s.stop for s in spans)]).tolist()
        return start, stop

    def count(self, words: Sequence[str], start: int, stop: int) -> Counts:
        """Of the passages at the places from start up to stop."""
        import numpy as np

        counts = np.zeros((len(words), stop - start))
        postings = [self.posting(word) for word in words]
        for line, posting in zip(counts, postings, strict=True):
            first, last = posting.places.searchsorted([start, stop])
            line[posting.places[first:last] - start] = posting.counts[first:last]
        return self._counts(counts, postings, self.lengths[start:stop])

    def count_at(self, words: Sequence[str], places: "NDArray[np.int64]") -> Counts:
        """Of the passages at these places, which are few."""
        import numpy as np

        counts = np.zeros((len(words), len(places)))
        postings = [self.posting(word) for word in words]
        for line, posting in zip(counts, postings, strict=True):
            at = posting.places.searchsorted(places)
            there = posting.places.searchsorted(places, "right") > at
            line[there] = posting.counts[at[there]]
        return self._counts(counts, postings, self.lengths[places])

    def _counts(
        self, counts: "NDArray[np.float64]", postings: Sequence[Posting], lengths: "NDArray[np.float64]"
    ) -> Counts:
        import numpy as np

        holding = np.array([len(posting.places) for posting in postings], float)
        return Counts(counts, lengths, holding, len(self.rows), float(self.lengths.mean()))

    def inside(self, rows: "NDArray[np.int64]", documents: Sequence[str]) -> "NDArray[np.bool_]":
        """Which of the rows belong to these documents."""
        import numpy as np

        wanted = np.array([id in set(documents) for id in self._names])
        return wanted[np.searchsorted(self._starts, rows, side="right") - 1]

    def has(self, passage_id: str) -> bool:
        document, _, ordinal = passage_id.rpartition(":")
        return document in self.spans and ordinal.isdecimal() and self.row(passage_id) < self.spans[document].stop

    def row(self, passage_id: str) -> int:
        document, _, ordinal = passage_id.rpartition(":")
        return self.spans[document].first + int(ordinal)

    def passage_id(self, row: int) -> str:
        at = bisect_right(self._starts, row) - 1
        return f"{self._names[at]}:{row - self._starts[at]}"

    def held(self, words: Sequence[str], rows: Sequence[int]) -> list[list[bool]]:
        """For each row, which of the words its passage holds."""
        import numpy as np

        places = self.rows.searchsorted(rows)
        held = [self.posting(word).places for word in words]
        table = [there.searchsorted(places, "right") > there.searchsorted(places) for there in held]
        return np.array(table, bool).reshape(len(words), len(rows)).T.tolist()

    def _read(self, term: str) -> Posting:
        import numpy as np

        # One string instead of a row for each place where the word stands, as reading rows takes three times as long.
        sql = "SELECT group_concat(CASE col WHEN 'heading' THEN -doc ELSE doc END) FROM terms WHERE term = ?"
        (text,) = self._store.connection().execute(sql, (term,)).fetchone()
        found = np.array([], np.int64) if text is None else np.fromstring(text, np.int64, sep=",")
        found = found[np.isin(np.abs(found), self.rows)]  # without what was added since this state
        rows, at = np.unique(np.abs(found), return_inverse=True)
        counts = np.bincount(at, np.where(found < 0, HEADING_WEIGHT, 1.0), len(rows)).astype(float)
        return Posting(self.rows.searchsorted(rows), counts)

    def _containing(self, sign: str) -> Posting:
        """Of a single character, by looking through all texts: the pairs of the index begin or end with it."""
        import numpy as np

        sql = """
            SELECT rowid, length(heading) - length(replace(heading, ?1, '')),
                length(body) - length(replace(body, ?1, ''))
            FROM search WHERE instr(heading, ?1) OR instr(body, ?1) ORDER BY rowid"""
        found = np.array(self._store.connection().execute(sql, (sign,)).fetchall(), np.int64).reshape(-1, 3)
        found = found[np.isin(found[:, 0], self.rows)]
        return Posting(self.rows.searchsorted(found[:, 0]), (found[:, 1] * HEADING_WEIGHT + found[:, 2]).astype(float))


class Terms:
    """The lexicon of the library as it is now."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._read: tuple[int, Lexicon] | None = None

    def now(self) -> Lexicon:
        version = self._store.version()
        with self._lock:
            if self._read is None or self._read[0] != version:
                self._read = version, Lexicon(self._store)
            return self._read[1]


def words_of(text: str) -> Words:
    folded = tuple(content_words(text))
    pieces = {found[0]: piece for piece in re.split(r"[\s/–—-]+", text) if len(found := tokens(piece)) == 1}
    return Words(folded, tuple(re.sub(r"^\W+|(['’]s)?\W*$", "", pieces.get(word, word)) for word in folded))


@lru_cache(maxsize=10_000)
def index_terms(word: str) -> tuple[str, ...]:
    """What the full-text index makes of a word: its stem, or several where it cuts the word."""
    connection, lock = _speller()
    with lock:
        connection.execute("INSERT INTO spelling VALUES (?)", (word,))
        found = tuple(term for (term,) in connection.execute("SELECT term FROM spelt ORDER BY offset"))
        connection.rollback()
        return found


@cache
def _speller() -> tuple[sqlite3.Connection, threading.Lock]:
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.execute(f"CREATE VIRTUAL TABLE spelling USING fts5 (word, tokenize = '{_TOKENIZER}')")
    connection.execute("CREATE VIRTUAL TABLE spelt USING fts5vocab (spelling, instance)")
    return connection, threading.Lock()


def _meet(left: Posting, right: Posting) -> Posting:
    import numpy as np

    places, at_left, at_right = np.intersect1d(left.places, right.places, return_indices=True)
    return Posting(places, np.minimum(left.counts[at_left], right.counts[at_right]))
