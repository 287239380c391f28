import pytest

from rag.search.numbers import Numbers, asked_numbers
from rag.search.support import rarity


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Revenue of 12,450", ("12450",)),
        ("a dividend of $1.25 a share", ("1p25",)),
        ("growth of 8 %", ("8",)),
        ("growth of 8 per cent", ("8",)),
        ("Item 1A, note 7", ("1a", "7")),
        ("sales in FY22 and FY2021", ("2022", "2021")),
        ("sales in 2022, 2022 and 2021", ("2022", "2021")),
        ("on March 14, 2022", ("14", "2022")),
    ],
)
def test_numbers_and_years_of_a_query(text, numbers):
    assert asked_numbers(text) == numbers


@pytest.mark.parametrize("text", ["the 5 largest customers", "3M's 10-K for Q2", "COVID-19", "B2B", ""])
def test_what_counts_or_names_is_no_number(text):
    assert asked_numbers(text) == ()


class Counts:
    def passages_in_all(self):
        return 100

    def passages_with(self, word):
        return {"2022": 50, "12450": 1}[word]


def test_a_rare_number_counts_more_than_a_year_that_stands_everywhere():
    numbers = Numbers({"2022": {"a", "b"}, "12450": {"b", "c"}}, Counts())
    year, amount = rarity("2022", Counts()), rarity("12450", Counts())
    assert numbers.score("a") == pytest.approx(year / (year + amount))
    assert numbers.score("c") == pytest.approx(amount / (year + amount))
    assert (numbers.score("b"), numbers.score("nobody")) == (1.0, 0.0)
    assert numbers and not Numbers({}, Counts())
