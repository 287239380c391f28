from hypothesis import given, settings
from hypothesis import strategies as st

from rag.ingest import tokens
from rag.ingest.chunking import cut


def checked(text: str, limit: int, headings: list[tuple[int, int]] | None = None) -> list[str]:
    """The passages of a text, once all that is promised of them is proven."""
    spans = cut(text, limit, headings or [])
    at = 0
    for span in spans:
        assert text[at : span.start].strip() == ""  # nothing but white space is left out
        assert text[span.start : span.end] == text[span.start : span.end].strip() != ""
        assert tokens.count(text[span.start : span.end]) == span.tokens <= limit
        at = span.end
    assert text[at:].strip() == ""
    return [text[span.start : span.end] for span in spans]


def test_sixty_near_equal_sentences_have_sixty_different_places():
    text = " ".join(f"See note {n % 7}. Amounts are in millions of dollars." for n in range(60))
    spans = cut(text, 40)
    checked(text, 40)
    assert len({span.start for span in spans}) == len(spans) > 10


def test_a_short_page_is_one_passage():
    assert checked("Net sales rose.\nCosts fell.", 256) == ["Net sales rose.\nCosts fell."]


def test_an_empty_page_has_none():
    assert cut("", 256) == cut(" \n\n ", 256) == ()


def test_passages_are_balanced_and_no_crumb_is_left():
    text = "\n".join(f"Row {n} of the table {n * 1000:,} {n * 900:,}" for n in range(60))
    sizes = [span.tokens for span in cut(text, 256)]
    assert len(sizes) > 2
    assert min(sizes) > max(sizes) / 2


def test_a_table_row_is_never_cut():
    text = "\n".join(f"Change in inventory {n} (2,345) 612" for n in range(80))
    for passage in checked(text, 60):
        assert all(line in text.split("\n") for line in passage.split("\n"))


def test_a_sentence_is_kept_whole_where_it_fits():
    sentence = "We depend on a small number of suppliers for parts that few others make."
    for passage in checked(" ".join([sentence] * 40), 64):
        assert passage.startswith("We depend") and passage.endswith("make.")


def test_a_heading_stays_with_what_follows():
    body = "Our loans bear interest at rates that float with the market. " * 8
    text = f"{body}\nLegal risks\n{body}"
    start = text.index("Legal risks")
    _, second = checked(text, 120, [(start, start + 11)])
    assert second.startswith("Legal risks\nOur loans")


def test_a_word_longer_than_a_passage_is_cut():
    assert "".join(checked("0123456789abcdef" * 200, 50)) == "0123456789abcdef" * 200


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "See note 4.",
                "Amounts are in millions",
                " ",
                "\n",
                "\n\n",
                "(2,345) 612",
                "x" * 90,
                "é–€",
                "<|endoftext|>",
            ]
        ),
        max_size=60,
    ),
    st.integers(8, 60),
)
def test_any_text_is_covered_by_exact_spans_within_the_limit(parts, limit):
    checked("".join(parts), limit)
