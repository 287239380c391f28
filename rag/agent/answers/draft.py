"""An answer as it is being written: what is quoted from passages, and what code counted from them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rag.agent.run import Run
from rag.types import Hit


@dataclass
class Draft:
    """Paragraphs of Markdown; `counted` are those lines that no passage says, but code derived from all of them."""

    run: Run
    value: float | str | None = None  # the answer alone, where one is asked for: in plain units, or a name
    unanswered: bool = False  # the one thing that is asked for could not be given
    said: float | None = None  # how much of what is asked the best quoted sentence says, in [0, 1]; None: not measured
    number: bool = False  # whether that sentence states a number
    paragraphs: list[str] = field(default_factory=list)
    counted: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n\n".join(self.paragraphs)

    def count(self, line: str) -> None:
        """Adds a paragraph that code derived: numbers of reports, what they share, who is silent."""
        self.paragraphs.append(line)
        self.counted.append(line)

    def table(self, head: Sequence[str], align: Sequence[str], rows: Iterable[Sequence[str]], *, counted: bool) -> None:
        """Adds a table; its cells lose what would end a cell."""
        lines = [_line(cells) for cells in (head, align, *rows)]
        self.paragraphs.append("\n".join(lines))
        self.counted += lines if counted else []

    def quotes(self, lines: Iterable[str], *, title: str = "") -> None:
        """Adds a list of quotations, under a title that code wrote."""
        items = [f"- {line}" for line in lines]
        self.paragraphs.append("\n".join([title, *items] if title else items))
        self.counted += [title] if title else []

    def marks(self, hits: Iterable[Hit]) -> str:
        return "".join(self.run.mark(hit.passage.id) for hit in hits)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(cell.replace("|", "/").split()) for cell in cells) + " |"


def in_words(number: int) -> str:
    """Small numbers as prose has them."""
    words = "none one two three four five six seven eight nine ten".split()
    return words[number] if number < len(words) else str(number)


def some_of(number: int, reports: int) -> str:
    """ "Two of three reports"."""
    return f"{capital(in_words(number))} of {in_words(reports)} {'report' if reports == 1 else 'reports'}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
