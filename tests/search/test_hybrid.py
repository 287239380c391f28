from dataclasses import replace

import pytest

from rag.index.bm25 import Bm25Scorer
from rag.index.dense import DenseScorer
from rag.index.store import Store
from rag.models.hashing import HashingEmbedder
from rag.search.hybrid import ALONE, HALF, WEIGHTS, HybridRetriever
from rag.types import Query
from tests.index.make import as_bytes, read_file

EMBEDDER = HashingEmbedder(1024)

SHEET = "Inventories 5,100 4,900\nGoodwill 88 77"
TALK = "Inventories rose, since inventories of spare parts and inventories of seed were built up."


class Library:
    def __init__(self, store):
        self.store = store
        words = Bm25Scorer(store)
        self.plain = HybridRetriever(words, None, counts=words)
        self.dense = HybridRetriever(words, DenseScorer(store, EMBEDDER, floor=0.1), counts=words)

    def add(self, *pages, headings=(), statement=None):
        parsed = read_file(*pages, headings=headings)
        first = replace(parsed.passages[0], statement=statement)
        parsed = replace(parsed, passages=(first, *parsed.passages[1:]))
        self.store.add(parsed, as_bytes(parsed))
        while waiting := self.store.unembedded(100):
            ids, texts = zip(*waiting, strict=True)
            self.store.save_vectors(EMBEDDER.name, ids, EMBEDDER.embed(texts))


@pytest.fixture
def library(tmp_path):
    store = Store.open(tmp_path, model=EMBEDDER.name)
    yield Library(store)
    store.close()


def parts(hit):
    return {part.name: part.score for part in hit.components}


def mean(hit):
    """The formula, written out."""
    given = parts(hit)
    return sum(WEIGHTS[name] * score for name, score in given.items()) / sum(WEIGHTS[name] for name in given)


def texts(result):
    return [hit.passage.text for hit in result.hits]


@pytest.mark.parametrize("name", ["plain", "dense"])
def test_the_score_is_the_weighted_mean_of_its_parts(library, name):
    library.add(SHEET, TALK, "Goodwill of customers.", headings=("Balance sheet",), statement="balance")
    result = getattr(library, name).search(Query("inventories", statement="balance", phrases=("inventories",)))
    assert len(result.hits) == 3
    for hit in result.hits:
        assert hit.score == pytest.approx(mean(hit))
        assert all(0 <= score <= 1 for score in parts(hit).values())


def test_parts_that_a_query_does_not_call_for_leave_the_mean(library):
    library.add(SHEET, TALK)
    assert set(parts(library.plain.search(Query("inventories")).hits[0])) == {"topic", "bm25", "heading"}
    assert set(parts(library.dense.search(Query("inventories")).hits[0])) == {"topic", "bm25", "heading", "dense"}
    with_statement = library.plain.search(Query("inventories", statement="balance", phrases=("inventories",)))
    assert set(parts(with_statement.hits[0])) == {"topic", "bm25", "heading", "statement", "row"}


def test_words_matched_and_unmatched_are_told_as_typed(library):
    library.add("Bees pollinate almonds.", headings=("Hives",))
    (hit,) = library.plain.search(Query("Almond HIVES and wasps")).hits
    assert (hit.matched, hit.unmatched) == (("Almond", "HIVES"), ("wasps",))


def test_statement_and_row_bring_the_page_that_states_the_figure_first(library):
    library.add(SHEET, statement="balance")
    library.add(TALK)
    by_words = library.plain.search(Query("inventories"))
    planned = library.plain.search(Query("inventories", statement="balance", phrases=("inventories",)))
    assert texts(by_words) == [TALK, SHEET]
    assert texts(planned) == [SHEET, TALK]
    best = parts(planned.hits[0])
    assert (best["statement"], best["row"]) == (1.0, 1.0)


def test_the_topic_leads(library):
    library.add("Bees decline.", "Decline decline decline of sales and more decline.")
    assert texts(library.plain.search(Query("bees decline")))[0] == "Bees decline."


