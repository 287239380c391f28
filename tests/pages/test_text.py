import pytest

from pages.components.text import flowed, narrowed, plain, seconds, short

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


def test_every_punctuation_mark_is_escaped_once():
    assert plain("a_b") == r"a\_b"
    assert plain("$119.6 to $117.2") == r"\$119\.6 to \$117\.2"
    assert plain("<b>") == r"\<b\>"


@pytest.mark.parametrize(
    "text", [":smile:", ":material/check:", ":red[x]", "https://x.y", "joe@x.y", "www.x.y", "a -> b"]
)
def test_what_streamlit_replaces_after_parsing_is_parted_by_a_span(text):
    assert ":color[" in plain(text)


def test_a_line_break_cannot_start_a_block():
    assert plain("one\n# two\n\n    three") == r"one \# two three"


def test_nothing_is_lost():
    import re

    text = f"{PUNCTUATION} {PUNCTUATION[::-1]} a:b www.c @d --> é"
    bare = re.sub(r":color\[\\(.)\]", r"\1", plain(text))
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", bare) == text


def test_short_cuts_at_a_word():
    assert short("supply chain risk", 13) == "supply chain…"
    assert short("supply", 6) == "supply"


def test_prose_flows_and_rows_of_figures_keep_their_lines():
    prose = "A shortage of castings in our supply chain stopped two of our\nproduction lines in spring."
    assert flowed(f"Risks\n{prose}") == ["Risks", prose.replace("\n", " ")]
    rows = "Net sales of the group from continuing operations in all 1,234 1,100\nCost of sales 800 700"
    assert flowed(rows) == rows.splitlines()


def test_times_read_as_people_say_them():
    assert (seconds(0.031), seconds(0.84)) == ("31 ms", "0.84 s")


def test_a_narrowed_title_keeps_kind_and_year():
    assert narrowed("General Mills 10-K 2019", 19) == "General… 10-K 2019"
    assert narrowed("Nike 10-K 2019", 19) == "Nike 10-K 2019"
    assert len(narrowed("a_file_with_a_long_name_and_no_blank.pdf", 19)) <= 19
