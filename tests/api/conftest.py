"""A server with two reports for each module's tests."""

from collections.abc import Iterator

import pytest

from tests.api.serving import Server, serving

ALDER = """Alder Inc. Annual report 2023

Risk factors

A shortage of castings in our supply chain stopped two production lines in 2023.

Revenue was $119.6 billion, up 2% from $117.2 billion.
"""
BIRCH = """Birch plc. Annual report 2023

Risk factors

Our supply chain depends on one region for resin; closed ports would delay deliveries.

Revenue was $4.1 billion.
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as running:
        answer = running.upload(("alder_2023.txt", ALDER.encode()), ("birch_2023.txt", BIRCH.encode()))
        assert [each["stage"] for each in answer.json()["results"]] == ["added", "added"]
        yield running
