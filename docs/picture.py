"""Takes docs/trace.png from the app: python docs/picture.py. Needs Chromium and the development requirements."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from rag.settings import Settings  # noqa: E402
from rag.types import RunFinished  # noqa: E402
from rag.workspace import Workspace  # noqa: E402

QUESTION = "What are the common risk factors mentioned across these annual reports, and do any of them overlap?"
SIZE = {"width": 1360, "height": 940}


def ask(data: Path) -> str:
    """The id of a run over the samples."""
    workspace = Workspace.open(Settings(data=data))
    try:
        list(workspace.add_samples())
        workspace.wait_for_embeddings()
        return next(event.trace.run_id for event in workspace.ask(QUESTION) if isinstance(event, RunFinished))
    finally:
        workspace.close()


@contextmanager
def app(data: Path) -> Iterator[str]:
    """The address of the app while it runs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "server.py", "--server.port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"TRACEBOOK_DATA": str(data)})
    try:
        for _ in range(100):
            time.sleep(0.2)
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health")
                break
            except OSError:
                continue
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        run_id = ask(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        with app(Path(folder)) as address:
            page = browser.new_page(viewport=SIZE, color_scheme="light")
            page.goto(f"{address}/trace?run={run_id}")
            page.get_by_text("search_documents").first.click()
            page.get_by_text("━").first.click()
            page.wait_for_timeout(3_000)  # until the unfolded step and the chart are drawn
            page.screenshot(path=ROOT / "docs" / "trace.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
