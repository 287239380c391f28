from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

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


def test_a_missing_library_is_made(workspace):
    assert not AppTest.from_file(ROOT / "app.py", default_timeout=30).run().exception
    assert workspace.settings.data.is_dir()
