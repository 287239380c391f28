"""The main job in a real browser: samples in, the question, the steps, a citation on its page, the trace."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
QUESTION = "What are the common risk factors mentioned across these annual reports, and do any of them overlap?"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        CHROMIUM is None and os.environ.get("CI") != "true", reason="no Chromium here: apt-get install chromium"
    ),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app over an empty library, as `make run` serves it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "TRACEBOOK_DATA": str(tmp_path_factory.mktemp("browser")),
        "TRACEBOOK_EMBEDDINGS": "off",
    }
    command = [sys.executable, "-m", "streamlit", "run", "server.py", "--server.port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def _wait_for(url: str) -> None:
    for _ in range(120):
        try:
            with urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.5)
    raise TimeoutError(f"{url} does not answer")


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Page]:
    """A browser window on the app; what it asks of other hosts is kept in `page.strangers`."""
    assert CHROMIUM, "CI needs Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        page = browser.new_page(viewport={"width": 1360, "height": 900})
        page.set_default_timeout(60_000)
        page.goto(f"{address}/documents")
        yield page
        browser.close()


def test_the_first_visit_of_all_may_open_any_page(page: Page, address: str) -> None:
    expect(page.get_by_role("heading", name="Documents")).to_be_visible()
    expect(page.get_by_text("The library is empty")).to_be_visible()
    expect(page.get_by_text("Page not found")).to_be_hidden()
    page.goto(address)


def test_samples_question_citation_trace(page: Page, address: str) -> None:
    strangers: list[str] = []
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((address, "data:", "blob:", address.replace("http", "ws")))
            else strangers.append(request.url)
        ),
    )

    page.get_by_role("button", name="Load the sample reports").click()
    expect(page.get_by_text("3 reports in the library")).to_be_visible(timeout=60_000)

    page.get_by_test_id("stChatInputTextArea").fill(QUESTION)
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Open trace")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("no language model used")).to_be_visible()
    expect(page.get_by_text("of 3 reports cited")).to_be_visible()

    mark = page.get_by_role("link", name="[1]").first
    with page.context.expect_page() as opened:
        mark.click()
    expect(opened.value.get_by_role("img", name="the passage marked")).to_be_visible(timeout=60_000)
    opened.value.close()

    page.get_by_text("sources", exact=False).last.click()
    page.get_by_role("button", name="[1]").first.click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_role("img", name="the passage marked")).to_be_visible(timeout=60_000)
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()

    page.reload()
    expect(page.get_by_text(QUESTION).first).to_be_visible(timeout=60_000)

    page.get_by_role("link", name="Open trace").click()
    expect(page.get_by_role("heading", name="Coverage")).to_be_visible(timeout=60_000)
    step = page.get_by_text("search_documents").first
    step.click()
    page.get_by_text("━").first.click()
    expect(page.get_by_role("columnheader", name="part").first).to_be_visible(timeout=60_000)
    assert strangers == []


def test_what_people_and_files_write_is_shown_letter_for_letter(page: Page, address: str) -> None:
    awkward = "Is it $5, ~$6 or <b>a_b</b> :smile: :material/check: [n](http://x.y) www.x.y joe@x.y a -> b -- c >= *d*?"
    page.goto(address)
    page.get_by_test_id("stChatInputTextArea").fill(awkward)
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Open trace").last).to_be_visible(timeout=60_000)
    expect(page.get_by_text(awkward, exact=True).first).to_be_visible()
    page.get_by_role("link", name="Open trace").last.click()
    expect(page.get_by_role("heading", name=awkward)).to_be_visible(timeout=60_000)


def test_a_narrow_window_stacks_the_matrix_under_the_steps_and_scrolls_tables_inside(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    page.goto(address)
    page.get_by_test_id("stChatInputTextArea").fill("Compare revenue across the reports.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Open trace").last).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Open trace").last.click()
    expect(page.get_by_role("heading", name="Coverage")).to_be_visible(timeout=60_000)
    steps, coverage = (page.get_by_role("heading", name=name).bounding_box() for name in ("Steps", "Coverage"))
    assert steps and coverage
    assert (steps["x"], steps["y"] < coverage["y"]) == (coverage["x"], True)
    table = page.locator("table").filter(has=page.get_by_role("columnheader", name="Period"))
    expect(table).to_be_visible()
    scrolled = "table => { while (getComputedStyle(table).overflowX != 'auto') table = table.parentElement; return "
    assert table.evaluate(f"{scrolled} table.getBoundingClientRect().right }}") <= 800
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 800
