"""The many ways in which models cite, as ours."""

import pytest

from rag.agent.marks import plain_marks


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("It rose [1].", "It rose [1]."),
        ("It rose [1, 2].", "It rose [1][2]."),
        ("It rose [1;2 and 4].", "It rose [1][2][4]."),
        ("It rose [1-3].", "It rose [1][2][3]."),
        ("It rose [2–4, 7].", "It rose [2][3][4][7]."),
        ("It rose 【1】 and ［2］.", "It rose [1] and [2]."),
        ("It rose 【3†source】.", "It rose [3]."),
        ("It rose [^1].", "It rose [1]."),
        ("It rose [passage 1].", "It rose [1]."),
        ("It rose [Source 2, Source 3].", "It rose [2][3]."),
        (r"It rose \[1\].", "It rose [1]."),
        ("It rose [1](http://evil.test/x).", "It rose [1]."),
        ("It rose [1](#p1), then fell [2].", "It rose [1], then fell [2]."),
        ("It rose [1](2023).", "It rose [1](2023)."),
        ("It rose [9-1].", "It rose [9][1]."),
        ("It rose [1-99999].", "It rose [1][99999]."),
        ("Brackets [sic] and (1, 2) stay.", "Brackets [sic] and (1, 2) stay."),
    ],
)
def test_it_reads_as_single_marks(written, plain):
    assert plain_marks(written) == plain
