"""Settings: read once, from a mapping that is passed in, cast and checked at the door."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from rag.errors import BadInput

Embeddings = Literal["local", "off", "endpoint"]
PREFIX = "TRACEBOOK_"
LIMITS = {  # least and most; more passages or decisions than these no tool takes, more of the rest no machine bears
    "iteration_limit": (1, 50),
    "top_k": (1, 50),
    "workers": (1, 64),
    "file_megabytes": (1, 2_000),
    "file_seconds": (1, 3_600),
    "chunk_tokens": (32, 2_048),
}

_log = logging.getLogger(__name__)


def _default_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("tracebook", appauthor=False) / "library"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Each field is the environment variable TRACEBOOK_<NAME>; the sentence beside it stands in the README too."""

    data: Path  # The library's folder; by default one in the user's data directory.
    iteration_limit: int = 5  # Decisions that the agent may take for one question.
    top_k: int = 5  # Passages that a search may offer of each document.
    embeddings: Embeddings = "local"  # "local": the built-in model; "endpoint": a server's; "off": keywords alone.
    embedding_model: str = ""  # The endpoint's embedding model, such as text-embedding-3-small; with "endpoint" only.
    workers: int = 2  # Processes that read files.
    file_megabytes: int = 200  # Largest file that is read.
    file_seconds: int = 180  # Longest time that reading one file may take.
    chunk_tokens: int = 256  # Longest passage, in cl100k_base tokens.
    vocabulary: str = ""  # A file of further words, in the shape of rag/search/vocabulary.toml; empty: none.
    rerank_url: str = ""  # Address of a /rerank server (Jina, Cohere, vLLM); empty: passages are not reranked.
    rerank_model: str = ""  # The model that it is asked for.
    rerank_key: str = field(default="", repr=False)  # The key that it takes, sent to it and nowhere else.

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """Settings from TRACEBOOK_ variables; raises `BadInput` naming the variable and what it takes.

        An unknown one, such as a misspelt name, is logged as a warning, once in a process.
        """
        variables = {PREFIX + each.name.upper(): each.name for each in fields(cls)}
        for name in sorted(environment):
            if name.startswith(PREFIX) and name not in variables:
                _warn(name, tuple(variables))
        given = {name: environment[variable] for variable, name in variables.items() if environment.get(variable)}
        data = Path(given.pop("data")).expanduser() if "data" in given else _default_data()
        return cls(data=data, **{name: _cast(name, value) for name, value in given.items()})  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            if not least <= getattr(self, name) <= most:
                raise BadInput(
                    f"{PREFIX}{name.upper()} is {getattr(self, name)!r}; it takes {_whole_number(least, most)}."
                )
        if self.embeddings not in get_args(Embeddings):
            raise BadInput(
                f"{PREFIX}EMBEDDINGS is {self.embeddings!r}; it takes one of {', '.join(get_args(Embeddings))}."
            )
        if self.embeddings == "endpoint" and not self.embedding_model:
            raise BadInput(
                f"{PREFIX}EMBEDDINGS is 'endpoint', but no model is named; {PREFIX}EMBEDDING_MODEL takes its name, "
                "such as text-embedding-3-small."
            )
        if self.rerank_url and not re.match(r"https?://[!-.0-~]+/[!-~]*$", self.rerank_url):
            raise BadInput(f"{PREFIX}RERANK_URL is no address; it takes one such as http://127.0.0.1:8000/v1/rerank.")
        if not re.fullmatch(r"[!-~]*", self.rerank_key):
            raise BadInput(
                f"{PREFIX}RERANK_KEY holds a sign that no key has; it takes letters, digits and punctuation."
            )


@cache
def _warn(name: str, variables: tuple[str, ...]) -> None:
    _log.warning("%s is not a setting. The settings are %s.", name, ", ".join(variables))


def _cast(name: str, value: str) -> int | str:
    if name == "embeddings":
        return value.strip().lower()
    if name in ("vocabulary", "embedding_model") or name.startswith("rerank"):
        return value.strip()
    try:
        return int(value)
    except ValueError:
        raise BadInput(f"{PREFIX}{name.upper()} is {value!r}; it takes {_whole_number(*LIMITS[name])}.") from None


def _whole_number(least: int, most: int) -> str:
    return f"a whole number from {least} to {most}"
