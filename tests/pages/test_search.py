from tests.pages.reading import keys, shown


def search(page, text: str):
    page.text_input(key="query").set_value(text).run()
    assert not page.exception
    return page


def test_an_empty_library_invites(workspace, show):
    assert "No reports yet" in shown(show("library/search"))


def test_every_scorer_stands_beside_the_others(library, show):
    page = search(show("library/search"), "supply chain")
    assert [each.value for each in page.subheader] == list(library.scorers())
    labels = [each.label for each in page.expander]
    assert any("**1.00**" in label for label in labels)
    assert not any("%" in label for label in labels)


def test_nothing_found_is_said_by_each(library, show):
    page = search(show("library/search"), "zebra")
    assert shown(page).count("No articles matched.") == len(library.scorers())


def test_a_query_of_stop_words_finds_nothing(library, show):
    assert "No articles matched." in shown(search(show("library/search"), "the of and"))


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
