"""How two passages stand to each other: points on which they agree, contradict, or only one speaks."""

import re
from collections.abc import Sequence

from rag.agent.sentences import sentences, shortened
from rag.search.rows import Row, label_stems, rows
from rag.types import Comparison, Passage, Relation
from rag.words import content_words, stem, stems

# Words that say opposite things of one subject.
_OPPOSITES = tuple(
    (frozenset(map(stem, left.split())), frozenset(map(stem, right.split())))
    for left, right in (
        (
            "increase increased rose grew growth higher improved gain",
            "decrease decreased fell declined decline lower worsened loss",
        ),
        ("strong strengthened favorable", "weak weakened unfavorable adverse"),
        ("sufficient adequate available ample", "insufficient inadequate unavailable scarce shortage"),
        ("profit profitable", "unprofitable loss"),
        ("opened expanded expand", "closed reduced reduce ceased"),
    )
)
_NOT = re.compile(r"\b(?:not|no|never|neither|without|cannot|none)\b", re.I)
_LEAST = 0.25  # least share of common stems (Jaccard) for two sentences to speak of one point
_MOST = 4  # relations of each kind that are kept


def compare(left: Passage, right: Passage) -> Comparison:
    """Sentence by sentence and row by row: the strongest relations of each kind, agreement first."""
    pairs = _pairs(sentences(left), sentences(right))
    relations = [
        *_row_relations(rows(left.text), rows(right.text)),
        *(_relation(a, b, shared) for a, b, shared in pairs),
    ]
    paired = {a for a, _, _ in pairs} | {b for _, b, _ in pairs}
    relations += [Relation("only left", _point(s), shortened(s), "") for s in sentences(left) if s not in paired][:1]
    relations += [Relation("only right", _point(s), "", shortened(s)) for s in sentences(right) if s not in paired][:1]
    ordered = [
        r
        for kind in ("agree", "contradict", "only left", "only right")
        for r in [r for r in relations if r.kind == kind][:_MOST]
    ]
    return Comparison(left, right, tuple(ordered))


def _pairs(left: Sequence[str], right: Sequence[str]) -> list[tuple[str, str, set[str]]]:
    """Sentences of both that speak of one point, closest first, each sentence once."""
    bags = {s: set(stems(s)) for s in (*left, *right)}
    scored = sorted(
        (
            (len(bags[a] & bags[b]) / len(bags[a] | bags[b]), i, j, a, b)
            for i, a in enumerate(left)
            for j, b in enumerate(right)
            if bags[a] | bags[b]
        ),
        key=lambda s: (-s[0], s[1], s[2]),
    )
    used: set[str] = set()
    out = []
    for share, _, _, a, b in scored:
        if share >= _LEAST and len(bags[a] & bags[b]) >= 2 and not {a, b} & used:
            used |= {a, b}
            out.append((a, b, bags[a] & bags[b]))
    return out


def _relation(left: str, right: str, shared: set[str]) -> Relation:
    point = " ".join(w for w in content_words(left) if stem(w) in shared)
    kind = "contradict" if opposed(left, right) else "agree"
    return Relation(kind, point, shortened(left), shortened(right))  # type: ignore[arg-type]


def opposed(left: str, right: str) -> bool:
    """Whether one sentence denies or turns round what the other says."""
    a, b = set(stems(left)), set(stems(right))
    turned = any(
        (a & up and b & down and not a & down and not b & up) or (a & down and b & up and not a & up and not b & down)
        for up, down in _OPPOSITES
    )
    return turned != (bool(_NOT.search(left)) != bool(_NOT.search(right)))


def _row_relations(left: Sequence[Row], right: Sequence[Row]) -> list[Relation]:
    """Rows of the same label: the same first value agrees, another contradicts."""
    by_label = {label_stems(row.label): row for row in right if row.values}
    return [
        Relation("agree" if row.values[0] == other.values[0] else "contradict", row.label, _shown(row), _shown(other))
        for row in left
        if row.values and (other := by_label.get(label_stems(row.label)))
    ]


def _shown(row: Row) -> str:
    return f"{row.label}: {', '.join('—' if v is None else f'{v:,g}' for v in row.values)}"


def _point(sentence: str) -> str:
    return " ".join(content_words(sentence)[:6])