def test_a_heading_lifts_its_passages(library):
    library.add("Prices of seed rose.")
    library.add("Prices of feed rose.", headings=("Seed and feed",))
    hits = library.plain.search(Query("seed")).hits
    assert {hit.passage.text: parts(hit)["heading"] for hit in hits} == {
        "Prices of seed rose.": 0.0,
        "Prices of feed rose.": 1.0,
    }


def test_bm25_counts_half_where_it_reaches_half(library):
    library.add("Bees decline.", "Sales rose.")
    raw = Bm25Scorer(library.store).search(Query("bees")).hits[0].score
    (hit,) = library.plain.search(Query("bees")).hits
    assert parts(hit)["bm25"] == pytest.approx(raw / (raw + HALF))


def test_a_part_says_at_which_rank_its_scorer_had_the_passage(library):
    library.add("Bees bees bees.", "Bees and a great many other words that stand here.")
    first, second = library.plain.search(Query("bees")).hits
    ranks = [{part.name: part.rank for part in hit.components} for hit in (first, second)]
    assert [rank["bm25"] for rank in ranks] == [1, 2]
    assert ranks[0]["topic"] is None


def test_the_words_of_filings_find_what_the_readers_words_do_not(library):
    library.add("Purchases of property, plant and equipment (1,125) (980)", "Sales rose.", statement="cash flow")
    assert library.plain.search(Query("capex")).hits == ()
    (hit,) = library.plain.search(Query("capex", phrases=("purchases of property plant and equipment",))).hits
    assert (hit.matched, hit.unmatched) == ((), ("capex",))


def test_a_passage_of_no_common_word_needs_a_near_meaning(library):
    library.add("Bees decline.", "Sales rose.")
    for hit in library.dense.search(Query("bees")).hits:
        given = parts(hit)
        assert given["topic"] or given["bm25"] or given["dense"] >= ALONE


COPIED = "Hail broke nine greenhouses in the valley, and tomatoes had to be bought from growers abroad that year."


def test_near_copies_do_not_fill_the_ranks_of_a_document(library):
    library.add(COPIED, f"{COPIED} Again.", f"{COPIED} Once more.", "Tomatoes sell well.")
    result = library.plain.search(Query("hail tomatoes", k=2))
    assert texts(result) == [COPIED, "Tomatoes sell well."]
    assert {copy.of.text for copy in result.copies} == {COPIED}


def test_the_same_words_of_another_document_keep_their_rank(library):
    library.add(COPIED)
    library.add(COPIED, "A word of its own.")
    assert texts(library.plain.search(Query("hail tomatoes"))) == [COPIED, COPIED]


def test_numbers_of_the_query_bring_the_passage_that_holds_them_first(library):
    library.add("Goodwill 77 of seed and goodwill of feed.", "Goodwill of bulbs 12,450 and 9,100 since the flood.")
    hits = library.plain.search(Query("goodwill 12450")).hits
    assert [parts(hit)["numbers"] for hit in hits] == [1.0, 0.0]
    assert "12,450" in hits[0].passage.text
    assert hits[0].score == pytest.approx(mean(hits[0]))


def test_a_number_in_a_heading_counts_and_none_is_called_for_without_one(library):
    library.add("Prices of seed may rise.", headings=("Item 1A", "Risk factors"))
    library.add("Prices of seed rose.", headings=("Item 7", "Results"))
    hits = library.plain.search(Query("seed prices, Item 1A")).hits
    assert {hit.passage.headings[0]: parts(hit)["numbers"] for hit in hits} == {"Item 1A": 1.0, "Item 7": 0.0}
    assert "numbers" not in parts(library.plain.search(Query("seed prices")).hits[0])


def test_the_year_of_the_report_answers_for_each_of_its_passages(library):
    """As in a library that was read in: the card's year stands in each passage's search text."""
    parsed = read_file("Sales of seed rose.", "Sales of seed fell against 2021.")
    search = tuple(replace(text, body=f"{text.body} 10-k 2022") for text in parsed.search)
    library.store.add(replace(parsed, search=search), as_bytes(parsed))
    hits = library.plain.search(Query("sales of seed 2022")).hits
    assert [parts(hit)["numbers"] for hit in hits] == [1.0, 1.0]
