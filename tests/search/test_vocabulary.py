import tomllib
from collections import Counter
from importlib.resources import files
from typing import get_args

import pytest

import rag.search.vocabulary as vocabulary_module
from rag.errors import BadInput
from rag.search.vocabulary import STATEMENT_NAMES, Figure, contains_run, extend, phrase_stems, vocabulary
from rag.types import Statement

RAW = tomllib.loads((files("rag.search") / "vocabulary.toml").read_text(encoding="utf-8"))
WORDS = vocabulary()
ENTRIES = [*WORDS.figures, *WORDS.themes]
# Words that any passage of a report may hold: alone, they say of no theme that a passage speaks of it.
COMMON = frozenset(
    phrase_stems(
        """
        risk market business company customers products services sales costs prices demand growth report year results
        operations income loss tax assets debt credit capital cash value change increase decrease conditions material
        financial management board information rates law security data system quality brand people employees water
        trade supply chain energy exchange currency interest patent plan insurance industry countries government
        """
    )
)


def test_every_figure_has_names_lines_and_a_source():
    for entry in RAW["figure"]:
        assert {"name", "asks", "lines", "source"} <= set(entry), entry
        assert entry.get("statement", "income") in get_args(Statement), entry["name"]


def test_every_theme_has_names_phrases_and_a_source():
    for entry in RAW["theme"]:
        assert set(entry) == {"name", "asks", "phrases", "source"}, entry


def test_every_section_has_names_related_words_and_a_source():
    for entry in RAW["section"]:
        assert set(entry) == {"name", "asks", "related", "source"}, entry


def test_every_ratio_is_made_of_known_figures():
    names = {figure.name for figure in WORDS.figures}
    for entry in RAW["ratio"]:
        assert set(entry) - {"formula", "percent"} == {"name", "asks", "figures", "source"}, entry
        assert set(entry["figures"]) <= names, entry["name"]


def test_nothing_in_an_entry_is_empty():
    for kind, entries in RAW.items():
        for entry in entries:
            assert all(value for value in entry.values()), f"{kind} {entry['name']}"


def test_a_formula_is_made_of_two_figures_of_its_ratio():
    for ratio in WORDS.ratios:
        values = dict.fromkeys(ratio.figures, 2.0)
        assert ratio.compute(values) in ((1.0, 0.0) if ratio.formula else (None,)), ratio.name


def test_a_ratio_needs_both_of_its_figures():
    margin = WORDS.ratio("gross margin")
    assert margin.compute({"gross profit": 30.0, "revenue": 120.0}) == 0.25
    assert margin.compute({"gross profit": 30.0}) is None
    assert margin.compute({"gross profit": 30.0, "revenue": 0.0}) is None


def test_a_text_names_figures_in_order_and_those_of_its_ratios():
    def named(text):
        return [figure.name for figure in WORDS.figures_in(text)]

    assert named("goodwill and inventories") == ["goodwill", "inventories"]
    assert named("operating margin") == ["operating income", "revenue"]
    assert named("pollinators") == []
    assert WORDS.beyond("goodwill of pollinators") == ("pollin",)


def test_no_phrase_loses_all_its_words_to_stop_words():
    for entry in ENTRIES:
        said = entry.lines if isinstance(entry, Figure) else entry.phrases
        for phrase in (entry.name, *entry.asks, *said):
            assert phrase_stems(phrase), f"{entry.name}: {phrase}"
    for entry in (*WORDS.ratios, *WORDS.sections):
        assert all(map(phrase_stems, entry.asks)), entry.name


def test_no_phrase_of_a_theme_is_one_common_word():
    for theme in WORDS.themes:
        for phrase in theme.phrases:
            assert len(phrase_stems(phrase)) > 1 or phrase_stems(phrase)[0] not in COMMON, f"{theme.name}: {phrase}"


def test_no_two_entries_are_asked_for_by_the_same_words():
    asks = Counter(ask for entry in ENTRIES for ask in {phrase_stems(ask) for ask in entry.asks})
    assert [ask for ask, count in asks.items() if count > 1] == []


def test_no_two_themes_share_a_phrase():
    phrases = Counter(p for theme in WORDS.themes for p in {phrase_stems(phrase) for phrase in theme.phrases})
    assert [phrase for phrase, count in phrases.items() if count > 1] == []


def test_names_are_asked_for_by_themselves():
    for figure in WORDS.figures:
        assert WORDS.figure(figure.name) == figure
    for theme in WORDS.themes:
        assert WORDS.theme(theme.name) == theme


@pytest.mark.parametrize(
    "text, name",
    [
        ("What was capex in 2022?", "capital expenditures"),
        ("their Capital Expenditure", "capital expenditures"),
        ("net sales of each", "revenue"),
        ("cost of sales of each", "cost of sales"),  # the longer name wins over "sales"
        ("total current liabilities", "total current liabilities"),  # and over "liabilities"
        ("R&D spending", "research and development expense"),
    ],
)
def test_a_figure_is_found_by_the_longest_of_its_names(text, name):
    assert WORDS.figure(text).name == name


@pytest.mark.parametrize(
    "text, name",
    [("climate risks", "climate change"), ("a cyberattack", "cyber attacks and data breaches"), ("PFAS", "PFAS")],
)
def test_a_theme_is_found_in_any_form_of_its_words(text, name):
    assert WORDS.theme(text).name == name


@pytest.mark.parametrize("text", ["hatchery tonnage", "pollinator decline", "", "of the", "???"])
def test_what_no_entry_names_is_no_entry(text):
    assert (WORDS.figure(text), WORDS.theme(text)) == (None, None)


def test_every_statement_has_its_names():
    assert set(STATEMENT_NAMES) == set(get_args(Statement))


def test_a_run_is_unbroken_and_in_order():
    assert contains_run(["total", "current", "assets"], ["current", "assets"])
    assert not contains_run(["total", "current", "assets"], ["total", "assets"])
    assert not contains_run(["assets", "current"], ["current", "assets"])


@pytest.fixture
def words_of_ones_own(tmp_path):
    yield tmp_path / "words.toml"
    vocabulary_module._more = None
    vocabulary.cache_clear()


def test_a_readers_own_words_are_added(words_of_ones_own):
    words_of_ones_own.write_text(
        '[[figure]]\nname = "hatchery tonnage"\nasks = ["smolt"]\nlines = ["tonnes hatched"]\nsource = "our own"\n'
    )
    extend(words_of_ones_own)
    assert vocabulary().figure("smolt of the year").lines == ("tonnes hatched",)
    assert vocabulary().figure("total assets").name == "total assets"


def test_of_one_name_the_readers_entry_counts(words_of_ones_own):
    words_of_ones_own.write_text('[[theme]]\nname = "PFAS"\nasks = ["PFAS"]\nphrases = ["GenX"]\nsource = "our own"\n')
    extend(words_of_ones_own)
    assert [theme.phrases for theme in vocabulary().themes if theme.name == "PFAS"] == [("GenX",)]


@pytest.mark.parametrize(
    ("text", "said"),
    [("[[figure]]\nname = 1", "does not fit"), ("figure = [", "cannot be read"), (None, "cannot be read")],
)
def test_a_file_of_words_that_cannot_be_used_is_named(words_of_ones_own, text, said):
    if text is not None:
        words_of_ones_own.write_text(text)
    with pytest.raises(BadInput, match=said) as refused:
        extend(words_of_ones_own)
    assert "words.toml" in str(refused.value)
