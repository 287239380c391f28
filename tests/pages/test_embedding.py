from dataclasses import replace

import pytest
import streamlit as st

from pages.components.session import workspace as opened_workspace
from rag.index.store import Store
from rag.ingest.upload import Upload
from rag.models.hashing import HashingEmbedder
from rag.settings import Settings
from rag.workspace import Workspace
from tests.embedding_server import TOO_MANY, answer, serving
from tests.pages.conftest import REPORTS
from tests.pages.reading import keys, shown


@pytest.fixture
def library(tmp_path, monkeypatch):
    """The three reports with vectors of a model that is not the built-in one, which the settings name."""
    old = HashingEmbedder()
    settings = Settings(data=tmp_path / "library")
    with Workspace(settings, Store.open(settings.data, model=old.name), old) as library:
        list(library.add([Upload(file, text.encode()) for file, text in REPORTS.items()]))
        assert library.wait_for_embeddings(10)
    monkeypatch.setenv("TRACEBOOK_DATA", str(settings.data))
    monkeypatch.setenv("TRACEBOOK_EMBEDDINGS", "local")
    yield opened_workspace()
    st.cache_resource.clear()


def test_another_model_is_offered_with_its_cost_and_a_click_changes_the_library_over(library, show):
    page = show("library/documents")
    change = library.embedding_change()
    assert "of the embedding model **hashing-256**, the settings name **minilm-int8**" in shown(page)
    assert f"{change.passages} passages, about {change.tokens} tokens, on this machine" in shown(page)
    assert "keywords alone until every passage has its new vector" in shown(page)
    page.button(key="change-embeddings").click().run()
    assert not page.exception
    assert library.wait_for_embeddings(60)
    page.run()
    assert not keys(page, "change-") + keys(page, "keep-")


@pytest.mark.parametrize(
    ("price", "words"),
    [
        ("", "sent to its server at a price that the settings do not name"),
        ("0.02", "under 0.01 at the price that is set"),
        ("10000", " at the price that is set"),
    ],
)
def test_a_server_s_model_is_offered_with_its_price(library, show, monkeypatch, price, words):
    with serving() as server:
        for name, value in server.settings(embedding_model="small", embedding_price=price).items():
            prefix = "" if name.startswith("openai") else "TRACEBOOK_"
            monkeypatch.setenv(f"{prefix}{name.upper()}", str(value))
        page = show("library/documents")
        assert words in shown(page)
        assert price != "10000" or f"{opened_workspace().embedding_change().tokens / 100:,.2f} at the price" in shown(
            page
        )
        assert "sk-very-secret" not in shown(page)
        server.reply = lambda _: replace(TOO_MANY, status=401)
        page.button(key="change-embeddings").click().run()
        assert not opened_workspace().wait_for_embeddings(10)
        page.run()
        assert "refuses the key: check OPENAI_API_KEY" in shown(page)
        server.reply = answer
        page.button(key="embed-again").click().run()
        assert opened_workspace().wait_for_embeddings(10)
        assert not keys(page.run(), "keep-")


def test_a_change_under_way_is_said_and_can_be_given_up(library, show):
    library._embeddings.close()
    library._store.spaces.agree()
    page = show("library/documents")
    assert "going over to the embedding model **minilm-int8**." in shown(page)
    page.button(key="keep-embeddings").click().run()
    assert not page.exception
    assert keys(page, "change-") == ["change-embeddings"]


def test_what_stopped_the_embedding_is_said_with_the_report_and_tried_again_on_a_click(library, show):
    list(library.add([Upload("fir.txt", b"Fir plc. Annual report 2023. Revenue rose.\n")]))
    assert not library.wait_for_embeddings(10)
    page = show("library/documents")
    assert "of 'hashing-256', which cannot be asked with these settings" in shown(page)
    assert shown(page).count("searchable by keyword, 0 of 1 embedded") == 1
    opened = show("library/documents", document=library.document("fir.txt").id)
    assert "Embedding stopped" in shown(opened)
    page.button(key="embed-again").click().run()
    assert not page.exception
