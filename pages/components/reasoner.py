"""Who decides: rules or a language model, why, and whether the model can be reached."""

import time

import streamlit as st

from pages.components.session import workspace
from pages.components.text import plain, seconds
from rag.errors import ModelFailed


def draw_reasoner() -> None:
    """A button with the reasoner's name, which unfolds to the reason and, for a model, to a test of its connection."""
    work, choice = workspace(), workspace().reasoner()
    name = choice.model if choice.endpoint else "Rules, no model"
    if not work.settings.agent_enabled:
        st.caption(
            ":material/power_settings_new: The agent is turned off (TRACEBOOK_AGENT_ENABLED); "
            "single-shot and search go on.",
            width="content",
        )
        return
    with st.popover(plain(name), icon=":material/psychology:", type="tertiary", key="reasoner"):
        st.markdown(f"**{plain(choice.name)}**")
        st.caption(plain(choice.why))
        if not choice.endpoint:
            st.caption("The README says how to set up a language model.")
        elif st.button("Test connection", key="test-model", icon=":material/network_check:"):
            _draw_test()


def _draw_test() -> None:
    began = time.perf_counter()
    try:
        with st.spinner("Asking the model …"):
            said = workspace().test_model()
    except ModelFailed as error:
        st.error(plain(str(error)), icon=":material/error:")
    else:
        st.success(f"It answers: “{plain(said[:80])}” ({seconds(time.perf_counter() - began)})")
