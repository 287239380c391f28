"""The retrieval contract, clause by clause, for every retriever."""

from dataclasses import replace

import pytest

from rag.types import Query

COAL = "Coal prices rose in the north."
STEEL = "Steel output fell."
DIVIDEND = "The board raised the dividend."
REFUND = "A refund is paid within ten days of the return."


# The four that the contract grew from


def test_the_best_match_comes_first(library):
    library.add(STEEL, DIVIDEND, COAL, REFUND)
    assert library.texts("when is a refund paid after a return")[0] == REFUND


@pytest.mark.parametrize("k", [1, 2, 3])
def test_at_most_k_hits(library, k):
    library.add(*(f"Coal from mine {name}." for name in ("Alder", "Birch", "Cedar", "Damson")))
    assert len(library.search("coal", k=k)) == k


def test_no_match_gives_an_empty_result(library):
    library.add(COAL, STEEL)
    assert library.search("penguins") == ()


def test_each_hit_carries_its_score(library):
    library.add(COAL, STEEL, DIVIDEND, f"{COAL} {STEEL}")
    scores = [hit.score for hit in library.search("coal and steel")]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


# What else it promises


@pytest.mark.parametrize("text", ["", "   ", "???", "$ -- !", "the of and", "What is it that they have?"])
def test_a_query_without_content_finds_nothing(library, text):
    library.add(COAL, "What is it that they have?")
    assert library.search(text) == ()


@pytest.mark.parametrize(
    "text", ['"coal', "coal AND NOT (", "coal*", "heading:coal", "-coal", "coal; DROP TABLE documents", "NEAR(coal)"]
)
def test_a_query_is_words_and_no_language(library, text):
    library.add(COAL, STEEL)
    assert library.texts(text)[0] == COAL


def test_an_empty_library_finds_nothing(library):
    assert library.search("coal") == ()


def test_only_documents_in_scope(library):
    first, second, third = library.add(COAL), library.add("Coal again."), library.add("Coal for ever.")
    assert library.texts("coal", documents=(second,)) == ["Coal again."]
    assert set(library.texts("coal", documents=(first, third))) == {COAL, "Coal for ever."}
    assert len(library.texts("coal")) == 3


def test_a_scope_of_no_documents_finds_nothing(library):
    library.add(COAL)
    assert library.search("coal", documents=()) == ()


def test_documents_that_are_not_there_find_nothing(library):
    library.add(COAL)
    assert library.search("coal", documents=("nobody",)) == ()


def test_a_removed_document_is_never_found(library):
    bluebell, coal = library.add("Project Bluebell cost 2.4 million."), library.add(COAL)
    assert library.search("bluebell")
    library.store.remove(bluebell)
    assert library.search("bluebell") == ()
    assert library.search("2.4 million", documents=(bluebell, coal)) == ()
    assert library.texts("coal") == [COAL]


def test_a_document_added_after_a_removal_is_found_as_itself(library):
    library.add(COAL)
    library.store.remove(library.add("Project Bluebell."))
    steel = library.add(STEEL)
    assert [hit.passage.document_id for hit in library.search("steel")] == [steel]
    assert library.search("bluebell") == ()


def test_the_same_query_gives_the_same_result(library):
    library.add(COAL, STEEL, f"{COAL} {STEEL}", DIVIDEND)
    assert library.search("coal, steel, dividend") == library.search("coal, steel, dividend")


def test_equal_scores_are_ordered_by_passage_id(library):
    for name in ("Alder", "Birch", "Cedar"):
        library.add(*[["Coal here.", "Coal here.", "Steel there."]] * 5, name)
    ids = [hit.passage.id for hit in library.search("coal", k=30)]
    assert len(ids) == 30
    assert ids == sorted(ids)
    assert [hit.passage.id for hit in library.search("coal", k=7)] == ids[:7]


def test_a_hit_says_which_words_of_the_query_it_holds_as_typed(library):
    library.add("Revenues of 12,450 were reported; coal's share grew.")
    (hit,) = library.search("Which REVENUE, 12,450 or Coal's penguins?")
    assert hit.matched == ("REVENUE", "12,450", "Coal")
    assert hit.unmatched == ("penguins",)


