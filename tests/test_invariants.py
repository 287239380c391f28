"""Whatever is added, replaced, deleted, embedded, broken off and started again: the library stays whole."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from rag.check import check
from rag.index.bm25 import Bm25Scorer
from rag.index.store import Store
from rag.ingest.parse import parse
from rag.ingest.upload import Upload
from rag.types import ParsedDocument, Query

MODEL = "numbers"
FILES = ("annual report.txt", "売上.txt")
TEXTS = tuple(f"Report of quokka{number}. 売上高は{number}億円。" for number in range(6))
STEPS = 12  # instructions of SQLite between two moments at which the process may die


def read(text: str, file: str) -> tuple[ParsedDocument, bytes]:
    upload = Upload(file, text.encode())
    return parse(upload, chunk_tokens=256, report=lambda done, total: None), upload.data


class Library(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="tracebook-"))
        self.store = Store.open(self.folder / "0", model=MODEL)
        self.there: dict[str, str] = {}  # file by document id
        self.lives = 1

    def teardown(self):
        self.store.close()
        shutil.rmtree(self.folder)

    @rule(text=st.sampled_from(TEXTS), file=st.sampled_from(FILES))
    def add(self, text, file):
        self.there.setdefault(self.add_to(self.store, text, file), file)

    @rule(text=st.sampled_from(TEXTS), file=st.sampled_from(FILES))
    def replace(self, text, file):
        self.there = self.after_replacing(self.store, text, file)

    @precondition(lambda self: self.there)
    @rule(at=st.integers(0, 99))
    def delete(self, at):
        document_id = sorted(self.there)[at % len(self.there)]
        self.store.remove(document_id)
        del self.there[document_id]

    @rule(passages=st.integers(1, 4))
    def embed(self, passages):
        ids = [each.passage_id for each in self.store.unembedded(passages, model=MODEL)]
        self.store.save_vectors(MODEL, ids, np.tile(np.float32([0.6, 0.8]), (len(ids), 1)))

    @rule()
    def restart(self):
        folder = self.store.folder
        self.store.close()
        self.store = Store.open(folder, model=MODEL)

    @rule(
        change=st.sampled_from(("add", "replace", "delete", "embed")),
        text=st.sampled_from(TEXTS),
        file=st.sampled_from(FILES),
        moment=st.integers(0, 60),
    )
    def die(self, change, text, file, moment):
        """The change is made while the folder is copied at one moment of it, as it would lie there after a kill."""
        before = dict(self.there)
        image = self.folder / str(self.lives)
        self.lives += 1
        self.at_moment(moment, lambda: shutil.copytree(self.store.folder, image))
        if change == "add":
            self.add(text, file)
        elif change == "replace":
            self.replace(text, file)
        elif change == "embed":
            self.embed(3)
        elif self.there:
            self.delete(moment)
        self.store.connection().set_progress_handler(None, 0)
        if image.exists():
            self.store.close()
            self.store = Store.open(image, model=MODEL)
            found = {document.id: document.file for document in self.store.documents()}
            assert found in (before, self.there)
            self.there = found

    def at_moment(self, moment: int, act: Callable[[], object]) -> None:
        def step() -> int:
            nonlocal moment
            moment -= 1
            if moment == -1:
                act()
            return 0

        self.store.connection().set_progress_handler(step, STEPS)

    @staticmethod
    def add_to(store, text, file):
        return store.add(*read(text, file)).id

    def after_replacing(self, store, text, file):
        parsed, data = read(text, file)
        store.replace(parsed, data)
        if parsed.id in self.there:
            return self.there
        return {id: name for id, name in self.there.items() if name != file} | {parsed.id: file}

    @invariant()
    def is_whole(self):
        assert check(self.store) == ()

    @invariant()
    def holds_what_was_added(self):
        documents = self.store.documents()
        assert {document.id: document.file for document in documents} == self.there
        assert len({document.title for document in documents}) == len(documents)

    @invariant()
    def finds_what_it_holds_and_nothing_else(self):
        hits = Bm25Scorer(self.store).search(Query("report 売上高", k=99)).hits
        assert {hit.passage.document_id for hit in hits} == set(self.there)


TestLibrary = Library.TestCase
TestLibrary.settings = settings(max_examples=50, stateful_step_count=20, deadline=None)
