from rag.types import Query
from tests.pages.reading import keys, shown


def search(page, text: str):
    page.text_input(key="query").set_value(text).run()
    assert not page.exception
    return page


def test_an_empty_library_invites(workspace, show):
    assert "No reports yet" in shown(show("library/search"))


def test_every_scorer_stands_beside_the_others(library, show):
    page = search(show("library/search"), "supply chain")
    assert [each.value for each in page.subheader][:-1] == list(library.scorers())
    labels = [each.label for each in page.expander]
    assert any("**1.00**" in label for label in labels)
    assert not any("%" in label for label in labels)


def test_nothing_found_is_said_by_each(library, show):
    page = search(show("library/search"), "zebra")
    assert shown(page).count("No passage matched.") == len(library.scorers())


def test_a_query_of_stop_words_finds_nothing(library, show):
    assert "No passage matched." in shown(search(show("library/search"), "the of and"))


def test_a_hit_unfolds_into_its_words(library, show):
    page = search(show("library/search"), "supply castings")
    key = next(each.key for each in page.expander if each.key and each.key.startswith("keyword-"))
    page.session_state[key] = True
    page.run()
    assert "Matched" in shown(page)
    assert keys(page, f"{key}-open")


def test_k_is_obeyed(library, show):
    page = show("library/search")
    page.number_input[0].set_value(1)
    search(page, "revenue")
    assert len([each for each in page.expander if each.key.startswith("bm25-")]) == 1


def test_the_query_has_an_address(library, show):
    assert "keyword" in shown(show("library/search", query="revenue"))


def look_up(page, library, file: str):
    """The page with the only passage of this report looked up."""
    page.selectbox(key="why-report").set_value(library.document(file).id).run()
    assert not page.exception
    return page


def test_a_passage_that_is_not_found_says_what_it_lacks(library, show):
    page = look_up(search(show("library/search"), "supply chain"), library, "elm_2023.txt")
    text = shown(page)
    assert "It holds no word of the query" in text
    assert "not in the passage: supply, chain" in text


def test_a_passage_below_the_cut_says_how_far(library, show):
    page = show("library/search")
    page.number_input[0].set_value(1)
    first = library.search(Query("revenue", k=1)).hits[0].passage.document_id
    other = next(d.file for d in library.documents() if d.id != first and "elm" not in d.file)
    text = shown(look_up(search(page, "revenue"), library, other))
    assert "Rank 2 of hybrid" in text
    assert "less than the last of the first 1" in text


def test_a_query_is_kept_as_a_test_with_one_click(library, show):
    page = look_up(search(show("library/search"), "castings"), library, "alder_2023.txt")
    page.button(key=keys(page, "keep-")[0]).click().run()
    assert not page.exception
    (case,) = library.retrieval_tests()
    assert (case.query, case.page) == (Query("castings", k=5), 1)
    assert "Kept as a retrieval test" in shown(page)
    assert not keys(page, "keep-")


def test_a_hit_says_why_it_is_one(library, show):
    page = search(show("library/search"), "castings")
    key = next(each.key for each in page.expander if each.key and each.key.startswith("hybrid-"))
    page.session_state[key] = True
    page.run()
    page.button(key=f"{key}-why").click().run()
    assert not page.exception
    assert "Rank 1 of hybrid" in shown(page)


def test_a_passage_deleted_meanwhile_is_said_in_words(library, show):
    page = search(show("library/search"), "castings")
    key = next(each.key for each in page.expander if each.key and each.key.startswith("hybrid-"))
    page.session_state[key] = True
    page.run()
    page.button(key=f"{key}-why").click().run()
    button = next(button for button in page.button if button.key.startswith("keep-"))
    library.remove("alder_2023.txt")
    button.click().run()
    assert not page.exception
    assert not library.retrieval_tests()
