"""Serves the pages and the HTTP API in one process on one port: `python server.py`."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from rag.api.app import make_api
from rag.api.door import check_address
from rag.api.logs import log_to_stderr
from rag.errors import BadInput
from rag.settings import Settings, environment

# The folder pages/ is ours, not Streamlit's older discovery: left on, the first visit after a start that opens a deep
# link is told "Page not found" over the right page.
PagesManager.uses_pages_directory = False


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    yield
    api.close()


try:
    settings = Settings.read(environment(os.environ))
    api = make_api(settings)
    app = st.App(Path(__file__).with_name("app.py"), routes=api.routes, lifespan=lifespan)
    check_address(st.get_option("server.address"), settings)  # which is known once the app is made
except BadInput as error:
    sys.exit(str(error))
log_to_stderr()
sys.setswitchinterval(0.001)  # seconds; beside threads that compute, answers go out a quarter sooner than with 0.005

if __name__ == "__main__":
    app.run()
