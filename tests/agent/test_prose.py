import pytest

from rag.agent.prose import said_amounts, said_counts
from rag.search.vocabulary import vocabulary
from tests.agent.shelf import passage


def amounts(text, topic, year=None):
    return [(s.shown, s.value) for s in said_amounts(passage(text), topic, vocabulary().figure(topic), year)]


def counts(text, topic):
    return [s.value for s in said_counts(passage(text), topic, None)]


@pytest.mark.parametrize(
    "sentence, shown, value",
    [
        ("Research spending in 2022 was 50 million.", "50 million", 50e6),
        ("R&D expense for the year: 31 million.", "31 million", 31e6),
        ("Development costs charged to income were 9 million.", "9 million", 9e6),
        ("Research and development expense was $1.2 billion in all.", "$1.2 billion", 1.2e9),
        ("Research and development expense came to $ 12,450 last year.", "$ 12,450", 12450),
        ("Research and development took 3m of it.", "3m", 3e6),
    ],
)
def test_a_sentence_that_names_a_known_figure_and_an_amount(sentence, shown, value):
    assert amounts(sentence, "research and development") == [(shown, value)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Research and development began in 2019 and goes on.",
        "Research and development employs 450 people.",
        "Research and development fell by 8% in all.",
        "Our bees cost 50 million.",
        "We paid 50 million for hives, and research and development went on.",  # the amount stands before the name
    ],
)
def test_sentences_that_do_not_state_it(sentence):
    assert amounts(sentence, "research and development") == []


def test_the_amount_that_belongs_to_the_year():
    text = "Net sales were $119.6 billion in 2021 and $117.2 billion in 2022."
    assert amounts(text, "net sales", 2021) == [("$119.6 billion", 119.6e9)]
    assert amounts(text, "net sales", 2022) == [("$117.2 billion", 117.2e9)]
    assert amounts("In 2021 net sales were $5 million and in 2022 net sales were $6 million.", "net sales", 2022) == [
        ("$6 million", 6e6)
    ]
    text = "Net sales were $5 million and $6 million in 2021 and 2022."
    assert amounts(text, "net sales", 2022) == [("$6 million", 6e6)]
    text = "Compared with 2021, net sales of $6 million in 2022 fell from $7 million."
    assert amounts(text, "net sales", 2022) == [("$6 million", 6e6)]
    text = "Net sales of 2022 were $6 million, after $5 million in the year before."
    assert amounts(text, "net sales", 2022) == [("$6 million", 6e6)]


def test_a_sentence_of_other_years_alone_does_not_state_it():
    assert amounts("Net sales were $5 million in 2019.", "net sales", 2022) == []
    assert amounts("Net sales were $5 million in all.", "net sales", 2022) == [("$5 million", 5e6)]


def test_a_bracketed_amount_is_negative():
    assert amounts("Loss before tax: (1,234.5) thousand.", "loss before tax") == [("(1,234.5) thousand", -1_234_500)]


def test_a_rate_takes_per_cent_and_an_amount_does_not():
    text = "The vacancy level was 4.5% or 12 million of rent."
    assert amounts(text, "vacancy rate level") == [("4.5%", 4.5)]
    assert amounts(text, "vacancy level") == [("12 million", 12e6)]


def test_an_unheard_figure_needs_most_of_its_words():
    assert amounts("Hatchery tonnage was 2,051 in the year.", "hatchery tonnage") == [("2,051", 2051)]
    assert amounts("Hatchery staff cost us 2,051 in the year.", "hatchery tonnage") == []
    assert amounts("Hatchery tonnage was 2,051 in the year.", "") == []


@pytest.mark.parametrize(
    "sentence, numbers",
    [
        ("We employ 1,649 full-time employees.", [1649]),
        ("We have 12 plants and 450 employees.", [450]),
        ("In 2022 employees left us in droves.", []),
        ("Wages of $450 employees never saw.", []),
        ("The employees met in Leeds.", []),
    ],
)
def test_things_are_counted_by_the_number_before_them(sentence, numbers):
    assert counts(sentence, "number of employees") == numbers


@pytest.mark.parametrize(
    "sentence",
    [
        "We have 1,200 large and 400 small stores in all.",
        "We plan to close a total of 20 to 30 stores next year.",
        "We had 40 stores in Leeds and 50 stores in York.",
    ],
)
def test_parts_ranges_and_plans_are_no_count(sentence):
    assert list(said_counts(passage(sentence), "stores", None)) == []


def test_one_count_goes_under_several_words():
    (said,) = said_counts(passage("At year end the Group employed 3,870 people."), "employees", None)
    assert said.value == 3870
