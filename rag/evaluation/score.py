"""The score of one result against its sample, and the means of many."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rag.evaluation import metrics
from rag.evaluation.questions import Sample
from rag.evaluation.results import Place, Result

Scores = Mapping[str, float]  # measure -> value in [0, 1], or a count of pages
K = 5
_BAD = frozenset({"invented"})  # measures of which 1.0 is the worst
_LEGAL_FORM = re.compile(r"\b(incorporated|inc|corporation|corp|company|co|limited|ltd|plc|nv|sa|se|ag|the)\b")


class Group(NamedTuple):
    kind: str
    samples: int
    means: Scores


def score(sample: Sample, result: Result) -> Scores:
    """The measures that fit the sample's kind; a result with status "error" has the worst in each."""
    if sample.kind == "erc":
        scores = _value(sample, result)
    elif sample.kind == "absent":
        scores = _absent(sample, result)
    else:
        scores = _cross(sample, result) if sample.kind.startswith("cross") else _single(sample, result)
    return {name: float(name in _BAD) for name in scores} if result.status == "error" else scores


def means(scored: Iterable[tuple[Sample, Scores]]) -> tuple[Group, ...]:
    """A group a kind of sample, in the order in which the kinds come; a measure's mean is over those that have it."""
    kinds: dict[str, list[Scores]] = defaultdict(list)
    for sample, scores in scored:
        kinds[sample.kind].append(scores)
    return tuple(Group(kind, len(rows), _mean(rows)) for kind, rows in kinds.items())


def _mean(rows: list[Scores]) -> Scores:
    names = dict.fromkeys(name for row in rows for name in row)
    values = {name: [row[name] for row in rows if name in row] for name in names}
    return {name: sum(of) / len(of) for name, of in values.items()}


def _single(sample: Sample, result: Result) -> Scores:
    gold = {(document, page) for document, pages in sample.expected.items() for page in pages}
    offered, cited = _ranked(result.retrieved), _ranked(result.citations)
    return {
        "hit@1": metrics.hit_at(offered, gold, 1),
        f"hit@{K}": metrics.hit_at(offered, gold, K),
        "hit@10": metrics.hit_at(offered, gold, 10),
        f"recall@{K}": metrics.recall_at(offered, gold, K),
        "rr": metrics.reciprocal_rank(offered, gold),
        f"document@{K}": metrics.hit_at([document for document, _ in offered], sample.expected, K),
        "cited_page_hit": metrics.hit_at(cited, gold, len(cited)),
        "pages_cited": float(len(cited)),
        "pages_offered": float(len(offered)),
    }


def _cross(sample: Sample, result: Result) -> Scores:
    clear = {document: pages for document, pages in sample.expected.items() if document not in sample.unclear}
    spoken = {document: pages for document, pages in clear.items() if pages}
    silent = [document for document, pages in clear.items() if not pages]
    offered, cited = _by_document(result.retrieved), _by_document(result.citations)
    states = {row.document: row.state for row in result.coverage}
    scores = {
        "offered_coverage": metrics.coverage(offered, spoken),
        "page_coverage": metrics.page_coverage(offered, spoken),
        "cited_coverage": metrics.coverage(cited, spoken),
        "cited_page_coverage": metrics.page_coverage(cited, spoken),
    }
    unheard = [
        name for name in silent if states.get(name) == "nothing_found" and name not in offered.keys() | cited.keys()
    ]
    return {
        **(scores if spoken else {}),
        "ledger_true": metrics.ledger_true(states, sample.expected, offered, cited),
        "nobody_missed": float(not result.not_in_library),
        "answered": float(result.status == "answered"),
        "pages_offered_per_document": sum(map(len, offered.values())) / max(1, len(sample.expected)),
        "pages_cited_per_document": sum(map(len, cited.values())) / max(1, len(sample.expected)),
        **({"silence_right": len(unheard) / len(silent)} if silent else {}),
    }


def _absent(sample: Sample, result: Result) -> Scores:
    said = [_plain(name) for name in result.not_in_library]

    def named(company: str) -> bool:
        return any(_plain(company) in name and len(name) <= len(_plain(company)) + 25 for name in said)

    right = all(map(named, sample.absent)) and not any(map(named, sample.present))
    return {
        "absent_named": float(right),
        "not_answered_as_if_complete": float(result.status in ("partial", "not_found")),
    }


def _value(sample: Sample, result: Result) -> Scores:
    """Right as a number, a name or a no; where no is the only right one, whether it was said or a value invented."""
    names = {_plain(each) for each in sample.accepted if isinstance(each, str) and each != "N/A"}
    said_no = result.value is None and result.status == "not_found"
    if result.value is None:
        right = said_no and "N/A" in sample.accepted
    else:
        right = metrics.number_right(result.value, sample.accepted) or _plain(result.value) in names
    if sample.accepted == ("N/A",):
        invented = result.value is not None and result.status != "not_found"
        return {"right": float(right), "no_said": float(said_no), "invented": float(invented)}
    return {"right": float(right)} | ({} if "N/A" in sample.accepted else {"value_right": float(right)})


def _plain(name: object) -> str:
    """The name in lower case, without punctuation and legal form."""
    words = re.sub(r"[^\w& ]+", " ", str(name).casefold().replace("'s", ""))
    return " ".join(_LEGAL_FORM.sub(" ", words).split())


def _ranked(places: Iterable[Place]) -> list[tuple[str, int]]:
    return list(dict.fromkeys((place.document, place.page) for place in places))


def _by_document(places: Iterable[Place]) -> dict[str, set[int]]:
    pages: dict[str, set[int]] = defaultdict(set)
    for place in places:
        pages[place.document].add(place.page)
    return dict(pages)
