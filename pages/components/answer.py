"""An answer as Markdown: our paragraphs, lists, tables, bold and [n] marks stay; the rest shows letter for letter."""

import re
from collections.abc import Mapping

from pages.components.links import passage_address
from pages.components.text import escape, plain
from rag.types import Answer, Citation

_MARKUP = re.compile(r"\*\*(?=\S)(?P<bold>.+?)(?<=\S)\*\*|\[(?P<mark>\d+)\]")
_RULE = re.compile(r"\|(\s*:?-+:?\s*\|)+")


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
        return line if _RULE.fullmatch(line) else f"| {' | '.join(_inline(c, cited) for c in line[1:-1].split('|'))} |"
    if line.startswith("- "):
        return "- " + _inline(line[2:], cited)
    return _inline(line, cited)


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
    title = escape(f"{citation.title}, p. {citation.passage.label}")
    return f'[\\[{citation.mark}\\]]({passage_address(citation.passage)} "{title}")'
