from rag.agent.themes import themes_in
from tests.agent.shelf import passage

RISKS = ("Risk factors",)


def found(*passages):
    return {theme.name: theme.documents for theme in themes_in(passages)}


def test_a_known_theme_is_found_in_any_of_its_words():
    themes = themes_in(
        [
            passage("Greenhouse gas rules cost us money.", document="a", headings=RISKS),
            passage("Global warming moves harvests.", document="b", headings=RISKS),
            passage("The board met.", 1, document="b", headings=RISKS),
        ]
    )
    (theme,) = themes
    assert (theme.name, theme.query, theme.documents, theme.passages) == (
        "climate change",
        "climate change risk",
        ("a", "b"),
        ("a:0", "b:0"),
    )


def test_a_heading_that_recurs_is_a_theme_of_which_nobody_had_heard():
    assert found(
        passage("They may not return.", document="a", headings=("Risk factors", "Pollinator decline")),
        passage("Fewer come each year.", document="b", headings=("Risk factors", "Risk: decline of pollinators")),
        passage("It is old.", document="b", headings=("Risk factors", "Our harbour")),
    ) == {"pollinator decline": ("a", "b")}


def test_a_heading_that_only_frames_is_no_theme():
    assert (
        found(
            passage("They may not return.", document="a", headings=("Key risks and uncertainties",)),
            passage("Fewer come.", document="b", headings=("Risk factors",)),
            passage("Fewer come.", document="c", headings=()),
        )
        == {}
    )


def test_where_a_document_heads_its_risks_only_those_passages_count():
    heads = passage("Nothing of note.", document="a", headings=RISKS)
    elsewhere = passage("We bought a pandemic cover.", 1, document="a", headings=("Insurance",))
    without = passage("A pandemic closed our shops.", document="b")
    assert found(heads, elsewhere, without) == {"COVID-19 and pandemics": ("b",)}


def test_themes_of_more_documents_come_first():
    themes = themes_in(
        [
            passage("Asbestos was used.", document="a", headings=RISKS),
            passage("Drought dries our wells.", 1, document="a", headings=RISKS),
            passage("Drought closed a mill.", document="b", headings=RISKS),
        ]
    )
    assert [(theme.name, len(theme.documents)) for theme in themes] == [("water scarcity", 2), ("asbestos", 1)]


def test_no_passages_no_themes():
    assert themes_in([]) == []
