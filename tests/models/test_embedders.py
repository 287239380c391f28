from rag.models.embedders import Embedders
from rag.models.endpoint import Endpoint
from rag.models.endpoint_embedder import EndpointEmbedder
from rag.models.hashing import HashingEmbedder
from rag.models.minilm import MiniLM

ENDPOINT = Endpoint("http://localhost:11434/v1", "")
NOWHERE = Endpoint(None, "")  # nothing is set


def test_the_one_that_is_configured_and_the_built_in_one_can_always_be_asked():
    ours = HashingEmbedder()
    embedders = Embedders(ours, NOWHERE)
    assert embedders.named(ours.name) is embedders.hurried(ours.name) is ours
    built_in = embedders.named("minilm-int8")
    assert isinstance(built_in, MiniLM)
    assert embedders.named("minilm-int8") is built_in


def test_any_model_of_the_endpoint_can_be_asked_and_none_of_another_server():
    embedders = Embedders(HashingEmbedder(), ENDPOINT)
    assert isinstance(embedders.named("localhost:11434:nomic-embed-text"), EndpointEmbedder)
    assert embedders.named("localhost:11434:a:b").name == "localhost:11434:a:b"
    assert embedders.hurried("localhost:11434:a").name == "localhost:11434:a"
    assert embedders.named("openai:nomic-embed-text") is None
    assert Embedders(HashingEmbedder(), NOWHERE).named("openai:a") is None
