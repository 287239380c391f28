"""Follow-up questions: "and Cedar?" after "What did Birch spend on R&D?" asks what Cedar spent on R&D."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rag.search.names import is_plain_word, known_names, mentions
from rag.search.vocabulary import vocabulary
from rag.types import Document
from rag.words import content_words, listed

SHORT = 6  # words of a question that begins with "and" up to which it follows on
_LEAD = re.compile(
    r"^\W*(?:(?:and|but|so|then|also|ok(?:ay)?|now)\b[\s,]*)*"
    r"(?:(?:what|how)\s+about|(?:the\s+)?same\s+(?:for|of|in|question\s+for)|what\s+of|and|but)?\b[\s,:]*"
    r"(?:(?:for|of|in|at|with|by)\s+)?",
    re.I,
)
_WHEN = re.compile(  # "fiscal year 2023", "FY23", "Q3"
    r"\b(?:(?:fiscal|financial)\s+(?:year\s+)?)?(?:FY\s?)?(?:19|20)\d\d\b|\bFY\s?\d\d\b|\bQ[1-4]\b", re.I
)
_BACK = re.compile(
    r"\b(?:its|their|theirs|his|her)\b"
    r"|\b(?:of|for|by|at|in|about)\s+(?:it|them|that|those)(?=\W*$|\s+(?:in|during)\b)",
    re.I,
)
_THAT_ONE = r"(?:that|the\s+same)\s+(?:company|report|firm)|both\s+(?:companies|reports|firms)"
_IT = "|".join(rf"(?<=\b{verb}\s)it" for verb in ("did", "does", "has", "had", "was", "will"))  # no "is it usual to"
_BACK_SUBJECT = re.compile(rf"\b(?:they|them|{_THAT_ONE}|{_IT})\b", re.I)
_POINTS_BEYOND = re.compile(rf"\b(?:{_THAT_ONE})\b", re.I)
# To which "they" and "its" point then, or which speak of more than the reports before
_ITS_OWN = re.compile(
    r"\b(?:reports|filings|documents|companies|firms|who|which|whose|whether|all|across|every|each|any|others?|rest)\b",
    re.I,
)
_CONNECTOR = re.compile(r"\s*(?:(?:,|&|and|or|versus|vs\.?|with|to)\s*)+$", re.I)


class _Span(NamedTuple):
    start: int
    end: int


def stand_alone(question: str, earlier: Sequence[str], documents: Sequence[Document]) -> str:
    """The question with what it leaves out put in from the last one of `earlier`; else as it is.

    One that only names other reports or years asks of them what was asked before; one that only names another topic,
    and points back, asks it of the reports and years that were asked before.
    """
    if not earlier:
        return question
    last, lead = earlier[-1], _LEAD.match(question)
    follows = bool(lead and lead.group().strip(" \"'“"))
    rest = question[lead.end() :].strip() if lead else question.strip()
    names, years = _names(rest, documents, strange=follows), [m.group() for m in _WHEN.finditer(rest)]
    topic = _topic(rest, names)
    if (names or years) and not topic:
        return _asked_of(last, names, years, documents)
    if names or not topic:
        return question
    own = _ITS_OWN.search(rest) and not _POINTS_BEYOND.search(rest)
    points = _BACK.search(rest) or _BACK_SUBJECT.search(rest)
    if not own and ((follows and len(topic) <= SHORT) or points):
        return _asked_about(question, rest, last, documents)
    return question


def _names(text: str, documents: Sequence[Document], *, strange: bool) -> list[str]:
    """Known names, and with `strange` a capitalised word that is neither a topic nor a frame's, alone beside them."""
    found = mentions(text, known_names(documents))
    left = text
    for mention in found:
        left = left.replace(mention.text, " ")
    bare = _WHEN.sub(" ", left).strip(" ?!.,'’\"“”")
    found_name = re.fullmatch(r"(?:and\s+|or\s+|,\s*)?((?:[A-Z][\w.&'’-]*\s?)+)", bare) if strange else None
    name = found_name[1].strip() if found_name else ""
    is_name = name and not (vocabulary().figure(name) or vocabulary().theme(name) or is_plain_word(name))
    return [m.text for m in found] + ([name] if is_name else [])


def _topic(text: str, names: Sequence[str]) -> list[str]:
    for name in names:
        text = text.replace(name, " ")
    return [
        word
        for word in content_words(_WHEN.sub(" ", text))
        if word not in {"report", "reports", "year", "fiscal", "company"}
    ]


def _asked_of(last: str, names: Sequence[str], years: Sequence[str], documents: Sequence[Document]) -> str:
    """The last question of other reports or years."""
    text = _replaced(last, [_Span(m.start, m.end) for m in mentions(last, known_names(documents))], names)
    spans = [_Span(*m.span()) for m in _WHEN.finditer(text)]
    return _replaced(text, spans, years, before=" in ")


def _replaced(text: str, spans: Sequence[_Span], values: Sequence[str], *, before: str = " for ") -> str:
    """The values in place of the spans, or at the end where there is none; the spans beyond the first go."""
    if not values:
        return text
    if not spans:
        body, mark = re.fullmatch(r"(.*?)([?.!\s]*)", text, re.S).groups()  # type: ignore[union-attr]
        return f"{body}{before}{listed(values)}{mark.strip()}"
    for span in reversed(spans[1:]):
        text = _CONNECTOR.sub("", text[: span.start]) + text[span.end :]
    old = text[spans[0].start : spans[0].end]
    own = old[-2:] if old.endswith(("'s", "’s")) else ""
    return f"{text[: spans[0].start]}{listed(values)}{own}{text[spans[0].end :]}"


def _asked_about(question: str, rest: str, last: str, documents: Sequence[Document]) -> str:
    """Another topic, of the reports and years of the last question."""
    names = list(dict.fromkeys(m.text for m in mentions(last, known_names(documents))))
    years = [] if _WHEN.search(rest) else list(dict.fromkeys(m.group() for m in _WHEN.finditer(last)))
    if not names and not years:
        return question
    text = (
        _BACK_SUBJECT.sub(" ", _BACK.sub(" ", rest))
        if not names
        else _BACK_SUBJECT.sub(listed(names), _BACK.sub("", rest), count=1)
    )
    body = " ".join(text.strip(" ?!.").split())
    named = any(name in body for name in names)
    of = f" of {listed(names)}" if names and not named else ""
    return f"{body[:1].upper()}{body[1:]}{of}{f' in {listed(years)}' if years else ''}?"
