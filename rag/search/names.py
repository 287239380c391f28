"""Company names in a question: those that a document bears, and those that none does."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from rag.search.vocabulary import vocabulary
from rag.types import Document
from rag.words import STOP, content_words, fold

LEGAL = frozenset(
    """
    inc incorporated corp corporation co company companies ltd limited plc llc lp nv sa se ag ab asa oyj spa kgaa
    gmbh group holdings holding the
    """.split()
)
# First words that many companies share: alone they name none.
_GENERIC = frozenset(
    """
    general american first united national international new best bank global north south east west great royal
    standard public central pacific atlantic european british canadian digital advanced applied old big
    """.split()
)
# Capitalised words of questions that name no company.
_NOT_NAMES = frozenset(
    """
    i a an as at by do does did is are was were has have had how what which who whose when where why compare between
    among across please give list tell show find explain describe summarize summarise and or the of in on for from
    with to both each any if considering based using assume answer january february march april may june july august
    september october november december fy q1 q2 q3 q4 h1 h2 usd eur gbp us u.s uk eu gaap ifrs sec m&a p&l fx ip it
    hr esg ai agm ceo cfo eps ebit ebitda roa roe capex opex cogs sga ppe ppne dpo dso dio r&d s&p md&a 10-k 10-q
    8-k 10k 10q 8k annual report reports company companies
    """.split()
)
_TOKEN = re.compile(r"[^\W_]+(?:[.&'’\-][^\W_]+)*\.?|&")
_POSSESSIVE = re.compile(r"['’]s$")
_LEGAL_END = re.compile(r"\b(?:Inc|Corp|Co|Ltd|N\.V|S\.A)\.$")
_JOINERS = frozenset({"&", "of", "and", "de", "du", "la", "von", "van"})


class Mention(NamedTuple):
    start: int  # span in the question, in characters
    end: int
    text: str  # without the possessive
    documents: tuple[str, ...]  # ids of the documents that bear the name; () : none does


def plain(name: str) -> tuple[str, ...]:
    """The name's words in lower case, without punctuation and legal form; "and" is written "&"."""
    words = re.sub(r"[^\w& ]+", " ", fold(name).replace("'s", "")).split()
    words = ["&" if word == "and" else word for word in words]
    return tuple(w for w in words if w not in LEGAL) or tuple(words)


def known_names(documents: Iterable[Document]) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Each name that a document bears, in plain words, with the ids of the documents that bear it."""
    return _known_names(tuple((document.id, document.card.company, document.card.aliases) for document in documents))


@lru_cache(maxsize=64)
def _known_names(
    documents: tuple[tuple[str, str | None, tuple[str, ...]], ...],
) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    bearers: dict[tuple[str, ...], dict[str, None]] = {}
    firsts: dict[str, set[tuple[str, ...]]] = {}
    companies = [(id, plain(company), aliases) for id, company, aliases in documents if company]
    for document, company, aliases in companies:
        for name in {company, *map(plain, aliases)} - {()}:
            bearers.setdefault(name, {})[document] = None
        firsts.setdefault(company[0], set()).add(company)
    for document, company, _ in companies:  # "Verizon" for Verizon Communications, "MGM Resorts" for the whole of it
        first = company[0]
        alone = len(firsts[first]) == 1 and len(first) > 1 and first not in _GENERIC | STOP
        for size in range(1 if alone else 2, len(company)):
            if company[size - 1] not in _JOINERS:
                bearers.setdefault(company[:size], {})[document] = None
    return {name: tuple(ids) for name, ids in bearers.items()}


def mentions(question: str, names: Mapping[tuple[str, ...], tuple[str, ...]]) -> list[Mention]:
    """Where the question names companies that documents bear, longest name first, in order of appearance."""
    tokens = [(m.start(), m.end(), m.group()) for m in _TOKEN.finditer(question)]
    words = [plain(t) or (t.casefold(),) for _, _, t in tokens]
    longest = max((len(name) for name in names), default=0)
    heads = tuple(t.casefold() for _, _, t in tokens if not t.istitle() or "&" in t)
    abbreviations = {w for group in words for w in group if len(w) > 2 and any(t.startswith(w) for t in heads)}
    short = {
        (word,): names[name] for name in names if len(name) > 1 for word in abbreviations if _abbreviates(word, name)
    }
    names = short | dict(names)
    found, at = [], 0
    while at < len(tokens):
        for size in range(min(longest + 2, len(tokens) - at), 0, -1):
            name = tuple(w for group in words[at : at + size] for w in group if w not in LEGAL)
            if name in names and _is_name(question, tokens, at, size, name):
                start, end = tokens[at][0], tokens[at + size - 1][1]
                found.append(Mention(start, end, _POSSESSIVE.sub("", question[start:end].rstrip(".")), names[name]))
                at += size
                break
        else:
            at += 1
    return found


def bearers(text: str, documents: Iterable[Document]) -> tuple[str, ...]:
    """Ids of the documents that bear a name which the text holds, each once, as the text names them."""
    return tuple(dict.fromkeys(id for mention in mentions(text, known_names(documents)) for id in mention.documents))


def _abbreviates(token: str, name: tuple[str, ...]) -> bool:
    """Whether the token is made of the beginnings of all the name's words: "JnJ", "AMEX"."""
    if not name:
        return not token
    word = "n" if name[0] == "&" and not token.startswith("&") else name[0]
    return token[:1] == word[:1] and any(
        token.startswith(word[:n]) and _abbreviates(token[n:], name[1:]) for n in range(1, min(len(word), 4) + 1)
    )


