import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag.errors import BadInput
from rag.types import Answer, CoverageRow, Document, FileProgress, Notebook, Page, Step, Trace
from rag.wire import camel, from_json, to_json

st.register_type_strategy(object, st.text() | st.integers() | st.lists(st.text()))
st.register_type_strategy(float, st.floats(allow_nan=False))
SOME = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@pytest.mark.parametrize("kind", [Step, Answer, CoverageRow, Document, FileProgress, Notebook, Page, Trace])
def test_whatever_a_dataclass_holds_comes_back_from_its_json(kind):
    @SOME
    @given(st.from_type(kind))
    def comes_back(value):
        assert from_json(kind, json.loads(json.dumps(to_json(value)))) == value

    comes_back()


def test_fields_are_camel_case_and_ids_as_keys_are_not_touched():
    row = CoverageRow("a_1", "a.pdf", "Alder", "not_searched", 0, 0.0, 0, 0)
    assert list(to_json(row))[:2] == ["documentId", "file"]
    assert to_json({"a_1": row.state}) == {"a_1": "not_searched"}
    assert camel("max_iterations_reached") == "maxIterationsReached"


def test_none_is_kept():
    assert to_json(FileProgress("a.pdf", "waiting"))["error"] is None


def test_a_field_with_a_default_may_be_absent():
    assert from_json(FileProgress, {"file": "a.pdf", "stage": "waiting"}) == FileProgress("a.pdf", "waiting")


@pytest.mark.parametrize(
    ("value", "message"), [({"stage": "added"}, "lacks 'file'"), ([], "stands where a dict should"), (None, "dict")]
)
def test_json_of_something_else_is_refused(value, message):
    with pytest.raises(BadInput, match=message):
        from_json(FileProgress, value)
