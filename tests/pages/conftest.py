"""Three short reports in a library of their own, and the app's pages over it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components.session import workspace as opened_workspace
from rag.ingest.upload import Upload
from rag.workspace import Workspace

ROOT = Path(__file__).parents[2]
REPORTS = {
    "alder_2023.txt": """Alder Inc. Annual report 2023

Risk factors

A shortage of castings in our supply chain stopped two production lines in 2023.

Revenue was $119.6 billion, up 2% from $117.2 billion.
""",
    "birch_2023.txt": """Birch plc. Annual report 2023

Risk factors

Our supply chain depends on one region for resin; closed ports would delay deliveries.

Revenue was $4.1 billion.
""",
    "elm_2023.txt": """Elm Ltd. Annual report 2023

Our people

We opened a canteen and planted forty trees.
""",
}


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """An empty library; the one that the pages open, too."""
    monkeypatch.setenv("TRACEBOOK_DATA", str(tmp_path / "library"))
    monkeypatch.setenv("TRACEBOOK_EMBEDDINGS", "off")
    yield opened_workspace()
    st.cache_resource.clear()


@pytest.fixture
def library(workspace: Workspace) -> Workspace:
    """The library with the three reports in it."""
    list(workspace.add([Upload(file, text.encode()) for file, text in REPORTS.items()]))
    return workspace


@pytest.fixture
def show() -> Callable[..., AppTest]:
    """Opens a page of the app, such as "ask/chat", at an address with these query parameters."""

    def show(page: str, /, **query: str) -> AppTest:
        app = AppTest.from_file(ROOT / "app.py", default_timeout=30).run()
        for name, value in query.items():
            app.query_params[name] = value
        app = app.switch_page(f"pages/{page}.py")
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception
        return app

    return show
