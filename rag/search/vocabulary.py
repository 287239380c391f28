"""The words that filings use for what readers ask: `vocabulary.toml`, read once and matched by stems."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from rag.errors import BadInput
from rag.types import Statement
from rag.words import stems

STATEMENT_NAMES: dict[Statement, str] = {
    "income": "consolidated statements of income operations earnings profit or loss",
    "comprehensive income": "consolidated statements of comprehensive income",
    "balance": "consolidated balance sheets statement of financial position",
    "cash flow": "consolidated statements of cash flows",
    "equity": "consolidated statements of changes in equity",
}


@dataclass(frozen=True)
class Figure:
    """A line of the statements."""

    name: str
    asks: tuple[str, ...]
    lines: tuple[str, ...]
    source: str
    statement: Statement | None = None  # None: it stands in no statement, but in notes or prose
    per_share: bool = False
    outflow: bool = False  # brackets tell its direction, not its sign
    rate: bool = False  # stated in per cent


@dataclass(frozen=True)
class Theme:
    """A subject that reports speak of in prose."""

    name: str
    asks: tuple[str, ...]
    phrases: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class Ratio:
    """What readers compute from lines of the statements."""

    name: str
    asks: tuple[str, ...]
    figures: tuple[str, ...]  # names of the figures that it is made of
    source: str
    formula: str = ""  # "a / b", "a / average b" or "a - b" of two of these names; "": more is needed than two lines
    percent: bool = False  # whether it is given in per cent

    @property
    def averaged(self) -> str:
        """The figure of which the mean of this year's and last year's value is taken; "" where there is none."""
        return self.formula.partition("average ")[2]

    def compute(self, values: Mapping[str, float]) -> float | None:
        """Its value from those of the figures, in plain units; None where one is missing or there is no formula.

        What is averaged is given as its mean.
        """
        plain = self.formula.replace("average ", "")
        left, sign, right = plain.partition(" / ") if " / " in plain else plain.partition(" - ")
        if not sign or left not in values or right not in values or (sign == " / " and not values[right]):
            return None
        return values[left] / values[right] if sign == " / " else values[left] - values[right]


@dataclass(frozen=True)
class Section:
    """What reports tell in one place, under words of their own."""

    name: str
    asks: tuple[str, ...]
    related: tuple[str, ...]  # words that stand there; they help to rank, and no one of them is required
    source: str


@dataclass(frozen=True)
class Vocabulary:
    figures: tuple[Figure, ...]
    themes: tuple[Theme, ...]
    ratios: tuple[Ratio, ...]
    sections: tuple[Section, ...]

    def figures_in(self, text: str) -> tuple[Figure, ...]:
        """The figures that the text names, and those that a ratio it names is made of, in order of appearance."""
        by_name = {figure.name: figure for figure in self.figures}
        found: list[str] = []
        for name in _spotted([*self.ratios, *self.figures], text):
            ratio = next((ratio for ratio in self.ratios if ratio.name == name), None)
            found += ratio.figures if ratio else (name,)
        return tuple(by_name[name] for name in dict.fromkeys(found))

    def beyond(self, text: str) -> tuple[str, ...]:
        """The words of the text (stems) that name no figure and no ratio: "aws" of "AWS revenue"."""
        words = stems(text)
        asked = (*_asked(self.ratios, words), *_asked(self.figures, words))
        named = {word for wanted, _ in asked for word in wanted}
        return tuple(word for word in dict.fromkeys(words) if word not in named)

    def ratio(self, text: str) -> Ratio | None:
        """The ratio that the text asks for by the longest of its names; None: no known one."""
        return _longest(self.ratios, text)

    def section(self, text: str) -> Section | None:
        """The section that the text asks for by the longest of its names; None: no known one."""
        return _longest(self.sections, text)

    def figure(self, text: str) -> Figure | None:
        """The figure that the text asks for by the longest of its names; None: no known one."""
        return _longest(self.figures, text)

    def theme(self, text: str) -> Theme | None:
        """The theme that the text asks for by the longest of its names; None: no known one."""
        return _longest(self.themes, text)


_Entry = TypeVar("_Entry", bound=Figure | Theme | Ratio | Section)


@cache
def vocabulary() -> Vocabulary:
    """The entries of `vocabulary.toml`, and those of the file that `extend` named; of one name, the latter's."""
    own = _read((files("rag.search") / "vocabulary.toml").read_text(encoding="utf-8"))
    return _merged(own, _read(_more.read_text(encoding="utf-8"))) if _more else own


