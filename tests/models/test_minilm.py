from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rag.models.minilm import MiniLM, verified

DIVIDEND, PAYOUT, STOCK = (
    "Did the board raise the dividend?",
    "The directors approved an increase in the quarterly payout.",
    "Inventories are stated at cost.",
)


@pytest.fixture(scope="module")
def minilm():
    return MiniLM()


def test_sentences_that_mean_the_same_lie_close_without_a_word_in_common(minilm):
    dividend, payout, stock = minilm.embed([DIVIDEND, PAYOUT, STOCK])
    assert dividend @ payout > 0.4
    assert dividend @ stock < 0.2


def test_what_comes_after_256_word_pieces_is_not_read(minilm):
    long, longer = minilm.embed(["dividend " * 300, "dividend " * 300 + "inventory"])
    assert np.array_equal(long, longer)


def test_threads_may_share_it(minilm):
    with ThreadPoolExecutor(4) as threads:
        vectors = list(threads.map(lambda _: minilm.embed([DIVIDEND])[0], range(8)))
    assert all(np.array_equal(vectors[0], vector) for vector in vectors)


def test_it_works_from_a_damaged_cache_and_mends_it(minilm, tmp_path):
    MiniLM(cache=tmp_path).embed([STOCK])
    (made,) = tmp_path.iterdir()
    made.write_bytes(made.read_bytes()[:1000])
    mended = MiniLM(cache=tmp_path).embed([STOCK])[0]
    assert mended @ minilm.embed([STOCK])[0] > 0.98
    assert list(tmp_path.iterdir()) == []


def test_it_works_without_a_cache_at_half_the_speed(minilm, tmp_path):
    (tmp_path / "file").write_text("a file where the folder should be")
    vector = MiniLM(cache=tmp_path / "file").embed([STOCK])[0]
    assert vector @ minilm.embed([STOCK])[0] > 0.98


def test_bytes_that_are_not_the_ones_expected_are_refused(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"other")
    with pytest.raises(ValueError, match=r"model\.onnx.*Install its package again"):
        verified(tmp_path / "model.onnx", "0" * 64)
