import numpy as np

from rag.models.hashing import HashingEmbedder


def test_words_in_common_make_texts_close():
    coal, prices, both, steel = HashingEmbedder(1024).embed(["coal", "prices", "coal prices", "steel"])
    assert coal @ both == prices @ both > 0.7
    assert coal @ steel == 0


def test_case_form_and_order_of_words_do_not_matter():
    one, other = HashingEmbedder().embed(["Coal prices", "the PRICE of coal"])
    assert np.array_equal(one, other)


def test_it_is_the_same_in_every_process():
    assert HashingEmbedder(8).embed(["coal"]).tolist() == [[-1, 0, 0, 0, 0, 0, 0, 0]]
