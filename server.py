"""Serves the pages in one process on one port: `python server.py`."""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

# The folder pages/ is ours, not Streamlit's older discovery: left on, the first visit after a start that opens a deep
# link is told "Page not found" over the right page.
PagesManager.uses_pages_directory = False

app = st.App("app.py")

if __name__ == "__main__":
    app.run()
