from rag.errors import EmbeddingFailed
from rag.search.fallback import FallbackRetriever
from rag.types import Query, SearchResult


class Ranking:
    """Says how often it was asked; fails where it is told to."""

    name = "hybrid"

    def __init__(self, failing=False):
        self.failing = failing
        self.asked = 0

    def search(self, query):
        self.asked += 1
        if self.failing:
            raise EmbeddingFailed("The embedding model 'm' failed with 429.")
        return SearchResult(query, self.name, (), 0.0)


def test_the_first_is_asked_alone_while_it_works():
    first, second = Ranking(), Ranking()
    retriever = FallbackRetriever(first, second)
    assert retriever.search(Query("coal")).scorer == retriever.name == "hybrid"
    assert (first.asked, second.asked) == (1, 0)


def test_the_second_steps_in_and_the_first_is_left_alone_for_a_while(caplog):
    first, second = Ranking(failing=True), Ranking()
    retriever = FallbackRetriever(first, second)
    for _ in range(3):
        assert retriever.search(Query("coal")).scorer == "hybrid"
    assert (first.asked, second.asked) == (1, 3)
    assert [record.getMessage() for record in caplog.records] == [
        "The embedding model 'm' failed with 429. Searches go on by keywords for 60 seconds."
    ]


def test_after_its_pause_the_first_is_asked_again():
    first, second = Ranking(failing=True), Ranking()
    retriever = FallbackRetriever(first, second, pause=0)
    retriever.search(Query("coal"))
    first.failing = False
    retriever.search(Query("coal"))
    assert (first.asked, second.asked) == (2, 1)
