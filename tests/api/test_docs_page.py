"""The page that describes the API, in a real browser."""

from playwright.sync_api import expect, sync_playwright

from tests.pages.test_browser import CHROMIUM, FLAGS
from tests.pages.test_browser import pytestmark as in_browser

pytestmark = in_browser


def test_it_draws_every_operation_and_sends_what_is_typed(server):
    described = server.get("/api/openapi.json").json()["paths"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        page = browser.new_page()
        strangers = []
        page.on(
            "request", lambda request: strangers.append(request.url) if str(server.base_url) not in request.url else 0
        )
        page.goto(f"{server.base_url}/api/docs")
        expect(page.locator("section > details")).to_have_count(sum(map(len, described.values())))
        search = page.locator("section > details", has_text="/rag/search")
        search.locator("> summary").click()
        search.get_by_label("q (required)").fill("castings")
        search.get_by_role("button").click()
        expect(search.locator("> pre")).to_contain_text("A shortage of castings")
        assert strangers == []
        browser.close()
