import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from rag.ingest.clean import clean, raw_index, vocabulary


def test_ligatures_are_unfolded():
    assert clean("proﬁt and cash ﬂow, eﬃcient").text == "profit and cash flow, efficient"


def test_what_no_reader_can_use_goes():
    assert clean("Of\ue000ce\x00 pro\ud800t\u200b").text == "Ofce prot"


def test_line_ends_become_one_kind_and_trailing_spaces_go():
    assert clean("a \r\nb\rc\n\nd").text == "a\nb\nc\n\nd"


def test_several_spaces_become_one():
    assert clean("Total\u00a0\u00a0 assets\t1,204").text == "Total assets 1,204"


def test_a_hyphen_at_a_line_end_goes_where_the_joined_word_is_known():
    words = vocabulary(["All information is here."])
    assert clean("infor\ufffemation on risk\ufffemanagement", words).text == "information on risk-management"


def test_an_offset_leads_back_to_the_raw_character():
    raw = "eﬃcient\r\nnet  sales"
    text, runs = clean(raw)
    assert text == "efficient\nnet sales"
    assert raw_index(runs, text.index("cient")) == raw.index("cient")
    assert raw_index(runs, text.index("net")) == raw.index("net")
    assert raw_index(runs, text.index("sales")) == raw.index("sales")
    assert raw_index(runs, 2) == 1  # the second f of the ligature


@given(st.text(alphabet="ab ﬁ\r\n\t\x00\u00a0\ufffe\ue000é-", max_size=60))
def test_every_kept_character_is_found_again(raw):
    text, runs = clean(raw)
    assert [start for start, _ in runs] == sorted({start for start, _ in runs})
    for offset, character in enumerate(text):
        origin = raw[raw_index(runs, offset)]
        if character.isspace():
            assert not origin.isalnum()
        else:
            assert character in unicodedata.normalize("NFKC", origin) or (character, origin) == ("-", "\ufffe")


@given(st.text(alphabet="ab ﬁ\r\n\t\x00\u00a0\ue000é-", max_size=60))
def test_cleaning_twice_changes_nothing_more(raw):
    once = clean(raw).text
    assert clean(once).text == once
