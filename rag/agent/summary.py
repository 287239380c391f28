"""A summary of a document out of its own sentences: those nearest to the centroid of all its words.

After Radev, Jing and Budzikowska, "Centroid-based summarization of multiple documents" (2000); sentences that repeat a
chosen one are passed over, as in maximal marginal relevance (Carbonell and Goldstein, 1998).
"""

import math
from collections import Counter
from collections.abc import Sequence

from rag.agent.sentences import LONGEST, sentences
from rag.types import Passage
from rag.words import stems

MOST = 8  # sentences of a summary
_REPEAT = 0.5  # share of common stems from which a sentence counts as a repetition


def summarise(passages: Sequence[Passage], *, most: int = MOST) -> list[tuple[Passage, str]]:
    """At most `most` sentences with the passage of each, in the document's order."""
    rows = [
        (i, p, s, Counter(stems(s)))
        for i, p in enumerate(passages)
        for s in sentences(p)
        if len(s.split()) >= 6 and len(s) <= LONGEST
    ]
    frequency = Counter(stem for _, _, _, bag in rows for stem in bag)
    if not rows:
        return [(p, " ".join(p.text.split())[:LONGEST]) for p in passages[:1]]
    common = {stem: count for stem, count in frequency.items() if count >= 3 or len(rows) < 30}

    def score(bag: Counter[str]) -> float:
        return sum(math.log(1 + common[stem]) for stem in bag if stem in common) / math.sqrt(10 + sum(bag.values()))

    chosen: list[tuple[int, Passage, str, set[str]]] = []
    for i, passage, sentence, bag in sorted(rows, key=lambda row: (-score(row[3]), row[0])):
        if _is_prose(sentence) and all(
            len(set(bag) & other) < _REPEAT * min(len(bag), len(other)) for *_, other in chosen
        ):
            chosen.append((i, passage, sentence, set(bag)))
        if len(chosen) == most:
            break
    return [(passage, sentence) for _, passage, sentence, _ in sorted(chosen, key=lambda c: c[0])]


def _is_prose(sentence: str) -> bool:
    """Whether it reads as a sentence, not as a cover, an address or a signature."""
    words = [word for word in sentence.split() if word[0].isalpha()]
    return sentence[0].isupper() and sentence[-1:] in ".!?”" and sum(w[0].isupper() for w in words) < 0.4 * len(words)
