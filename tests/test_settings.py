"""Settings: read once, cast and checked at the door."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from rag.errors import BadInput
from rag.settings import Settings


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
    assert Settings.read({"TOP_K": "9", "PATH": "/bin", "TRACEBOOK_UNHEARD_OF": "1"}) == Settings.read({})


@pytest.mark.parametrize(
    "variable, value",
    [
        ("TRACEBOOK_TOP_K", "five"),
        ("TRACEBOOK_TOP_K", "0"),
        ("TRACEBOOK_WORKERS", "-1"),
        ("TRACEBOOK_FILE_SECONDS", "1.5"),
        ("TRACEBOOK_EMBEDDINGS", "cloud"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_name(variable: str, value: str) -> None:
    with pytest.raises(BadInput, match=rf"{variable} is .*{value}.*; it takes"):
        Settings.read({variable: value})


def test_settings_do_not_change_once_read() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings.read({}).top_k = 3  # type: ignore[misc]
