"""Settings: read once, from a mapping that is passed in, cast and checked at the door."""

import logging
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from rag.errors import BadInput

Embeddings = Literal["local", "off", "endpoint"]
ReasonerChoice = Literal["auto", "rules"]
PREFIX = "TRACEBOOK_"
LIMITS: Mapping[str, tuple[float, float]] = {  # least and most; what lies beyond no tool takes or no machine bears
    "iteration_limit": (1, 50),
    "top_k": (1, 50),
    "workers": (1, 64),
    "file_megabytes": (1, 2_000),
    "file_seconds": (1, 3_600),
    "chunk_tokens": (32, 2_048),
    "temperature": (0, 2),
    "timeout": (1, 3_600),
    "retries": (0, 10),
    "token_budget": (1_000, 10_000_000),
    "run_seconds": (1, 3_600),
    "context_tokens": (4_000, 2_000_000),
    "embedding_price": (0, 10_000),
    "price_in": (0, 10_000),
    "price_out": (0, 10_000),
    "api_rate": (1, 1_000_000),
    "upload_files": (1, 1_000),
    "upload_megabytes": (1, 10_000),
}
SECRETS = (Path(".streamlit/secrets.toml"), Path("~/.streamlit/secrets.toml"))  # the first that is there

_YES, _NO = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}
_log = logging.getLogger(__name__)


def _default_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("tracebook", appauthor=False) / "library"


def _provider(variable: str, *, secret: bool = False) -> Any:
    """A setting under the name that its provider gave it."""
    return field(default="", repr=not secret, metadata={"variable": variable})


def variable_of(each: "Field[Any]") -> str:
    """The environment variable of a field of `Settings`."""
    return str(each.metadata.get("variable") or f"{PREFIX}{each.name.upper()}")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Each field is the environment variable TRACEBOOK_<NAME>, or its provider's; the README has the same sentences."""

    data: Path  # The library's folder; by default one in the user's data directory.
    iteration_limit: int = 5  # Decisions that the agent may take for one question.
    top_k: int = 5  # Passages that a search may offer of each document.
    embeddings: Embeddings = "local"  # "local": the built-in model; "endpoint": a server's; "off": keywords alone.
    embedding_model: str = ""  # The server's embedding model, such as text-embedding-3-small; on Azure the deployment.
    embedding_price: float = 0.0  # Price of a million tokens that it embeds; the offer of another model shows its cost.
    workers: int = 2  # Processes that read files.
    file_megabytes: int = 200  # Largest file that is read.
    file_seconds: int = 180  # Longest time that reading one file may take.
    ocr: bool = False  # "true" recognises the text of scanned pages; requirements-ocr.txt has what that needs.
    chunk_tokens: int = 256  # Longest passage, in cl100k_base tokens.
    vocabulary: str = ""  # A file of further words, in the shape of rag/search/vocabulary.toml; empty: none.
    rerank_url: str = ""  # Address of a /rerank server (Jina, Cohere, vLLM); empty: passages are not reranked.
    rerank_model: str = ""  # The model that it is asked for.
    rerank_key: str = field(default="", repr=False)  # The key that it takes, sent to it and nowhere else.
    agent_enabled: bool = True  # "false" turns the agent off; single-shot and search go on.
    reasoner: ReasonerChoice = "auto"  # "auto": a language model where one is set up; "rules": none, whatever is set.
    model: str = ""  # The chat model, on Azure the deployment; empty: gpt-4.1-mini at OpenAI, none elsewhere.
    openai_api_key: str = _provider("OPENAI_API_KEY", secret=True)  # The key of OpenAI or of a server like it.
    openai_base_url: str = _provider("OPENAI_BASE_URL")  # Address of a server that speaks like OpenAI, with its /v1.
    azure_openai_endpoint: str = _provider("AZURE_OPENAI_ENDPOINT")  # Address of an Azure OpenAI resource.
    azure_openai_api_key: str = _provider("AZURE_OPENAI_API_KEY", secret=True)  # Its key.
    openai_api_version: str = _provider("OPENAI_API_VERSION")  # Azure's version of the API; empty: 2024-10-21.
    temperature: float = 0.0  # How freely the model chooses its words; a model that takes no temperature is sent none.
    timeout: int = 60  # Seconds until the model's server has to say something.
    retries: int = 2  # Further tries after 429, 5xx and failed connections, each after the wait that the server names.
    token_budget: int = 100_000  # Tokens that one run may take of a model, in and out.
    run_seconds: int = 300  # Time that one run may take of a model.
    context_tokens: int = 16_000  # Tokens that the model takes at once, its reply included.
    price_in: float = 0.0  # Price of a million tokens that go in; with both prices each run shows its cost.
    price_out: float = 0.0  # Price of a million tokens that come out.
    api_key: str = field(default="", repr=False)  # The key that other programs send; needed where other machines reach.
    api_hosts: str = ""  # Host names, with commas, under which the API is asked, besides those of this machine.
    api_origins: str = ""  # Web origins, with commas, whose pages may ask the API; empty: only its own.
    api_rate: int = 600  # Requests a minute that the API serves to one key or address.
    upload_files: int = 20  # Most files of one upload to the API.
    upload_megabytes: int = 400  # Largest upload to the API, its files together.

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Settings":
        """Settings from variables; raises `BadInput` naming the variable and what it takes.

        An unknown one, such as a misspelt name, is logged as a warning, once in a process.
        """
        variables = {variable_of(each): each.name for each in fields(cls)}
        for name in sorted(environment):
            if name.startswith(PREFIX) and name not in variables:
                _warn(name, tuple(variables))
        given = {name: environment[variable] for variable, name in variables.items() if environment.get(variable)}
        data = Path(given.pop("data")).expanduser() if "data" in given else _default_data()
        return cls(data=data, **{name: _cast(name, value) for name, value in given.items()})  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            if not least <= getattr(self, name) <= most:
                raise BadInput(f"{PREFIX}{name.upper()} is {getattr(self, name)!r}; it takes {_takes(name)}.")
        for name, choices in (("embeddings", Embeddings), ("reasoner", ReasonerChoice)):
            if getattr(self, name) not in get_args(choices):
                one_of = ", ".join(get_args(choices))
                raise BadInput(f"{PREFIX}{name.upper()} is {getattr(self, name)!r}; it takes one of {one_of}.")
        if self.embeddings == "endpoint" and not self.embedding_model:
            raise BadInput(
                f"{PREFIX}EMBEDDINGS is 'endpoint', but no model is named; {PREFIX}EMBEDDING_MODEL takes its name, "
                "such as text-embedding-3-small."
            )
        if self.embeddings == "endpoint" and not (
            self.openai_api_key or self.openai_base_url or self.azure_openai_endpoint
        ):
            raise BadInput(
                f"{PREFIX}EMBEDDINGS is 'endpoint', but none is set; set OPENAI_API_KEY, OPENAI_BASE_URL or "
                "AZURE_OPENAI_ENDPOINT."
            )
        for variable, url in (
            ("OPENAI_BASE_URL", self.openai_base_url),
            ("AZURE_OPENAI_ENDPOINT", self.azure_openai_endpoint),
        ):
            if url and not _is_address(url):
                raise BadInput(
                    f"{variable} is no address; it takes one such as http://127.0.0.1:11434/v1, without name, password "
                    "and query: the key has a variable of its own."
                )
        if self.rerank_url and not (_is_address(self.rerank_url, secrets=True) and urlsplit(self.rerank_url).path):
            raise BadInput(f"{PREFIX}RERANK_URL is no address; it takes one such as http://127.0.0.1:8000/v1/rerank.")
        for each in fields(self):
            if not each.repr and not re.fullmatch(r"[!-~]*", getattr(self, each.name)):
                raise BadInput(
                    f"{variable_of(each)} holds a sign that no key has; it takes letters, digits and punctuation."
                )


