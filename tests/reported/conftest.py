"""A library for each case, the one that the pages open, too."""

import pytest

from rag.agent.language import LanguageReasoner
from rag.check import check
from rag.ingest.upload import Upload
from rag.models.scripted import ScriptedChat
from rag.ways import WayStore
from tests.pages.conftest import show, workspace
from tests.reported.cases import answer, read

__all__ = ["show", "workspace"]  # the pages' own fixtures


@pytest.fixture
def library(workspace):
    return workspace


@pytest.fixture
def add(library):
    """Adds files by name or as uploads; gives why each of those that failed did."""

    def add(*files):
        uploads = [each if isinstance(each, Upload) else read(each) for each in files]
        ends = [end for end in library.add(uploads) if end.stage in ("added", "failed", "duplicate")]
        assert len(ends) == len(uploads)
        assert check(library._store) == ()
        return {end.file: end.error for end in ends if end.error}

    return add


@pytest.fixture
def decided(library):
    """A run that a model of these replies decides: its trace, and the model with what it was sent."""

    def decided(question, *replies):
        model = ScriptedChat(*replies)
        reasoner = LanguageReasoner(model, WayStore(library._store.connection), room=16_000)
        return answer(library, question, reasoner=reasoner), model

    return decided