def test_the_result_names_query_scorer_and_seconds(library):
    library.add(COAL)
    query = Query("coal", k=3)
    result = library.retriever.search(query)
    assert (result.query, result.scorer) == (query, library.retriever.name)
    assert 0 < result.seconds < 10


def test_passages_come_back_whole(library):
    document = library.add(COAL, STEEL)
    (hit,) = library.search("steel")
    assert hit.passage == library.store.passages(document)[1]


# Small libraries, numbers, other letters


def test_in_a_library_of_two_texts_the_exact_hit_is_first(library):
    library.add("Coal is a fuel.")
    library.add("Wind is free.")
    hits = library.search("coal", k=10)
    assert [hit.passage.text for hit in hits] == ["Coal is a fuel."]
    assert hits[0].score > 0.25


def test_in_a_library_of_one_text_it_is_found(library):
    library.add(COAL)
    assert library.search("coal")[0].score > 0.05


@pytest.mark.parametrize("text", ["12450", "12,450"])
def test_a_number_is_found_however_its_thousands_are_written(library, text):
    library.add("We sold 12 units to 450 shops.", "Revenue was 12,450.", "Costs came to 9,100.")
    assert library.texts(text) == ["Revenue was 12,450."]


def test_a_decimal_is_one_word(library):
    library.add("The rate is 1234 and 5.", "The rate is 1234.5.")
    assert library.texts("1234.5") == ["The rate is 1234.5."]


def test_words_count_in_any_form_case_and_accent(library):
    library.add("Die Umsätze im März stiegen.", "ACQUISITIONS were made.", "L'Oréal bought it.")
    assert library.texts("märz") == ["Die Umsätze im März stiegen."]
    assert library.texts("acquisition") == ["ACQUISITIONS were made."]
    assert library.texts("L’Oréal") == ["L'Oréal bought it."]


def test_a_word_of_the_heading_counts(library):
    library.add("Prices may fall.", headings=("Item 1A", "Commodity risk"))
    library.add("Prices may fall again.")
    hit = library.search("commodity prices")[0]
    assert hit.passage.headings == ("Item 1A", "Commodity risk")
    assert hit.unmatched == ()


# What scorers promise beyond that


def test_a_hit_carries_what_the_scorer_gave(scored):
    scored.add(COAL, f"{COAL} {STEEL}", DIVIDEND)
    for rank, hit in enumerate(scored.search("coal steel"), 1):
        part = next(part for part in hit.components if part.name == scored.retriever.name)
        assert (part.score, part.rank) == (hit.score, rank)


def test_a_score_does_not_depend_on_k_or_scope(scored):
    document, _ = scored.add(COAL, STEEL), scored.add(f"{COAL} {STEEL}")
    every = {hit.passage.id: hit.score for hit in scored.search("coal and steel")}
    for hit in (*scored.search("coal and steel", k=1), *scored.search("coal and steel", documents=(document,))):
        assert hit.score == every[hit.passage.id]


def test_score_gives_what_search_gives(scored):
    scored.add(COAL, STEEL, f"{COAL} {STEEL}", DIVIDEND)
    document = scored.add("Coal elsewhere.")
    query = Query("coal and steel", documents=(document,))
    every = {hit.passage.id: hit.score for hit in scored.retriever.search(replace(query, documents=None)).hits}
    ids = [passage.id for d in scored.store.documents() for passage in scored.store.passages(d.id)]
    assert scored.retriever.score(query, ids) == every
    assert scored.retriever.score(query, ids[:1]) == {ids[0]: every[ids[0]]}


def test_score_leaves_out_what_is_not_there(scored):
    document = scored.add(COAL)
    assert scored.retriever.score(Query("coal"), ["nobody:0", f"{document}:9", "odd"]) == {}
    assert scored.retriever.score(Query("the of and"), [f"{document}:0"]) == {}
    assert scored.retriever.score(Query("coal"), []) == {}