def _is_name(question: str, tokens: list[tuple[int, int, str]], at: int, size: int, name: tuple[str, ...]) -> bool:
    """A single word is a name where it is written as one, and where no longer name goes on after it."""
    first = tokens[at][2]
    if len(name) > 1:
        return True
    cased = any(text[0].isupper() for _, _, text in tokens[1:])
    if cased and not (first[0].isupper() or first[0].isdigit()):
        return False
    following = tokens[at + size][2] if at + size < len(tokens) else ""
    apart = question[tokens[at + size - 1][1] : tokens[at + size][0]].strip() if following else ""
    adjacent = following and not apart and not _POSSESSIVE.search(tokens[at + size - 1][2])
    goes_on = (
        adjacent
        and following[0].isupper()
        and not is_plain_word(following)
        and following[:2].upper() not in {"FY", "Q1", "Q2", "Q3", "Q4"}
    )
    return not goes_on or (len(first) > 4 and following.isupper())


def is_plain_word(token: str) -> bool:
    """Whether a capitalised word of a question names no company."""
    word = token.casefold().rstrip(".")
    return word in _NOT_NAMES or word in STOP or bool(re.fullmatch(r"(?:fy|q|h)?\d+\S*", word)) or word in LEGAL


def unknown_names(question: str, known: list[Mention], holds: Callable[[str], bool]) -> list[str]:
    """Names of companies that the question asks for and no document bears.

    A capitalised run is taken as such where it stands in a name's place: beside a known name in a list, with a
    possessive, a year or a legal form after it, or after a word such as "of" while the library never speaks of it
    (`holds`: whether any passage holds a folded word).
    """
    taken = [(m.start, m.end) for m in known]
    spans = [s for s in _capitalised(question, taken) if not _is_topic(question[s[0] : s[1]])]
    places = sorted(taken + spans)
    unknown = []
    for start, end in spans:
        text, after, before = question[start:end], question[end : end + 14], question[max(0, start - 16) : start]
        listed = any(
            re.fullmatch(
                r"\s*(?:\([^)]*\)\s*)?(?:,|or|and|,\s*(?:or|and)|versus|vs\.?|than|with|to|&)\s*(?:the\s+)?",
                question[a:b],
            )
            for a, b in [(end, s) for s, _ in places if s > end] + [(e, start) for _, e in places if e < start]
        )
        marked = re.match(r"['’]s?\b|\s*\((?:fiscal|fy|20\d\d)|,?\s+(?:Inc|Corp|plc|Ltd|LLC|N\.?V|AG|SE|SA)\b", after)
        led = re.search(
            r"\b(?:(?<!speak )(?<!warn )of|for|by|at|did|does|is|was|has|between|across|compare|compared?\s+(?:to|with)"
            r"|company|versus|vs\.?|than)\s+[\"“]?$",
            before,
            re.I,
        )
        opens = start == 0 and " " in text  # a single word has its capital from the sentence
        quoted = before[-1:] in {'"', "“"}
        strange = not all(holds(word) for word in content_words(text))
        subject = re.search(r"\b(?:did|does|do|will)\s+$", before, re.I)
        if (listed and known) or marked or subject or quoted or ((led or opens or listed) and strange):
            unknown.append(_POSSESSIVE.sub("", text if _LEGAL_END.search(text) else text.rstrip(".")))
    return list(dict.fromkeys(unknown))


def _capitalised(question: str, taken: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of capitalised words outside the known names, joined by "&" and the like."""
    runs: list[list[re.Match[str]]] = [[]]
    for match in _TOKEN.finditer(question):
        word, free = match.group(), not any(a < match.end() and match.start() < b for a, b in taken)
        adjacent = bool(runs[-1]) and question[runs[-1][-1].end() : match.start()].strip() == ""
        if free and _is_capitalised(word) and not is_plain_word(_POSSESSIVE.sub("", word)):
            if not adjacent:
                runs.append([])
            runs[-1].append(match)
        elif free and adjacent and (word == "&" or (word == "of" and not _is_topic(runs[-1][0].group()))):
            runs[-1].append(match)
        else:
            runs.append([])
    out = []
    for run in runs:
        while run and run[-1].group() in _JOINERS:
            run.pop()
        if run:
            end = run[-1].end() - (len(run[-1].group()) - len(_POSSESSIVE.sub("", run[-1].group())))
            out.append((run[0].start(), end))
    return out


def _is_capitalised(word: str) -> bool:
    """Also "eBay" and "3M"."""
    return any(c.isupper() for c in word)


def _is_topic(text: str) -> bool:
    return bool(vocabulary().theme(text) or vocabulary().figure(text))
