"""Serves the pages and the HTTP API in one process on one port.

`streamlit run server.py` takes Streamlit's flags and variables, `python server.py` what .streamlit/config.toml says.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from streamlit.runtime.pages_manager import PagesManager

from rag.api.app import Beside, make_api
from rag.api.door import check_address
from rag.api.logs import log_to_stderr
from rag.errors import BadInput
from rag.settings import Settings, environment

# The folder pages/ is ours, not Streamlit's older discovery: left on, the first visit after a start that opens a deep
# link is told "Page not found" over the right page.
PagesManager.uses_pages_directory = False

PATIENCE = 5  # seconds that a client has to finish what it is at, once the server is to end


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """A signal to end cancels the runs first: the server waits for whoever still listens, though not for ever."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, partial(end, loop, signal.getsignal(number)))
    yield
    api.runner.close()


def end(loop: asyncio.AbstractEventLoop, server: Any, *given: object) -> None:
    loop.call_soon_threadsafe(api.runner.stop)
    if callable(server):
        server(*given)
        loop.call_soon_threadsafe(
            loop.call_later, PATIENCE, server, signal.SIGINT, None
        )  # a second one ends it at once


try:
    settings = Settings.read(environment(os.environ))
    api = make_api(settings)
    app = st.App(Path(__file__).with_name("app.py"), middleware=[Middleware(Beside, api=api.app)], lifespan=lifespan)
    check_address(st.get_option("server.address"), settings)  # which is known once the app is made
except BadInput as error:
    sys.exit(str(error))
log_to_stderr()
sys.setswitchinterval(0.001)  # seconds; beside threads that compute, answers go out a quarter sooner than with 0.005

if __name__ == "__main__":
    app.run()
