"""The one place where text of documents, file names, questions and models becomes Markdown: shown letter for letter."""

import re

from rag.types import Trace

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
# Streamlit replaces these after Markdown is parsed, where a backslash no longer counts: :smile: and :streamlit:,
# https:, www., joe@example.com, and -> <- -- >= <= ~=. A coloured span of no colour parts them without a trace.
_REPLACED_LATER = re.compile(r":(?=[\w/+-])|(?<=www)\.|@|(?<=[<~>-])[-=>]", re.IGNORECASE)
_FIGURES = re.compile(r"\d[\d.,%)]*\s+[($€£ ]*\d[\d.,%)]*$")  # a line that ends in two figures is a table's row
_WRAPPED = 55  # characters; a shorter line of prose ends a paragraph or is a heading


def escape(text: str) -> str:
    """The text on one line with every ASCII punctuation mark escaped; for link titles, where no span may stand."""
    return _PUNCTUATION.sub(r"\\\g<0>", " ".join(text.split()))


def plain(text: str) -> str:
    """Markdown on one line that shows the text as it stands; the same in labels, cells and paragraphs."""
    text, pieces, start = " ".join(text.split()), [], 0
    for found in _REPLACED_LATER.finditer(text):
        pieces += [_PUNCTUATION.sub(r"\\\g<0>", text[start : found.start()]), f":color[\\{found.group()}]"]
        start = found.end()
    return "".join(pieces) + _PUNCTUATION.sub(r"\\\g<0>", text[start:])


def flowed(text: str) -> list[str]:
    """The text's lines, those of running prose joined; headings and rows of figures stay lines of their own."""
    lines: list[str] = []
    wrapped = False
    for line in filter(None, map(str.strip, text.splitlines())):
        lines[len(lines) - wrapped :] = [f"{lines[-1]} {line}" if wrapped else line]
        wrapped = len(line) > _WRAPPED and not _FIGURES.search(line)
    return lines


def short(text: str, limit: int) -> str:
    """The text on one line, cut at a word to at most `limit` characters, "…" included. Not escaped."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0][: limit - 1].rstrip(" ,;:.") + "…"


def narrowed(title: str, limit: int) -> str:
    """A report's title, cut in the company's name, so that kind and year stay. Not escaped."""
    if len(title) <= limit:
        return title
    company, *end = title.rsplit(" ", 2)
    room = limit - sum(1 + len(word) for word in end)
    return " ".join((short(company, room), *end)) if room > 4 else short(title, limit)


def cost(trace: Trace) -> str:
    """ " · cost 0.0123", in the currency of the settings' prices; "" where there are none."""
    return "" if trace.cost is None else f" · cost {trace.cost:.4f}"


def seconds(value: float) -> str:
    """ "31 ms", "0.84 s"."""
    return f"{value * 1000:.0f} ms" if value < 0.1 else f"{value:.2f} s"
