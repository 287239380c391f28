"""What every embedder promises."""

import numpy as np
import pytest

from rag.models.hashing import HashingEmbedder
from rag.models.minilm import MiniLM

MINILM = MiniLM()  # loaded once, at its first use

TEXTS = (
    "The board raised the dividend.",
    "Directors approved a higher quarterly payout to shareholders.",
    "Inventories are stated at the lower of cost and net realizable value. " * 40,
    "März: 1.204 €",
    "",
    "<|endoftext|>",
)


@pytest.fixture(params=[HashingEmbedder(), MINILM], ids=lambda embedder: embedder.name)
def embedder(request):
    return request.param


def test_a_row_of_length_one_for_each_text(embedder):
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_rows(embedder):
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_a_text_has_the_same_vector_whatever_stands_beside_it(embedder):
    together = embedder.embed(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert embedder.embed([text])[0] == pytest.approx(vector, abs=1e-3)


def test_a_text_is_closest_to_itself_and_closer_to_its_like(embedder):
    dividend, like, other = embedder.embed(
        ["The board raised the dividend.", "The dividend was raised.", "Inventories are stated at cost."]
    )
    assert dividend @ dividend == pytest.approx(1, abs=1e-5)
    assert dividend @ like > dividend @ other


def test_the_name_says_which_space_it_is():
    assert len({embedder.name for embedder in (MINILM, HashingEmbedder(), HashingEmbedder(64))}) == 3
