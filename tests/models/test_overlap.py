from rag.models.overlap import OverlapReranker


def test_the_share_of_the_querys_words_in_any_form():
    assert OverlapReranker().rerank("the price of coal", ["Coal prices.", "A price.", "Wind."]) == (1.0, 0.5, 0.0)
