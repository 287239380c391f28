"""Which addresses only this machine can reach."""

import pytest

from rag.api.loopback import is_loopback


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST", "127.0.0.1", "127.8.8.8", "::1", "[::1]", "::ffff:127.0.0.1"]
)
def test_these_name_this_machine_alone(host):
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["", "0.0.0.0", "::", "10.0.0.5", "::ffff:10.0.0.5", "reports.example", "127.0.0.1.example"]
)
def test_others_may_be_reached_from_elsewhere(host):
    assert not is_loopback(host)
