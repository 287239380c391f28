import pytest

from rag.agent.naming import first_named, named
from rag.errors import AmbiguousDocument, BadInput


@pytest.fixture
def state(three):
    return three.state("Which reports mention bees?")


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("alder.md", ["alder.md"]),
        (" Alder Annual Report 2023 ", ["alder.md"]),
        ("- Alder annual report 2023 (Alder, annual report, period unknown, 1 pages)", ["alder.md"]),
        ("Birch", ["birch.md"]),
        ("Birch; Alder", ["birch.md", "alder.md"]),
        ('["Alder", "Cedar"]', ["alder.md", "cedar.md"]),
    ],
)
def test_a_name_stands_for_documents_in_the_order_in_which_it_names_them(state, name, files):
    assert [state.by_id[each].file for each in named(name, state)] == files


def test_a_company_stands_for_its_report_in_scope_before_its_others(shelf):
    older, newer = (
        shelf.company("Elm", f"Elm sold {year} trees.", year, file=f"elm{year}.txt") for year in (2022, 2023)
    )
    assert named("Elm", shelf.state("What did Elm sell in 2022?")) == (older.id,)
    assert named("Elm", shelf.state("What did Elm sell in 2023?")) == (newer.id,)


def test_a_name_that_no_document_bears_is_refused_with_those_that_exist(state):
    with pytest.raises(BadInput, match="These exist: Alder annual report 2023, "):
        named("elm.md", state)
    assert first_named("elm.md", state) is None


def test_a_title_that_two_files_bear_is_refused_with_their_ids(shelf):
    files = [shelf.company("Elm", text, file=f"{text}.txt") for text in ("Trees.", "Woods.")]
    state = shelf.state("What does Elm sell?")
    with pytest.raises(AmbiguousDocument, match=f"{files[0].id}, {files[1].id}"):
        named("Elm 10-K 2023", state)
    assert first_named("Elm 10-K 2023", state) is None
