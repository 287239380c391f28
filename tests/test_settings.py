"""Settings: read once, cast and checked at the door."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from rag.errors import BadInput
from rag.settings import Settings, environment


def test_without_any_variable_every_default_works() -> None:
    settings = Settings.read({})
    assert settings.data.is_absolute() and settings.data.name == "library"
    assert (settings.iteration_limit, settings.top_k, settings.embeddings) == (5, 5, "local")


def test_a_variable_is_cast_to_its_field() -> None:
    settings = Settings.read(
        {"TRACEBOOK_DATA": "/srv/reports", "TRACEBOOK_WORKERS": " 4 ", "TRACEBOOK_EMBEDDINGS": "OFF"}
    )
    assert (settings.data, settings.workers, settings.embeddings) == (Path("/srv/reports"), 4, "off")


def test_a_tilde_means_the_home_folder() -> None:
    assert Settings.read({"TRACEBOOK_DATA": "~/reports"}).data == Path.home() / "reports"


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert Settings.read({"TRACEBOOK_TOP_K": "", "TRACEBOOK_DATA": ""}) == Settings.read({})


def test_other_variables_are_left_alone() -> None:
    assert Settings.read({"TOP_K": "9", "PATH": "/bin"}) == Settings.read({})


def test_a_misspelt_variable_is_named_in_one_warning_and_does_no_harm(caplog) -> None:
    for _ in range(2):  # a page reads the settings at every click
        assert Settings.read({"TRACEBOOK_TOPK": "9", "PATH": "/bin"}) == Settings.read({})
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "TRACEBOOK_TOPK is not a setting." in caplog.text and "TRACEBOOK_TOP_K" in caplog.text


@pytest.mark.parametrize(
    "variable, value",
    [
        ("TRACEBOOK_TOP_K", "five"),
        ("TRACEBOOK_TOP_K", "0"),
        ("TRACEBOOK_TOP_K", "51"),
        ("TRACEBOOK_ITERATION_LIMIT", "1000000"),
        ("TRACEBOOK_WORKERS", "-1"),
        ("TRACEBOOK_WORKERS", "65"),
        ("TRACEBOOK_CHUNK_TOKENS", "31"),
        ("TRACEBOOK_CHUNK_TOKENS", "2049"),
        ("TRACEBOOK_FILE_MEGABYTES", "99999"),
        ("TRACEBOOK_FILE_SECONDS", "1.5"),
        ("TRACEBOOK_EMBEDDINGS", "cloud"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_name(variable: str, value: str) -> None:
    with pytest.raises(BadInput, match=rf"{variable} is .*{value}.*; it takes"):
        Settings.read({variable: value})


def test_the_message_names_the_range() -> None:
    with pytest.raises(BadInput, match="a whole number from 32 to 2048"):
        Settings.read({"TRACEBOOK_CHUNK_TOKENS": "8"})


def test_settings_do_not_change_once_read() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings.read({}).top_k = 3  # type: ignore[misc]


def test_a_server_s_embedding_model_is_named_as_it_is() -> None:
    given = {"TRACEBOOK_EMBEDDINGS": "Endpoint", "OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"}
    assert Settings.read(given | {"TRACEBOOK_EMBEDDING_MODEL": " BAAI/bge-m3 "}).embedding_model == "BAAI/bge-m3"
    with pytest.raises(BadInput, match="TRACEBOOK_EMBEDDING_MODEL takes its name"):
        Settings.read(given)
    with pytest.raises(BadInput, match="OPENAI_API_KEY, OPENAI_BASE_URL or AZURE_OPENAI_ENDPOINT"):
        Settings.read({"TRACEBOOK_EMBEDDINGS": "endpoint", "TRACEBOOK_EMBEDDING_MODEL": "BAAI/bge-m3"})


def test_a_rerank_server_is_taken_as_given_and_its_key_not_shown() -> None:
    given = {"URL": " https://api.jina.ai/v1/rerank ", "MODEL": "Jina-Reranker-v2", "KEY": "secret"}
    settings = Settings.read({f"TRACEBOOK_RERANK_{name}": value for name, value in given.items()})
    assert (settings.rerank_url, settings.rerank_model) == ("https://api.jina.ai/v1/rerank", "Jina-Reranker-v2")
    assert settings.rerank_key == "secret" and "secret" not in repr(settings)


@pytest.mark.parametrize(
    "url", ["localhost:8000/rerank", "http://", "http://host/ä", "file:///etc/passwd", "http://host"]
)
def test_a_rerank_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="RERANK_URL is no address"):
        Settings.read({"TRACEBOOK_RERANK_URL": url})


@pytest.mark.parametrize("variable", ["OPENAI_BASE_URL", "AZURE_OPENAI_ENDPOINT"])
@pytest.mark.parametrize(
    "url",
    [
        "localhost:11434",
        "http://[v1",
        "http://host:port/v1",
        "ftp://host",
        "http://me:secret@host/v1",
        "http://h/v1?key=secret",
    ],
)
def test_an_address_of_a_model_that_is_none_or_holds_a_secret_is_refused_and_not_shown(variable: str, url: str) -> None:
    with pytest.raises(BadInput, match=f"{variable} is no address") as caught:
        Settings.read({variable: url})
    assert "secret" not in str(caught.value)


def test_providers_keep_their_own_names_and_their_keys_are_not_shown() -> None:
    settings = Settings.read(
        {
            "OPENAI_API_KEY": "sk-secret",
            "OPENAI_BASE_URL": "http://127.0.0.1:11434/v1",
            "AZURE_OPENAI_API_KEY": "az-secret",
            "TRACEBOOK_AGENT_ENABLED": "False",
            "TRACEBOOK_TEMPERATURE": "0.7",
            "TRACEBOOK_PRICE_IN": "2",
        }
    )
    assert (settings.openai_api_key, settings.azure_openai_api_key) == ("sk-secret", "az-secret")
    assert (settings.agent_enabled, settings.temperature, settings.price_in) == (False, 0.7, 2.0)
    assert "secret" not in repr(settings)


@pytest.mark.parametrize(
    ("variable", "value", "takes"),
    [
        ("TRACEBOOK_AGENT_ENABLED", "maybe", "true or false"),
        ("TRACEBOOK_TEMPERATURE", "3", "a number from 0 to 2"),
        ("TRACEBOOK_TEMPERATURE", "nan", "a number from 0 to 2"),
        ("TRACEBOOK_REASONER", "oracle", "one of auto, rules"),
        ("TRACEBOOK_RETRIES", "-1", "a whole number from 0 to 10"),
    ],
)
def test_a_model_setting_that_cannot_be_used_is_refused(variable: str, value: str, takes: str) -> None:
    with pytest.raises(BadInput, match=f"{variable} is {value!r}|{variable} is .*; it takes {takes}"):
        Settings.read({variable: value})


def test_a_secrets_file_is_read_below_the_variables(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.toml"
    secrets.write_text(
        'OPENAI_API_KEY = "sk-file"\nTRACEBOOK_TOP_K = 7\nTRACEBOOK_AGENT_ENABLED = false\n[other]\nx = 1\n'
    )
    found = environment({"TRACEBOOK_TOP_K": "9"}, files=(tmp_path / "none.toml", secrets))
    assert found == {"OPENAI_API_KEY": "sk-file", "TRACEBOOK_TOP_K": "9", "TRACEBOOK_AGENT_ENABLED": "false"}
    assert Settings.read(found).agent_enabled is False


def test_a_secrets_file_that_is_no_toml_is_said_without_its_text(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.toml"
    secrets.write_text("OPENAI_API_KEY = sk-file")
    with pytest.raises(BadInput, match="It takes lines such as") as caught:
        environment({}, files=(secrets,))
    assert "sk-file" not in str(caught.value)


def test_a_key_that_no_header_can_carry_is_refused_and_not_shown() -> None:
    with pytest.raises(BadInput, match="RERANK_KEY") as caught:
        Settings.read({"TRACEBOOK_RERANK_KEY": "se\ncret"})
    assert "cret" not in str(caught.value)
