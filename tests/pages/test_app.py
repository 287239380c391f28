from pathlib import Path

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from tests.pages.reading import shown

ROOT = Path(__file__).parents[2]

PAGES = sorted(
    path.relative_to(ROOT).as_posix() for path in ROOT.glob("pages/*/*.py") if path.parent.name != "components"
)


def test_the_app_opens_on_chat(library):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=30).run()
    assert not app.exception
    assert app.title[0].value == "Chat"


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs_on_its_own(page, library):
    list(library.ask("What was revenue?"))
    alone = AppTest.from_file(ROOT / page, default_timeout=30).run()
    assert not alone.exception
    assert alone.title


def test_a_setting_that_cannot_be_used_is_said_in_words(workspace, monkeypatch):
    monkeypatch.setenv("TRACEBOOK_TOP_K", "many")
    app = AppTest.from_file(ROOT / "app.py", default_timeout=30).run()
    assert not app.exception
    assert "TRACEBOOK" in app.error[0].value


def test_on_another_address_a_session_sees_its_own_runs_alone(library, show):
    list(library.ask("What was revenue?", owner="another session"))
    assert "What was revenue" in show("ask/trace").button[0].label
    address = config.get_option("server.address")
    config.set_option("server.address", "0.0.0.0")
    try:
        assert "No run yet" in shown(show("ask/trace"))
    finally:
        config.set_option("server.address", address)


def test_a_missing_library_is_made(workspace):
    assert not AppTest.from_file(ROOT / "app.py", default_timeout=30).run().exception
    assert workspace.settings.data.is_dir()
