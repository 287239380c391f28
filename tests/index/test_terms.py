import pytest

from rag.index.terms import Terms, index_terms, words_of
from rag.words import stem
from tests.index.make import read_file

WORDS = """
    acquisitions amortization assets businesses cash climate commitments companies competition compliance consolidated
    currencies customers cybersecurity deferred depreciation dilution disruption dividends earnings employees equity
    expenditures fiscal foreign goodwill hedging impairment income increasingly inflation intangible inventories
    investments leases liabilities liquidity litigation manufacturing markets obligations operating operations
    outstanding payable pension privacy profitability properties purchases receivables regulatory relational
    repurchases restructuring retained revenues rising securities segments shareholders sky statements subsidiaries
    suppliers taxes uncertainties volatility us vs as s 10-k q3 2023 1p5 12450 covid 1a
"""


@pytest.mark.parametrize("word", [word for word in WORDS.split() if word.isalnum()])
def test_our_stems_are_those_of_the_full_text_index(word):
    assert index_terms(word) == (stem(word),)


def test_the_index_drops_accents_and_cuts_at_apostrophes():
    assert index_terms("märz") == ("marz",)
    assert index_terms("l'oréal") == ("l", "oreal")


@pytest.mark.parametrize(
    "text, folded, typed",
    [
        ("What were REVENUES in 2023?", ("revenues", "2023"), ("REVENUES", "2023")),
        ("$12,450.50 or (1.5)%", ("12450p50", "1p5"), ("12,450.50", "1.5")),
        ("Coal’s sign-up/sign-off", ("coal", "sign"), ("Coal", "sign")),
        ("What is it?", (), ()),
        ("  ", (), ()),
    ],
)
def test_the_words_of_a_query_keep_how_they_were_typed(text, folded, typed):
    assert words_of(text) == (folded, typed)


def test_where_a_word_stands_and_how_often(store, add):
    add(read_file("Coal and more coal.", "Steel.", "A coal mine.", headings=("Risk of coal",)))
    lexicon = Terms(store).now()
    posting = lexicon.posting("coal")
    assert posting.places.tolist() == [0, 1, 2]
    assert posting.counts.tolist() == [6 + 2, 6, 6 + 1]
    assert lexicon.lengths.tolist() == [3 + 4, 3 + 1, 3 + 3]


def test_a_word_that_the_index_cuts_is_held_where_all_its_parts_are(store, add):
    add(read_file("L'Oréal bought it.", "The oreal alone."))
    assert Terms(store).now().posting("l'oréal").places.tolist() == [0]


def test_the_lexicon_is_read_anew_when_the_library_changed(store, add):
    terms = Terms(store)
    first = terms.now()
    assert terms.now() is first
    document = add(read_file("Coal."))
    assert len(terms.now().rows) == 1
    store.remove(document.id)
    assert len(terms.now().rows) == 0


def test_rows_and_passage_ids_name_the_same_after_a_removal(store, add):
    gone, kept = add(read_file("Coal.", "Steel.")), add(read_file("Wind.", "Sun.", "Rain."))
    store.remove(gone.id)
    lexicon = Terms(store).now()
    assert [lexicon.passage_id(row) for row in lexicon.rows.tolist()] == [f"{kept.id}:{n}" for n in range(3)]
    assert [lexicon.row(f"{kept.id}:{n}") for n in range(3)] == lexicon.rows.tolist()
    assert [store.row(f"{kept.id}:{n}") for n in range(3)] == lexicon.rows.tolist()
