"""The router: which pages there are, and how the window looks."""

import streamlit as st

st.set_page_config(page_title="Tracebook", page_icon=":material/account_tree:", layout="wide")
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
