"""The library: upload reports, see what they are, read their passages beside the pages, correct and delete them."""

import streamlit as st

from pages.components.card import draw_card
from pages.components.embedding import draw_embedding
from pages.components.reader import draw_document
from pages.components.samples import draw_samples_button
from pages.components.session import session, workspace
from pages.components.sheets import sheet
from pages.components.text import plain
from pages.components.uploads import draw_choice, draw_lock, draw_outcome, take_in
from rag.errors import TracebookError
from rag.ingest.upload import Upload
from rag.words import count
from rag.workspace import SAMPLES

TYPES = ["pdf", "docx", "txt", "md", "markdown", "html", "htm"]

work, state = workspace(), session()

asked_for = st.query_params.get("document")
if asked_for:
    try:
        document = work.document(asked_for)
    except TracebookError as error:
        st.title("Documents")
        st.warning(plain(str(error)), icon=":material/warning:")
    else:
        draw_document(document)
        st.stop()
else:
    st.title("Documents")

files = st.file_uploader(
    "Add reports: PDF, DOCX, TXT, Markdown or HTML", TYPES, accept_multiple_files=True, key=f"upload-{state.uploads}"
)
if files:
    uploads = tuple(Upload(file.name, file.getvalue()) for file in files)
    if work.new_versions(uploads):
        state.undecided = uploads
    else:
        take_in(uploads)
    state.uploads += 1  # a fresh uploader: these files are done with, whatever is clicked next
    st.rerun()
if state.undecided:
    draw_choice(state.undecided)
for end in state.outcomes:
    draw_outcome(end)
for number, upload in enumerate(state.locked):
    draw_lock(number, upload)
documents = work.documents()
if documents:
    draw_embedding()
    pages, passages = sum(d.pages for d in documents), sum(d.passages for d in documents)
    st.caption(f"{count(len(documents), 'report')}, {count(pages, 'page')}, {count(passages, 'passage')}")
else:
    st.caption("The library is empty. Three short reports of invented companies are there to try it with.")
    draw_samples_button(primary=True)
for document in sheet(documents[::-1], 20, key="cards"):
    draw_card(document)
if documents and not {path.name for path in SAMPLES.glob("*.pdf")} <= {document.file for document in documents}:
    draw_samples_button()
