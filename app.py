"""The router: which pages there are, and how the window looks."""

from pathlib import Path

import streamlit as st

PICTURES = Path(__file__).parent / "pages"
ICON = PICTURES / "icon.svg"  # a file of our own: an icon's name would be fetched from the web

st.set_page_config(page_title="Tracebook", page_icon=ICON, layout="wide")
st.logo(PICTURES / "wordmark.svg", size="large", icon_image=ICON)
page = st.navigation(
    {
        "Ask": [
            st.Page("pages/ask/chat.py", title="Chat", icon=":material/forum:", default=True),
            st.Page("pages/ask/trace.py", title="Trace", icon=":material/account_tree:"),
        ],
        "Library": [
            st.Page("pages/library/documents.py", title="Documents", icon=":material/folder_open:"),
            st.Page("pages/library/search.py", title="Search", icon=":material/search:"),
        ],
        "Quality": [st.Page("pages/quality/evaluation.py", title="Evaluation", icon=":material/fact_check:")],
    }
)
page.run()
