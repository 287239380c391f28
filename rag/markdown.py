"""A run as Markdown, for exports. What documents, file names and users wrote is escaped: no markup, link or HTML of it
comes alive."""

import json
import re
from collections.abc import Iterator, Sequence

from rag.types import Citation, Hit, Step, Trace
from rag.wire import to_json
from rag.words import count

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~$&!]")
_LIST_HEAD = re.compile(r"^(\s*\d*)([-+=.)])")
_BOLD = re.compile(r"\*\*([^*]+)\*\*(?=[:\s]|$)")  # an answer sets the head of a line in bold, and nothing else
_PROSE, _ROW = (re.compile(rf"(\[\d+\](?![(:]){ours})|{_MARKUP.pattern}") for ours in ("", r"|\|"))
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)", re.I)  # where GitHub and Jupyter see a link in bare text
_JOINER = "\u2060"  # has no width and keeps a line together
_RULE = re.compile(r"^\|[\s:|-]+\|$")
_STATES = {
    "cited": "cited",
    "offered": "offered to the answer, not cited",
    "nothing_found": "nothing found",
    "not_searched": "not searched",
}


def escape(text: str) -> str:
    """The text letter for letter, on one line; an address in it is parted by a sign of no width."""
    line = _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))
    return _ADDRESS.sub(_JOINER, _LIST_HEAD.sub(r"\1\\\2", line))


def prose(text: str) -> str:
    """An answer's text: its paragraphs, lists, tables, bold heads of lines and [n] marks kept, all else escaped."""
    return "\n".join(map(_line, text.splitlines()))


def _line(line: str) -> str:
    line = line.strip()
    if _RULE.match(line):
        return line
    bullet, rest = ("- ", line[2:].strip()) if line.startswith("- ") else ("", line)
    bold = _BOLD.match(rest)
    head, rest = (f"**{escape(bold[1])}**", rest[bold.end() :]) if bold else ("", rest)
    text = (_ROW if line.startswith("|") else _PROSE).sub(lambda found: found[1] or "\\" + found[0], rest)
    return bullet + head + _ADDRESS.sub(_JOINER, text if head else _LIST_HEAD.sub(r"\1\\\2", text))


def code(text: str) -> str:
    """The text on one line, in a code span."""
    line = " ".join(text.split())
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"


def answer(trace: Trace) -> str:
    """The answer, what it cites, its ledger and what it could not cover."""
    return "\n\n".join(part for part in (prose(trace.answer.text) or trace.error or "", *_below(trace)) if part)


def head(trace: Trace) -> str:
    """One line: how the run was made and how it ended."""
    reasoner = "rules, no language model" if trace.reasoner == "rules" else escape(trace.reasoner)
    return (
        f"{trace.status.replace('_', ' ')} · {trace.mode.replace('_', '-')} · {reasoner} · "
        f"{trace.iterations} of {trace.iteration_limit} iterations · {trace.seconds:.1f} s · {trace.started_at}"
        f"{f' · {trace.usage.tokens:,} tokens' if trace.usage.tokens else ''}"
        f"{'' if trace.cost is None else f' · cost {trace.cost:.4f}'}"
        f"{f' · read as: {escape(trace.asked)}' if trace.asked else ''}"
    )


def steps(trace: Trace) -> str:
    """Every step with its input, what it saw, and the passages that came back with their scores."""
    return "\n\n".join("\n\n".join(_step(step, trace)) for step in trace.steps)


def place(citation: Citation) -> str:
    """`alder.pdf, p. iv (sheet 12)`."""
    return f"{escape(citation.file)}, {escape(citation.passage.place)}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _below(trace: Trace) -> Iterator[str]:
    if trace.answer.notes:
        yield "\n".join(f"- {escape(note)}" for note in trace.answer.notes)
    if trace.answer.citations:
        yield "\n".join(f"- [{citation.mark}] {place(citation)}" for citation in trace.answer.citations)
    if trace.coverage:
        yield table(
            ("Document", "State", "Searches", "Best score", "Offered", "Cited"),
            [
                (
                    escape(row.title),
                    _STATES[row.state],
                    f"{row.searches}",
                    f"{row.best:.2f}",
                    f"{row.offered}",
                    f"{row.cited}",
                )
                for row in trace.coverage
            ],
        )
    gaps = [line for line in trace.answer.not_covered if line not in trace.silent]
    gaps += [f"{name} is not in the library." for name in trace.answer.not_in_library]
    for title, lines in (("Not covered", gaps), ("Silent", trace.silent)):
        if lines:
            yield f"{title}:\n\n" + "\n".join(f"- {escape(line)}" for line in dict.fromkeys(lines))
    if unsupported := [check for check in trace.answer.checks if not check.supported]:
        yield "Without support:\n\n" + "\n".join(
            f"- {escape(check.sentence)} ({escape(check.why)})" for check in unsupported
        )


def _step(step: Step, trace: Trace) -> Iterator[str]:
    name = step.decision.action if step.decision else step.kind
    yield f"**{step.number}. {escape(name)}** ({step.seconds:.1f} s)"
    yield escape(step.thought)
    if step.notes:
        yield "\n".join(f"- {escape(note)}" for note in step.notes)
    if step.decision and step.decision.action_input:
        yield code(json.dumps(to_json(step.decision.action_input), ensure_ascii=False))
    yield escape(step.observation.error or step.observation.text)
    for search in step.observation.searches:
        documents, passages = count(len(search.documents), "document"), count(len(search.hits), "passage")
        yield f"Search {escape(search.query)} over {documents}: {passages}."
        if search.hits:
            yield table(("Score", "Document", "Page", "Matched"), [_hit(hit, trace) for hit in search.hits])


def _hit(hit: Hit, trace: Trace) -> Sequence[str]:
    title = trace.titles.get(hit.passage.document_id, hit.passage.document_id)
    return f"{hit.score:.2f}", escape(title), escape(hit.passage.place), escape(", ".join(hit.matched))
