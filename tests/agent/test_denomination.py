import pytest

from rag.agent.denomination import denomination, scale_of


@pytest.mark.parametrize(
    "said, scale",
    [
        ("(in millions)", "million"),
        ("(In millions, except per share data)", "million"),
        ("(dollars in thousands)", "thousand"),
        ("Amounts in billions of euros", "billion"),
        ("US$'000", "thousand"),
        ("$000s", "thousand"),
        ("€m", "million"),
        ("GBP million", "million"),
        ("£bn", "billion"),
        ("We sold a million bees.", ""),
        ("", ""),
    ],
)
def test_the_scale_that_a_page_states(said, scale):
    assert scale_of(f"{said}\n2022 2021\nInventories 5,100 4,900") == scale


def test_the_scale_nearest_above_counts():
    text = "(in thousands)\nGoodwill 9 8\n(in millions)\nInventories 5 4\n(in billions)\nCash 1 1"
    assert scale_of(text, text.index("Goodwill")) == "thousand"
    assert scale_of(text, text.index("Inventories")) == "million"
    assert scale_of("Goodwill 9 8\n(in millions)", 0) == "million"  # none above: that below


@pytest.mark.parametrize(
    "text, code",
    [
        ("(€ in millions)", "EUR"),
        ("US$ million", "USD"),
        ("in millions of dollars", "USD"),
        ("$ 12 $ 13", "USD"),
        ("C$ million, $ 12 $ 13", "CAD"),
        ("All amounts in Australian dollars, $ 12", "AUD"),
        ("£m", "GBP"),
        ("CHF million", "CHF"),
        ("in millions of yen", "JPY"),
        ("million", ""),
    ],
)
def test_the_currency_that_pages_name(text, code):
    assert denomination([text]).currency == code


def test_what_most_pages_say_is_the_reports():
    pages = ["(in millions of dollars)", "(€ in millions)", "(in thousands of dollars)", "(in millions of dollars)"]
    assert denomination(pages) == ("USD", "million")
    assert denomination([]) == ("", "")
