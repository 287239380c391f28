"""What a question asks: its intent and its topic, apart from which documents it is about and how to answer."""

import re
from dataclasses import dataclass
from typing import Literal

from rag.search.instructions import strip_instructions
from rag.search.planned import known_entry
from rag.search.vocabulary import Figure, Ratio, Theme, vocabulary
from rag.words import content_words, stems

Intent = Literal["common themes", "theme", "figure", "summary", "fact"]


@dataclass(frozen=True)
class Asked:
    intent: Intent
    topic: str  # what to look for, in the question's own words
    figures: tuple[Figure, ...] = ()  # where the topic names known figures and nothing else
    ratio: Ratio | None = None  # where it names a known ratio and nothing else; `figures` are then what it is made of
    theme: Theme | None = None
    as_risk: bool = False  # whether it is asked for as a risk
    compared: bool = False  # whether it asks which of some is more, or by how much
    amount: bool = False  # whether nothing but a number can be the answer
    least: bool = False  # whether of those it asks for the least
    silent: bool = False  # whether it asks which reports do not speak of the theme
    lines: tuple[Figure, ...] = ()  # all figures that the question is made of, those that it defines too
    why: bool = False  # whether it asks what moved a figure, which prose tells and no statement

    @property
    def queries(self) -> tuple[str, ...]:
        """What is searched for, the most telling first."""
        topic = f"{self.topic} risk" if self.as_risk else self.topic
        if len(self.figures) == 1 or not self.lines:
            return (topic,)
        lines = tuple(figure.name for figure in self.lines)
        return (topic, *lines) if self.why else (*lines, topic)