def _is_address(url: str, *, secrets: bool = False) -> bool:
    """Whether it names a server; with `secrets` it may hold a name, a password and a query."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    named = parts.scheme in ("http", "https") and bool(parts.hostname) and (port is None or port > 0)
    return named and bool(re.fullmatch(r"[!-~]+", url)) and (secrets or not ("@" in parts.netloc or parts.query))


def environment(variables: Mapping[str, str], *, files: Sequence[Path] = SECRETS) -> dict[str, str]:
    """The variables, and below them what the first of these secrets files that is there sets at its top level.

    Raises `BadInput` where that file is no TOML.
    """
    for path in (file.expanduser() for file in files):
        if path.is_file():
            try:
                found = tomllib.loads(path.read_text("utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
                raise BadInput(
                    f'{str(path)!r} cannot be read: {error}. It takes lines such as NAME = "value".'
                ) from None
            told = {name: _as_text(value) for name, value in found.items() if isinstance(value, str | int | float)}
            return told | dict(variables)
    return dict(variables)


def _as_text(value: str | int | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _warn(name: str, variables: tuple[str, ...]) -> None:
    _log.warning("%s is not a setting. The settings are %s.", name, ", ".join(variables))


def _cast(name: str, value: str) -> float | str | bool:
    default = next(each.default for each in fields(Settings) if each.name == name)
    text, lower = value.strip(), value.strip().casefold()
    if isinstance(default, bool):
        if lower not in _YES | _NO:
            raise BadInput(f"{PREFIX}{name.upper()} is {value!r}; it takes true or false.")
        return lower in _YES
    if isinstance(default, str):
        return lower if name in ("embeddings", "reasoner") else text
    try:
        number = int(text) if isinstance(default, int) else float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise BadInput(f"{PREFIX}{name.upper()} is {value!r}; it takes {_takes(name)}.")
    return number


def _takes(name: str) -> str:
    least, most = LIMITS[name]
    whole = isinstance(getattr(Settings, name), int)
    return f"a {'whole ' if whole else ''}number from {least} to {most}"
