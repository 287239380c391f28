"""Cases of the pages: signs that Markdown would swallow, reruns, other people's sessions, markup of documents."""

import re

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from rag.ingest.upload import Upload
from tests.pages.reading import keys, shown
from tests.pages.test_app import PAGES, ROOT
from tests.reported.cases import read

DOLLARS = "$119.6 billion, up 2% from $117.2 billion; cost of ~$5 to ~$7 per unit, tax at 21%_rate."
LIVE = re.compile(r"(?<!\\)(?:<(?:img|script|style|h1)|[$~])")


def ask(chat, question):
    chat.chat_input(key="question").set_value(question).run()
    assert not chat.exception
    return chat


def unfolded(page, start):
    """The page with its expanders of these keys open, and those inside them."""
    for _ in range(2):
        for each in page.expander:
            if each.key and each.key.startswith(start):
                page.session_state[each.key] = True
        page.run()
    assert not page.exception
    return page


def letters(page):
    """What it shows, without the tint of words that matched."""
    return re.sub(r":primary-background\[([^]]*)\]", r"\1", shown(page))


def live(page):
    """What Markdown or HTML would take for more than letters, wherever the page writes either."""
    elements = [*page.markdown, *page.caption, *page.warning, *page.error]
    assert not any(getattr(element.proto, "allow_html", False) for element in elements)
    return [str(element.value) for element in elements if LIVE.search(str(element.value))]


def everywhere(library, show, question):
    """Chat with its sources, the trace with its hits, the document, a search: of a library with one report."""
    chat = ask(show("ask/chat"), question)
    (notebook,) = library.notebooks()
    for page in (chat, show("ask/chat", notebook=notebook.id)):  # at once, and from the history
        page.session_state[f"{notebook.cells[0].id}-sources"] = True
        yield page.run()
    (trace,) = library.traces()
    yield unfolded(show("ask/trace", run=trace.run_id), trace.run_id)
    yield show("library/documents", document=library.documents()[0].id)
    yield unfolded(show("library/search", query=question), "keyword-")


def test_a32_dollars_tildes_and_underscores_are_shown_letter_for_letter(library, show):
    file = read("A32_dollars.txt")
    page = show("library/documents")
    page.file_uploader[0].upload(file.file, file.data).upload("$5_~a~_$6.pdf", b"").run()
    assert "$5_~a~_$6.pdf" in shown(page) and live(page) == []  # the box that says why it failed
    for page in everywhere(library, show, "What was the revenue of both years, $119.6 or ~$117.2_billion?"):
        assert DOLLARS in letters(page) and live(page) == []
    (notebook,) = library.notebooks()
    copied = library.export_notebook(notebook.id, "text")
    assert "$119.6 billion" in copied and "\\" not in copied
    list(library.ask("Summarise A32_dollars.txt."))
    page = show("ask/trace", run=library.traces()[0].run_id)
    assert "$119.6 billion, up 2% from $117.2 billion" in shown(page) and live(page) == []


def test_a33_a_file_is_indexed_once_and_equal_answers_have_controls_of_their_own(library, show):
    page = show("library/documents")
    page.file_uploader[0].upload("alder.txt", b"Alder plc\nAnnual report 2023\n\nRevenue was $12 million.\n").run()
    (document,) = library.documents()
    version = library._store.version()
    for _ in range(5):
        page.run()
    chat = show("ask/chat")
    for _ in range(5):
        ask(chat, "What was the revenue?")
    assert library.documents() == (document,) and library._store.version() == version
    (notebook,) = library.notebooks()
    answers = {library.trace(cell.run_id).answer.text for cell in notebook.cells}
    assert (len(notebook.cells), len(answers)) == (5, 1)
    for cell in notebook.cells[:-1]:
        chat.session_state[f"{cell.id}-fold"] = True
    chat.run()
    assert not chat.exception
    assert {f"{cell.id}-again" for cell in notebook.cells} <= set(keys(chat, ""))
    assert len(keys(chat, "")) == len(set(keys(chat, "")))


def test_a34_a_session_sees_nothing_of_another_and_nobody_a_key(library, show, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody")
    list(library.add([Upload("alder.txt", b"Alder plc\nAnnual report 2023\n\nRevenue was $12 million.\n")]))
    address = config.get_option("server.address")
    config.set_option("server.address", "0.0.0.0")
    try:
        mine = ask(show("ask/chat"), "What was the revenue?")
        assert "12 million" in shown(mine)
        for name in ("ask/chat", "ask/trace"):
            theirs = show(name)
            assert not re.search("12 million|What was the revenue", shown(theirs)), name
            assert keys(theirs, "run-") + keys(theirs, "notebook-") == []
        assert "alder.txt" in shown(show("library/documents"))  # the library is shared
    finally:
        config.set_option("server.address", address)
    for name in PAGES:
        page = AppTest.from_file(ROOT / name, default_timeout=30).run()
        assert "sk-of-somebody" not in f"{page.main}{page.sidebar}{page.session_state!r}"


@pytest.mark.parametrize("name", ["A35_html.txt", "A35_html.pdf"])
def test_a35_markup_of_documents_names_and_questions_is_text(library, show, name):
    file = f"<script>alert(1)<!-- {name}"
    page = show("library/documents")
    page.file_uploader[0].upload(file, read(name).data).run()
    assert file in shown(page) and live(page) == []
    for page in everywhere(library, show, "Sales <img src=x onerror=alert(1)> of the quarterly note?"):
        assert "onerror=alert" in letters(page) and live(page) == []
    list(library.ask(f"Summarise {file}."))
    assert live(show("ask/trace", run=library.traces()[0].run_id)) == []
