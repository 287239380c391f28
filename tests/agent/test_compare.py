import pytest

from rag.agent.compare import compare, opposed
from tests.agent.shelf import passage


def relations(left, right):
    found = compare(passage(left), passage(right, 1)).relations
    return [(relation.kind, relation.left, relation.right) for relation in found]


def test_sentences_of_one_point_agree():
    (relation,) = compare(
        passage("Bee colonies in our orchards have declined."),
        passage("Bee colonies near our orchards have declined.", 1),
    ).relations
    assert relation.kind == "agree"
    assert relation.point == "bee colonies orchards declined"


@pytest.mark.parametrize(
    "left, right",
    [
        ("Demand for almonds in Europe increased.", "Demand for almonds in Europe decreased."),
        ("We are insured against storm losses.", "We are not insured against storm losses."),
        ("Our water supply in spring is sufficient.", "Our water supply in spring is insufficient."),
        ("Almond sales in Spain grew.", "Almond sales in Spain fell."),
    ],
)
def test_sentences_that_turn_round_or_deny_the_point_contradict(left, right):
    assert relations(left, right) == [("contradict", left, right)]
    assert opposed(right, left)


def test_a_denial_of_the_opposite_agrees():
    assert not opposed("Demand for almonds increased.", "Demand for almonds has not decreased.")
    assert not opposed("Demand increased.", "Demand increased.")


def test_what_only_one_speaks_of_is_told():
    assert relations("The board meets in Leeds.", "Almond trees need much water.") == [
        ("only left", "The board meets in Leeds.", ""),
        ("only right", "", "Almond trees need much water."),
    ]


def test_rows_of_the_same_label_agree_by_their_first_value():
    assert relations("Inventories 5,100 4,900", "Inventories (Note 3) 5,100 77") == [
        ("agree", "Inventories: 5,100, 4,900", "Inventories: 5,100, 77")
    ]
    assert relations("Goodwill 88 77", "Goodwill 90 —") == [("contradict", "Goodwill: 88, 77", "Goodwill: 90, —")]


def test_agreement_comes_first_and_each_sentence_counts_once():
    left = "Frost hurts our almond harvest. Demand for almonds increased."
    right = "Demand for almonds decreased. Frost hurts the almond harvest. Frost hurts every almond harvest."
    assert [kind for kind, *_ in relations(left, right)] == ["agree", "contradict", "only right"]


def test_at_most_four_of_a_kind():
    things = ("frost", "rain", "hail", "wind", "heat", "mites")
    text = " ".join(f"Too much {thing} hurts {thing} trees." for thing in things)
    assert [kind for kind, *_ in relations(text, text)] == ["agree"] * 4


def test_empty_passages_have_no_relations():
    assert relations("", "") == []
    assert compare(passage(""), passage("", 1)).relations == ()