_TAIL = re.compile(
    r",?\s*\b(?:and|if\s+so)?,?\s*\b(?:do|does|how|where|what)\s+(?:they|any(?:\s+of\s+them)?|it|each|each\s+report)\b[^?]*",
    re.I,
)
_AS_A_RISK = re.compile(r"\s+as\s+an?\s+(?:\w+\s+)?(?:risk|threat|concern|factor|issue|topic)s?\b.*", re.I | re.S)
_COMMON = re.compile(
    r"\b(?:common|shared?|overlap(?:ping|s)?|recurring|in\s+common|similar|main|key|principal|biggest)\b", re.I
)
_OPEN_SUBJECT = re.compile(
    r"\b(?:risk\s+factors?|risks?|themes?|topics?|challenges?|concerns?|threats?|uncertainties)\b", re.I
)
_SPEAK = (
    r"(?:discuss|mention|address|describe|refer\s+to|talk\s+about|speak\s+of|disclose|warn\s+of|cite|name|cover|see|"
    r"say\s+about)"
)
_THEME = re.compile(
    rf"\b(?:{_SPEAK}(?:e?s|ed|ing)?|silent\s+(?:on|about)|(?:say|says|said)\s+about|exposed\s+to|affected\s+by|position\s+on|views?\s+on)"
    r"\s+(?P<topic>[^?]+)",
    re.I,
)
_COMPARE = re.compile(
    r"\bcompare\s+(?:the\s+)?(?P<topic>.+?)(?:\s+(?:across|between|among|amongst|over|reported\s+by)\b|"
    r"\s+(?:of|in|for|at|by|with|to)\s*(?:the\b|these\b|each\b|all\b|both\b|its\b|and\b|,|:|\?|$)|[:?]|$)",
    re.I,
)
_WHY = re.compile(
    r"\b(?:why|what\s+(?:drove|caused|explains?|led\s+to|is\s+behind)|reasons?\s+for|due\s+to|drivers?)\b", re.I
)
_LEAST = re.compile(r"\b(?:lower|smaller|less|fewer|lowest|smallest|least|fewest)\b", re.I)
_MORE = re.compile(
    r"\bhow\s+much\s+(?:more|less|higher|lower|larger)\b(?P<topic>.*?)(?:\bcompared\b|\bthan\b|\bversus\b|[?]|$)", re.I
)
_HOW_MANY = re.compile(
    r"\bhow\s+many\s+(?P<topic>[^?]+?)\s+(?:did|do|does|were|are|was|is|will|can|has|have|had|run|operate)\b", re.I
)
_COUNTED = re.compile(r"^(?:the\s+)?(?:number|amount|level|value|size|count)\s+of\s+(?:the\s+)?", re.I)
_RANKED = re.compile(
    r"\b(?:which|who|whose|what\s+(?:company|firm|report))\b[^?]*?\b(?:higher|lower|larger|smaller|bigger|greater|highest|lowest|largest|smallest|most|"
    r"least|more|less|fewer|fewest)\s+(?P<topic>[^,?:]+)",
    re.I,
)
_TO_COMPARE = re.compile(r"\bcompare\b", re.I)  # what is compared may be themes
_AMOUNT = re.compile(
    r"\b(?:how\s+(?:much|many|large|big|high)|what\s+(?:is|was|were|are)|compare|amount|total|number\s+of|value\s+of|spend|spent|higher|"
    r"lower|larger|smaller|bigger|greater|fewer|largest|highest|lowest|smallest|fewest|figure|state[sd]?)\b",
    re.I,
)
_NUMBER = re.compile(
    r"\bhow\s+(?:much|many|large|big|high)\b|\b(?:amount|number|value|total)\s+of\b|\bshare\s+of\b|\bper\s?cent", re.I
)
_MONEY = re.compile(
    r"\b(?:costs?|spend\w*|expenses?|expenditures?|revenues?|sales|incomes?|profits?|loss|earnings|price|fees?|margin|ratio|rate|"
    r"debt|assets|liabilities|dividends?|capitali[sz]ation|backlog|employees|headcount|stores)$",
    re.I,
)
_SUMMARY = re.compile(r"\b(?:summar(?:y|ise|ize|ies)|overview|gist|in\s+brief|main\s+points)\b", re.I)
_SILENT = re.compile(
    r"\b(?:do|does|did)\s+not\s+|\b(?:don|doesn|didn)['’]t\s+|\bneither\b|\bnever\b|\bsilent\s+(?:on|about)\b", re.I
)
# Words that stand beside a figure's name and ask for no other one.
_NEUTRAL = frozenset(
    stems(
        """total net annual year latest consolidated company change growth increase decrease current amount overall
        develop development evolve trend fall fell rise rose drop grow grew decline move spend spending hold held
        have had expense expenses"""
    )
)
_FRAME = frozenset(
    """
    many much large big high long end ends ended list find explain identify outline
    report reports reported annual quarterly filing filings document documents company companies firm firms state
    states stated latest fiscal year years compare compared comparison value amount figure figures question
    following based answer overlap discuss mention mentioned describe across these each which show shown tell spend
    spent total number usd million millions billion billions thousand thousands fy
    """.split()
)


_FRAME_STEMS = frozenset(stems(" ".join(_FRAME)))


def read_question(question: str, *, without: tuple[str, ...] = ()) -> Asked:
    """What is asked, `without` being the words that name documents (companies, years, kinds) and not the topic."""
    text = strip_instructions(question)
    bare = _without(text, without)
    if _SUMMARY.search(bare):
        return Asked("summary", _content(bare))
    if (match := _THEME.search(text)) and not _is_open(match["topic"]):
        topic = _theme_topic(match["topic"], without)
        if topic:
            theme, as_risk = vocabulary().theme(topic), bool(_AS_A_RISK.search(text))
            return Asked("theme", topic, theme=theme, as_risk=as_risk, silent=bool(_SILENT.search(text)))
    subject = _OPEN_SUBJECT.search(bare)
    if subject and not vocabulary().theme(bare) and (_COMMON.search(bare) or _is_open(_content(bare))):
        return Asked("common themes", subject.group())
    asked = _COMPARE.search(bare) or _RANKED.search(bare) or _HOW_MANY.search(bare) or _MORE.search(bare)
    topic = _content(_without(_COUNTED.sub("", asked["topic"].strip()), without), keep_all=True) if asked else ""
    if not topic and (lost := _named(bare)):
        return _figure_or_fact(question, text, lost)
    return _figure_or_fact(question, text, topic or _content(bare))


