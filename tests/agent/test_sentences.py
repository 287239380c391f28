import pytest

from rag.agent.sentences import LONGEST, opening, quotation, sentences, shortened, telling_sentences, topic_stems
from tests.agent.shelf import passage

BEES = "Our almonds need bees. Bees have declined by 12% since 2019. The board meets monthly in Leeds."


def test_sentences_end_at_full_stops_and_fold_white_space():
    assert sentences(passage("Our almonds need\nmany bees. Bees have  declined since 2019.")) == (
        "Our almonds need many bees.",
        "Bees have declined since 2019.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "Alder Inc. sells almonds in Leeds.",
        "The U.S. Treasury pays what it owes.",
        "Sales of approx. 12 tons were lost.",
        "See Item No. 7 of that report.",
        "J. Smith chairs the whole board.",
    ],
)
def test_abbreviations_end_no_sentence(text):
    assert sentences(passage(text)) == (text,)


def test_bullets_are_sentences():
    assert sentences(passage("We depend on these things:\n• bees that pollinate almonds\n• rain in the spring")) == (
        "We depend on these things:",
        "• bees that pollinate almonds",
        "• rain in the spring",
    )


def test_fragments_headings_and_rows_of_tables_are_left_out():
    text = "Risk factors\nBees may not come back.\n\nNet sales 12,450 11,900\nToo short.\nStaff may leave us soon."
    assert sentences(passage(text, headings=("Risk factors",))) == (
        "Bees may not come back.",
        "Staff may leave us soon.",
    )


def test_a_short_line_between_sentences_is_a_heading_though_nobody_said_so():
    text = "Bees may not come back to our orchards.\nThe weather\nFrost may come again in the late spring."
    assert sentences(passage(text)) == (
        "Bees may not come back to our orchards.",
        "Frost may come again in the late spring.",
    )


def test_the_quotation_holds_a_phrase_or_else_most_of_the_words():
    assert quotation(passage(BEES), (), topic_stems("bee decline")) == "Bees have declined by 12% since 2019."
    assert quotation(passage(BEES), ("almonds need",), ()) == "Our almonds need bees."
    assert quotation(passage(BEES), ("wasps",), topic_stems("bees")) == ""
    assert quotation(passage(BEES), (), topic_stems("wasps")) == ""
    assert quotation(passage(BEES), (), ()) == ""


def test_the_opening_is_the_first_sentence_or_the_first_words():
    assert opening(passage(BEES)) == "Our almonds need bees."
    assert opening(passage("Net sales")) == "Net sales"
    assert opening(passage("Honey. Wax. " * 30)) == "Honey. Wax. " * 20 + "…"  # 40 words


def test_a_long_sentence_is_cut_at_a_words_end_and_shows_it():
    long = "honey " * 100
    cut = shortened(long.strip())
    assert len(cut) <= LONGEST + 2
    assert cut.endswith("honey …")
    assert shortened("Bees came back.") == "Bees came back."


def test_telling_sentences_say_a_share_of_what_is_asked():
    weights = {"bee": 3.0, "declin": 1.0}
    assert telling_sentences(passage(BEES), weights, 4.0, number=False) == [
        (3 / 4, "Our almonds need bees."),
        (4 / 4, "Bees have declined by 12% since 2019."),
        (0.0, "The board meets monthly in Leeds."),
    ]


def test_where_a_number_is_asked_sentences_without_one_say_less():
    first, second, _ = telling_sentences(passage(BEES), {"bee": 1.0}, 1.0, number=True)
    assert (first[0], second[0]) == (0.6, 1.0)


def test_no_words_asked_none_said():
    assert [share for share, _ in telling_sentences(passage(BEES), {}, 0.0, number=False)] == [0, 0, 0]


def test_a_topics_stems_are_those_of_its_content_words():
    assert topic_stems("the decline of bees") == ["declin", "bee"]
