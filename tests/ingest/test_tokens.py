import hashlib
import os
import subprocess
import sys

import pytest

from rag.ingest import tokens


def test_counts_as_cl100k_base_does():
    assert tokens.count("tiktoken is great!") == 6  # the example of OpenAI's own guide


def test_a_models_marker_is_plain_text():
    assert tokens.count("<|endoftext|>") > 1


@pytest.mark.parametrize("there", [None, b"", b"damaged"])
def test_the_vocabulary_is_unpacked_where_tiktoken_looks_and_nothing_is_downloaded(tmp_path, there):
    if there is not None:
        (tmp_path / "9b5ad71b2ce5302211f9c61530b329a4922fc6a4").write_bytes(there)
    code = "from rag.ingest import tokens; print(tokens.count('Net sales'))"
    environment = os.environ | {"TIKTOKEN_CACHE_DIR": str(tmp_path), "https_proxy": "http://127.0.0.1:9"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "2"
    (vocabulary,) = tmp_path.iterdir()
    assert hashlib.sha256(vocabulary.read_bytes()).hexdigest().startswith("223921b76ee99bde")