def _named(bare: str) -> str:
    """The question's words with those that frame it, where they name known figures and nothing else; else ""."""
    beyond = set(vocabulary().beyond(bare)) - _NEUTRAL - _FRAME_STEMS
    return _content(bare, keep_all=True) if not beyond and vocabulary().figures_in(bare) else ""


def _theme_topic(text: str, without: tuple[str, ...]) -> str:
    words = _content(_without(_AS_A_RISK.sub("", _TAIL.sub("", text)), without), keep_all=True)
    return re.sub(r"^(?:neither|either|both)\s+", "", re.sub(r"\bnor\b", "or", words, flags=re.I), flags=re.I)


def _figure_or_fact(question: str, text: str, topic: str) -> Asked:
    """A figure where the topic names one, or an amount is asked for; else a theme by its name, or a fact."""
    known, why = vocabulary(), bool(_WHY.search(text))
    lines, alone = known.figures_in(question), not set(known.beyond(topic)) - _NEUTRAL - _FRAME_STEMS
    figures = known.figures_in(topic) if alone else ()
    entry = known_entry(topic)
    if len(figures) == 1 and entry is not figures[0]:
        topic = figures[0].name  # the words that frame a question may be its own: "total" assets
    if isinstance(entry, Theme) and not figures and not _AMOUNT.search(_TO_COMPARE.sub(" ", text)):
        return Asked("theme", topic, theme=entry)
    if not topic and _TO_COMPARE.search(text):
        return Asked("summary", topic)  # "compare Alder with Birch"
    if (figures or _AMOUNT.search(text)) and not why:
        ratio, compared = known.ratio(topic) if figures else None, bool(_RANKED.search(text) or _MORE.search(text))
        least, amount = bool(_LEAST.search(text)), bool(figures or _NUMBER.search(text) or _MONEY.search(topic))
        return Asked(
            "figure", topic, figures=figures, ratio=ratio, lines=lines, compared=compared, least=least, amount=amount
        )
    return Asked("fact", topic, lines=lines, why=why)


def _is_open(topic: str) -> bool:
    """Whether the topic is risks as such, or none at all, and not one risk."""
    words = content_words(_TAIL.sub("", topic))
    if re.match(r"(?:across|in|by|among|amongst|between|throughout|within)\b", topic, re.I):
        return True  # "mentioned across these reports" says where, not what
    return bool(_OPEN_SUBJECT.search(topic)) and not [
        w
        for w in words
        if not _OPEN_SUBJECT.fullmatch(w) and w not in _FRAME | {"factors", "common", "main", "key", "principal"}
    ]


def _without(text: str, names: tuple[str, ...]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", text, flags=re.I)
    text = re.sub(r"\((?:[^()\w]|fiscal|fy|year|q[1-4]|\d{4})*\)", " ", text, flags=re.I)
    return " ".join(text.split())


def _content(text: str, *, keep_all: bool = False) -> str:
    """The words to look for, in order and case as typed; with `keep_all` also those that frame a question."""
    wanted = {word for word in content_words(text) if keep_all or word not in _FRAME}
    kept = []
    for token in re.findall(r"[\w&$'’.,/-]+", text):
        parts = content_words(token)
        if (
            (parts and all(p in wanted for p in parts))
            or token.casefold() in {"and", "or", "&"}
            or re.fullmatch(r"[A-Z]&[A-Z]", token)
        ):
            kept.append(token.strip(".,'’"))
    joined = " ".join(kept)
    return re.sub(r"^(?:(?:and|or|&)\s+)+|(?:\s+(?:and|or|&))+$|^(?:and|or|&)$", "", joined)
