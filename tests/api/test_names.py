"""File names as they come in over HTTP."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.api.documents import named


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("report.pdf", "report.pdf"),
        ("レポート.pdf", "レポート.pdf"),
        ("../../etc/passwd.pdf", "passwd.pdf"),
        ("..\\..\\windows\\win.ini.pdf", "win.ini.pdf"),
        ("report.pdf\x00.exe", "report.pdf.exe"),
        ("a\nb.pdf", "ab.pdf"),
        (" a.pdf ", "a.pdf"),
        ("a\u202efdp.exe", "afdp.exe"),
        ("a\u0085\u2028b.pdf", "ab.pdf"),
        ("", "unnamed"),
        ("..", "unnamed"),
        ("folder/", "unnamed"),
    ],
)
def test_the_name_alone_is_kept(given, kept):
    assert named(given) == kept


@given(st.text())
def test_no_name_holds_a_folder_a_control_sign_or_nothing(name):
    kept = named(name)
    assert kept.strip(".") and not set(kept) & set("/\\\x00\n\r\t")
    assert named(kept) == kept
