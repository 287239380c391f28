"""An answer as Markdown: our paragraphs, lists, tables, bold and [n] marks stay; the rest shows letter for letter."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from pages.components.links import passage_address
from pages.components.text import escape, plain
from rag.types import Answer, Citation

_MARKUP = re.compile(r"\*\*(?=\S)(?P<bold>.+?)(?<=\S)\*\*|\[(?P<mark>\d+)\]")
_RULE = re.compile(r"\|(\s*:?-+:?\s*\|)+")
_MARKS = re.compile(r"(?P<first>(?:\[\d+\]){3})(?P<more>(?:\[\d+\]){6,})")
_LISTED = 6  # items of a list that stand open; of more, the rest is folded
_FORM = re.compile(r"(?<=0-|8-)(?=[KQ]\b)")  # inside "10-K", where a cell of a table must not break
_JOINER = "\u2060"


def draw_answer(answer: Answer) -> None:
    """The answer; where it quotes many reports, lists are folded under their titles, the first one open."""
    cited = {citation.mark: citation for citation in answer.citations}
    blocks = [_list(block) for block in re.split(r"\n\s*\n", answer.text.strip())]
    many = sum(len(block.items) for block in blocks if block.title) > _LISTED
    first = next((block for block in blocks if block.title and block.items), None)
    for block in blocks:
        if many and block.title and block.items:
            title = _inline(re.sub(r"\s*\[\d+\]", "", block.title), cited)
            _fold(title, block.items, cited, expanded=block is first)
            continue
        _draw_block("\n".join(filter(None, (block.title, *block.items[:_LISTED]))), cited)
        if rest := block.items[_LISTED:]:
            _fold(f"{len(rest)} more", rest, cited)


def _draw_block(block: str, cited: Mapping[int, Citation]) -> None:
    """A table stands in a row that scrolls where it is wider than the page."""
    with st.container(horizontal=block.startswith("|"), wrap=not block.startswith("|")):
        st.markdown(_block(block, cited))


class _List(NamedTuple):
    """A block of the answer: lines that may be followed by a list."""

    title: str
    items: tuple[str, ...]


def _list(block: str) -> _List:
    lines = block.strip().split("\n")
    start = next((number for number, line in enumerate(lines) if line.startswith("- ")), len(lines))
    return _List("\n".join(lines[:start]), tuple(lines[start:]))


def _fold(label: str, items: Sequence[str], cited: Mapping[int, Citation], *, expanded: bool = False) -> None:
    with st.expander(label, type="compact", expanded=expanded):
        st.markdown(_block("\n".join(items), cited))


def answer_markdown(answer: Answer) -> str:
    """The answer's text for `st.markdown`, each [n] a link to the passage that it cites."""
    cited = {citation.mark: citation for citation in answer.citations}
    return "\n\n".join(_block(block, cited) for block in re.split(r"\n\s*\n", answer.text.strip()))


def _block(block: str, cited: Mapping[int, Citation]) -> str:
    lines = [line.strip() for line in block.splitlines()]
    parts = [_line(line, cited) for line in lines]
    structured = any(line.startswith(("|", "- ")) for line in lines)
    return ("\n" if structured else "  \n").join(parts)


def _line(line: str, cited: Mapping[int, Citation]) -> str:
    if line.startswith("|") and line.endswith("|") and len(line) > 1:
        cells = (_inline(_FORM.sub(_JOINER, cell), cited) for cell in line[1:-1].split("|"))
        return line if _RULE.fullmatch(line) else f"| {' | '.join(cells)} |"
    if line.startswith("- "):
        return "- " + _inline(line[2:], cited)
    return _inline(_MARKS.sub(_few_marks, line), cited)


def _few_marks(found: re.Match[str]) -> str:
    return f"{found['first']} and {found['more'].count('[')} more"


def _inline(text: str, cited: Mapping[int, Citation]) -> str:
    pieces, start = [], 0
    for found in _MARKUP.finditer(text):
        if found["mark"] and int(found["mark"]) not in cited:
            continue
        pieces.append(_plain_with_edges(text[start : found.start()]))
        pieces.append(_mark(cited[int(found["mark"])]) if found["mark"] else f"**{_inline(found['bold'], cited)}**")
        start = found.end()
    return ("".join(pieces) + _plain_with_edges(text[start:])).strip()


def _plain_with_edges(text: str) -> str:
    """As `plain`, but a blank at either end, which stands before or after markup, stays."""
    if not text.strip():
        return " " if text else ""
    return " " * text[0].isspace() + plain(text) + " " * text[-1].isspace()


def _mark(citation: Citation) -> str:
    title = escape(f"{citation.title}, {citation.passage.place}")
    return f'[\\[{citation.mark}\\]]({passage_address(citation.passage)} "{title}")'
