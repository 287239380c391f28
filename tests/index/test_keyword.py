import pytest

from rag.index.keyword import KeywordScorer
from rag.types import Query
from tests.index.make import read_file


@pytest.mark.parametrize(
    "query, score",
    [
        ("coal", 1.0),
        ("coal prices", 1.0),
        ("prices of COAL, coal and coals", 1.0),
        ("coal penguins", 1 / 2),
        ("coal prices penguins", 2 / 3),
        ("north commodity coal", 1.0),
    ],
)
def test_the_share_of_the_querys_words_that_the_passage_holds(store, add, query, score):
    add(read_file("Coal prices rose in the north. Coal!", headings=("Commodities",)))
    (hit,) = KeywordScorer(store).search(Query(query)).hits
    assert hit.score == pytest.approx(score, abs=1e-6)