def extend(path: Path) -> None:
    """Adds a reader's own entries for this process; raises `BadInput` that names the file and what is wrong with it."""
    global _more
    try:
        _merged(vocabulary(), _read(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"The vocabulary {str(path)!r} cannot be read: {error}.") from None
    except (TypeError, KeyError, AttributeError) as error:
        shape = "rag/search/vocabulary.toml shows the shape of an entry"
        raise BadInput(f"The vocabulary {str(path)!r} has an entry that does not fit: {error}. {shape}.") from None
    _more = path
    vocabulary.cache_clear()


_more: Path | None = None


def _read(text: str) -> Vocabulary:
    data = tomllib.loads(text)
    return Vocabulary(
        figures=tuple(Figure(**_fields(entry)) for entry in data.get("figure", ())),
        themes=tuple(Theme(**_fields(entry)) for entry in data.get("theme", ())),
        ratios=tuple(Ratio(**_fields(entry)) for entry in data.get("ratio", ())),
        sections=tuple(Section(**_fields(entry)) for entry in data.get("section", ())),
    )


def _merged(own: Vocabulary, more: Vocabulary) -> Vocabulary:
    return Vocabulary(
        figures=_later(own.figures, more.figures),
        themes=_later(own.themes, more.themes),
        ratios=_later(own.ratios, more.ratios),
        sections=_later(own.sections, more.sections),
    )


def _later(own: tuple[_Entry, ...], more: tuple[_Entry, ...]) -> tuple[_Entry, ...]:
    names = {entry.name for entry in more}
    return tuple([entry for entry in own if entry.name not in names]) + more


def _fields(entry: dict[str, Any]) -> dict[str, Any]:
    """With lists as tuples, and an entry's name as one of the ways to ask for it."""
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    return given | {"asks": tuple(dict.fromkeys((*given["asks"], given["name"])))}


@cache
def phrase_stems(phrase: str) -> tuple[str, ...]:
    """Stems of a phrase, in order, stop words left out."""
    return tuple(stems(phrase))


def _longest(entries: Iterable[_Entry], text: str) -> _Entry | None:
    found = max(_asked(entries, stems(text)), key=lambda pair: len(pair[0]), default=None)
    return found[1] if found else None


def _asked(entries: Iterable[_Entry], words: Sequence[str]) -> Iterator[tuple[tuple[str, ...], _Entry]]:
    """The entries whose asks stand in the words, each with the stems of the ask."""
    held = set(words)
    for entry in entries:
        for wanted in map(phrase_stems, entry.asks):
            if wanted and wanted[0] in held and contains_run(words, wanted):
                yield wanted, entry


def _spotted(entries: Sequence[Ratio | Figure], text: str) -> list[str]:
    """Names of the entries that the text asks for, in order; the longer name takes the words that it shares."""
    words = stems(text)
    taken: dict[int, str] = {}
    for wanted, entry in sorted(_asked(entries, words), key=lambda pair: -len(pair[0])):
        size, name = len(wanted), entry.name
        for start in range(len(words) - size + 1):
            place = range(start, start + size)
            if tuple(words[start : start + size]) == wanted and not any(i in taken for i in place):
                taken |= dict.fromkeys(place, name)
    return list(dict.fromkeys(taken[i] for i in sorted(taken)))


def contains_run(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether `wanted` stands in `words` as an unbroken run."""
    if not wanted or wanted[0] not in words:  # which spares most of the work
        return not wanted
    size, words, wanted = len(wanted), list(words), list(wanted)
    return any(words[i : i + size] == wanted for i in range(len(words) - size + 1) if words[i] == wanted[0])
