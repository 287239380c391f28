"""Who decides, on Chat: its name, why it is the one, and a test of its connection."""

import pytest
import streamlit as st

from tests.openai_server import calls, fails, says, serving
from tests.pages.reading import shown

LOOK = calls("search_documents", {"query": "supply chain"})
DONE = calls("answer_directly", {"answer": "Alder's supply chain lacked castings [1]. The moon is cheese [77]."})


@pytest.fixture
def model(monkeypatch):
    """Points the pages to a model at this address."""

    def point(url):
        monkeypatch.setenv("TRACEBOOK_REASONER", "auto")
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
        monkeypatch.setenv("TRACEBOOK_MODEL", "small")
        monkeypatch.setenv("TRACEBOOK_RETRIES", "0")

    yield point
    st.cache_resource.clear()


def test_without_a_model_it_says_that_rules_decide_and_why(library, show):
    text = shown(show("ask/chat"))
    assert "Rules decide, as TRACEBOOK_REASONER says so" in text
    assert "The README says how to set up a language model" in text


def test_a_model_is_named_and_its_connection_tested(library, show, model):
    with serving(says("Ready."), fails(401, "no such key sk-hidden")) as server:
        model(server.url)
        chat = show("ask/chat")
        assert "small" in shown(chat)
        chat.button(key="test-model").click().run()
        assert "It answers: “Ready" in chat.success[0].value
        chat.button(key="test-model").click().run()
        assert "refuses the key" in chat.error[0].value
        assert "hidden" not in chat.error[0].value


def test_a_run_of_a_model_shows_what_it_took_and_what_code_took_out(library, show, model):
    with serving(LOOK, DONE) as server:
        model(server.url)
        chat = show("ask/chat")
        chat.chat_input(key="question").set_value("What do the reports say about the supply chain?").run()
    assert not chat.exception
    assert any("150 tokens" in part.label for part in chat.expander)
    assert "names no passage of this run and was taken out" in shown(chat)
    assert "no language model used" not in shown(chat)


def test_a_follow_up_in_a_notebook_is_read_from_the_cell_before(library, show):
    chat = show("ask/chat")
    chat.chat_input(key="question").set_value("What was Alder's revenue?").run()
    chat.chat_input(key="question").set_value("and Birch?").run()
    assert not chat.exception
    assert library.traces()[0].asked == "What was Birch's revenue?"


def test_an_agent_that_is_turned_off_is_said_and_not_offered(library, show, monkeypatch):
    monkeypatch.setenv("TRACEBOOK_AGENT_ENABLED", "false")
    st.cache_resource.clear()
    chat = show("ask/chat")
    assert "The agent is turned off" in shown(chat)
    chat.chat_input(key="question").set_value("What was revenue?").run()
    assert not chat.exception and "no language model used" in shown(chat)
