import math

import pytest

from rag.search.support import (
    OTHERWISE,
    PARTIAL,
    STRONG,
    SUPPORT,
    Topic,
    alternatives,
    band,
    rarity,
    stands_in,
)
from rag.types import Hit, Passage, Query
from rag.words import stems


class Counts:
    """Word counts of a library of 100 passages."""

    def __init__(self, **holding):
        self.holding = holding

    def passages_in_all(self):
        return 100

    def passages_with(self, word):
        return self.holding.get(word, 0)


def passage(text, *headings):
    return Passage(f"d:{text}", "d", 1, "1", 0, len(text), text, headings)


def topic(text, passage_text, *, phrases=(), headings=(), **holding):
    return Topic(Query(text, phrases=phrases), Counts(**holding)).score(passage(passage_text, *headings))


def hit(score):
    return Hit(passage(str(score)), score)


def test_a_query_whose_words_all_stand_there_scores_one():
    assert topic("pollinator decline", "The decline of pollinators hurts us.") == 1.0


def test_a_passage_without_any_of_them_scores_nothing():
    assert topic("pollinator decline", "Sales rose.") == 0.0
    assert topic("the of and", "the of and") == 0.0
    assert topic("", "Sales rose.") == 0.0


def test_rare_words_carry_a_query_and_common_ones_do_not():
    common = {"chemicals": 40, "chemical": 40, "pfoax": 1}
    assert topic("pfoax chemicals", "We used pfoax until 2002.", **common) >= SUPPORT
    assert topic("pfoax chemicals", "Chemicals are sold in drums.", **common) < SUPPORT


def test_rarity_is_the_inverse_document_frequency_of_bm25():
    assert rarity("coal", Counts(coal=10)) == pytest.approx(math.log(1 + 90.5 / 10.5))
    assert rarity("coal", Counts()) == rarity("coal", Counts(coal=1))  # what none holds counts as what one holds
    assert rarity("coal", Counts(coal=1)) > rarity("coal", Counts(coal=2)) > rarity("coal", Counts(coal=100)) > 0


@pytest.mark.parametrize("text", ["bees or wasps", "bees and wasps", "bees, wasps", "bees; wasps"])
def test_any_one_of_several_will_do(text):
    assert alternatives(text) == ["bees", "wasps"]
    assert topic(text, "Bees are kept.") == topic(text, "Wasps are not.") == 1.0


def test_alternatives_without_content_are_none():
    assert alternatives("the, of and bees") == ["bees"]
    assert alternatives("???") == []


def test_the_first_phrase_or_the_querys_own_words_count_whole_and_others_a_little_less():
    phrases = ("global warming", "greenhouse gas")
    assert topic("climate change", "The climate will change.", phrases=phrases) == 1.0
    assert topic("climate change", "Global warming is near.", phrases=phrases) == 1.0
    assert topic("climate change", "A greenhouse gas rose.", phrases=phrases) == OTHERWISE
    assert topic("climate change", "We change prices.", phrases=phrases) == 0.0


def test_a_heading_speaks_for_its_passage():
    assert topic("pollinator decline", "They may not come back.", headings=("Pollinator decline",)) == 1.0


def test_words_of_a_phrase_stand_close_together_in_any_order():
    far = "one two three four five six seven eight"
    assert stands_in(stems("supply chain"), stems("The chain of supply broke."))
    assert stands_in(stems("supply chain"), stems("supply one two three four chain"))  # four words between
    assert not stands_in(stems("supply chain"), stems(f"supply {far} chain"))
    assert stands_in(stems("supply chain"), stems(f"supply {far} chain supply"))
    assert not stands_in(stems("supply chain"), stems("supply alone"))
    assert stands_in(["suppli"], ["suppli"])
    assert not stands_in([], ["suppli"])


def test_bands_go_by_the_best_passage():
    assert band([]) == "none"
    assert band([hit(0.1), hit(STRONG)]) == "strong"
    assert band([hit(PARTIAL), hit(STRONG - 0.01)]) == "partial"
    assert band([hit(PARTIAL - 0.01)]) == "weak"
