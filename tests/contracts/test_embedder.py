"""What every embedder promises."""

import numpy as np
import pytest

from rag.models.endpoint_embedder import EndpointEmbedder
from rag.models.hashing import HashingEmbedder
from rag.models.minilm import MiniLM
from tests.embedding_server import serving

MINILM = MiniLM()  # loaded once, at its first use

TEXTS = (
    "The board raised the dividend.",
    "Directors approved a higher quarterly payout to shareholders.",
    "Inventories are stated at the lower of cost and net realizable value. " * 40,
    "März: 1.204 €",
    "",
    "<|endoftext|>",
)


@pytest.fixture(scope="module")
def server():
    with serving() as server:
        yield server


@pytest.fixture(params=["hashing", "minilm", "endpoint", "azure"])
def embedder(request, server):
    if request.param in ("endpoint", "azure"):
        return EndpointEmbedder(server.endpoint(azure=request.param == "azure"), "small")
    return MINILM if request.param == "minilm" else HashingEmbedder()


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


def test_texts_are_best_given_a_few_at_once(embedder):
    assert embedder.batch >= 1


def test_the_name_says_which_space_it_is(server):
    remote = [EndpointEmbedder(server.endpoint(), model) for model in ("small", "large")]
    assert len({embedder.name for embedder in (MINILM, HashingEmbedder(), HashingEmbedder(64), *remote)}) == 5
