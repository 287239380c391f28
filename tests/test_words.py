"""The words of a text, as every part of the project compares them."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.words import STOP, content_words, count, fold, listed, stem, stems, tokens


@pytest.mark.parametrize(
    "text, folded",
    [
        ("Net Sales", "net sales"),
        ("12,450", "12450"),
        ("1,284.6 million", "1284p6 million"),
        ("in 2024, 2025 and 2026", "in 2024, 2025 and 2026"),
        ("profit", "profit"),
        ("Vennhall’s", "vennhall's"),
        ("GROẞE", "grosse"),
    ],
)
def test_folding_makes_one_form_of_what_readers_hold_to_be_one(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_a_number_is_one_word_with_and_without_its_comma() -> None:
    assert tokens("$12,450.5") == tokens("12450.5") == ["12450p5"]


def test_a_sentence_ends_without_touching_its_last_number() -> None:
    assert tokens("It was 5. Then 6.") == ["it", "was", "5", "then", "6"]


def test_a_possessive_is_the_word_itself() -> None:
    assert tokens("Brackenfold's milk") == tokens("Brackenfold’s milk") == ["brackenfold", "milk"]


@pytest.mark.parametrize("text", ["net_income 5_000", "o'neil5 and the firms' 'own' board's", "FY2022: 1,250.5 (3%)"])
def test_a_letter_of_another_script_leaves_the_other_words_as_they_are(text: str) -> None:
    assert tokens(f"{text} щ") == [*tokens(text), "щ"]


def test_content_words_leave_out_function_words_and_repeat_nothing() -> None:
    assert content_words("What are the risks, and which risk is the largest?") == ["risks", "largest"]


def test_content_words_keep_the_first_form_and_the_order() -> None:
    assert content_words("Pumps that pump water; the pump") == ["pumps", "water"]


@pytest.mark.parametrize("query", ["", "   ", "?!…", "what is the", "who are they and why", "_ _"])
def test_a_query_that_says_nothing_has_no_content_words(query: str) -> None:
    assert content_words(query) == stems(query) == []


@pytest.mark.parametrize(
    "text, pairs",
    [
        ("売上高", ["売上", "上高"]),
        ("売上\n高", ["売上", "上高"]),
        ("IFRS第16号", ["ifrs", "第", "16", "号"]),
        ("1,284億円", ["1284", "億円"]),
        ("营业收入。网络", ["营业", "业收", "收入", "网络"]),
        ("ﾘｽｸ", ["リス", "スク"]),
        ("매출액", ["매출", "출액"]),
    ],
)
def test_what_is_written_without_blanks_is_words_of_two_characters(text: str, pairs: list[str]) -> None:
    assert tokens(text) == pairs


def test_japanese_endings_are_no_content_words_where_anything_else_is_said() -> None:
    assert content_words("売上高はいくらですか") == ["売上", "上高", "高は"]
    assert content_words("りんご") == ["りん", "んご"]


def test_forms_of_a_word_share_their_stem() -> None:
    assert stem("disruption") == stem("disruptions") == stem("disrupted")


def test_a_number_is_its_own_stem() -> None:
    assert stem("1284p6") == "1284p6"


def test_stems_repeat_as_the_text_does() -> None:
    assert stems("Risk, risks and the risk") == ["risk", "risk", "risk"]


def test_stop_words_are_folded_already() -> None:
    assert all(tokens(word) == [word] for word in STOP)


@given(st.text())
def test_any_text_has_words_and_folding_twice_changes_nothing_more(text: str) -> None:
    assert tokens(fold(text)) == tokens(text)
    assert all(word and word not in STOP for word in content_words(text))
    assert len(stems(text)) >= len(content_words(text))


def test_many_threads_get_the_stems_that_one_gets() -> None:
    words = ["revenues", "operating", "conditional", "capitalization"] * 200
    alone = [stem.__wrapped__(word) for word in words]
    pace = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(stem.__wrapped__, words)) == alone
    finally:
        sys.setswitchinterval(pace)


@pytest.mark.parametrize(
    ("counted", "said"),
    [
        (count(0, "passage"), "0 passages"),
        (count(1, "passage"), "1 passage"),
        (count(1204, "passage"), "1,204 passages"),
        (count(2, "search", "searches"), "2 searches"),
    ],
)
def test_counts_read_as_people_say_them(counted, said):
    assert counted == said


def test_values_are_listed_as_prose_has_them():
    assert (listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])) == ("a", "a and b", "a, b and c")
