"""What a page says, as a person reads it."""

import re

from streamlit.testing.v1 import AppTest


def shown(app: AppTest) -> str:
    """The page's texts, with Markdown's escapes and the spans of no colour taken away."""
    elements = [*app.title, *app.subheader, *app.markdown, *app.caption, *app.warning, *app.error]
    text = "\n".join(str(element.value) for element in elements)
    text = re.sub(r":color\[\\(.)\]", r"\1", text)
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)


def keys(app: AppTest, start: str) -> list[str]:
    """Keys of the buttons that begin so."""
    return [button.key for button in app.button if button.key and button.key.startswith(start)]
