"""What all tests share: no setting of whoever runs them, and no language model but one that a test sets up."""

import os

import pytest


@pytest.fixture(autouse=True)
def settings_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith(("TRACEBOOK_", "OPENAI_", "AZURE_OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TRACEBOOK_REASONER", "rules")  # a variable goes before what a secrets file names
