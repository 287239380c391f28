"""Ask across the reports; a notebook of questions, each with its steps, its cited answer and its ledger."""

import streamlit as st

from pages.components.cell import draw_cell, draw_folded, draw_mode, selection
from pages.components.notebook import add_cell, current, open_notebook
from pages.components.reasoner import draw_reasoner
from pages.components.samples import draw_invitation
from pages.components.session import REPORTS, lists_of, ticked_reports, workspace
from pages.components.text import plain
from rag.words import count

SUGGESTIONS = (
    "What are the common risk factors mentioned across these annual reports, and do any of them overlap?",
    "Compare revenue across the reports.",
    "What do the reports say about cyber attacks?",
)

work = workspace()
documents = {document.id: document for document in work.documents()}
notebook = current()

with st.bottom.container(gap="small"):
    with st.container(horizontal=True, vertical_alignment="center"):
        mode = draw_mode("agent", key="mode")
        label = count(ticked_reports(), "report") if ticked_reports() else "Whole library"
        with (
            st.popover(label, icon=":material/folder_open:", type="tertiary", disabled=not documents, key="scope"),
            st.container(height=220, border=False, width=460),  # tall from the start, so that it opens upwards
        ):
            chosen = st.multiselect(
                "Reports to ask",
                list(documents),
                format_func=lambda document: documents[document].title,
                placeholder="Whole library",
                key=REPORTS,
                persist_state="session",
            )
        draw_reasoner()
    asked = st.chat_input("Ask across your reports", submit_mode="stop", disabled=not documents, key="question")

with st.sidebar.container(gap=None):
    st.caption("Notebooks")
    st.button(
        "New notebook", icon=":material/add:", on_click=open_notebook, type="tertiary", disabled=not notebook.cells
    )
    for other in work.notebooks(owner=lists_of())[:12]:
        icon = ":material/menu_book:" if other.id == notebook.id else ":material/book:"
        st.button(
            plain(other.title),
            key=f"notebook-{other.id}",
            icon=icon,
            on_click=open_notebook,
            args=(other.id,),
            type="tertiary",
            wrap=False,
        )

with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
    st.title("Chat")
    if notebook.cells:
        with st.popover("Export", icon=":material/download:", type="tertiary"):
            for form, words, ending, mime in (
                ("markdown", "Markdown", "md", "text/markdown"),
                ("jupyter", "Jupyter notebook", "ipynb", "application/x-ipynb+json"),
            ):
                st.download_button(
                    words,
                    lambda form=form: work.export_notebook(notebook.id, form),
                    file_name=f"notebook.{ending}",
                    mime=mime,
                    key=f"export-{form}",
                    on_click="ignore",
                    type="tertiary",
                )

if asked and asked.strip():
    add_cell(asked.strip(), mode, selection(chosen))
    notebook = current()
start = st.empty()  # one place, so that what stands in it goes at once when a first question comes
if not documents:
    with start.container():
        draw_invitation()
elif not notebook.cells:
    with start.container(gap="xsmall"):
        st.caption(f"{count(len(documents), 'report')} in the library. Ask one thing of all of them:")
        for number, suggestion in enumerate(SUGGESTIONS):
            st.button(
                suggestion,
                key=f"suggestion-{number}",
                icon=":material/arrow_forward:",
                on_click=add_cell,
                args=(suggestion, mode, selection(chosen)),
                type="tertiary",
            )
for number, cell in enumerate(notebook.cells):
    draw = draw_cell if cell is notebook.cells[-1] else draw_folded
    draw(cell, documents, notebook.cells[:number])
