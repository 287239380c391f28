"""JSON objects inside a text."""

import pytest

from rag.agent.loose_json import BadJson, objects, read_object


def values(text):
    return [piece.value for piece in objects(text)]


def test_objects_come_from_left_to_right_and_only_the_outermost():
    assert values('a {"b": {"c": 1}} d {"e": 2}') == [{"b": {"c": 1}}, {"e": 2}]


def test_braces_and_quotes_inside_strings_do_not_count():
    assert values('{"a": "} \\" {"} {"b": 1}') == [{"a": '} " {'}, {"b": 1}]


@pytest.mark.parametrize("text", ['{"a": [1, 2,],}', "{'a': [1, 2]}", '{"a": [1,\n 2 , ] }'])
def test_commas_too_many_and_pythons_spelling_are_forgiven(text):
    assert read_object(text) == {"a": [1, 2]}


def test_a_comma_inside_a_string_stays():
    assert read_object('{"a": "x,}", }') == {"a": "x,}"}


def test_a_line_break_inside_a_string_is_forgiven():
    assert read_object('{"a": "x\ny"}') == {"a": "x\ny"}


def test_an_apostrophe_opens_no_string():
    assert values('It\'s {"a": 1}') == [{"a": 1}]


def test_an_object_without_its_end_is_told_and_nothing_in_it_is_taken():
    (piece,) = objects('{"a": {"b": 1}')
    assert piece.value is None and piece.wrong == "its end is missing"


def test_one_that_is_no_json_is_told_with_the_place():
    with pytest.raises(BadJson, match="at character 6"):
        read_object('{"a": b}')


def test_a_text_without_any_is_said_so():
    with pytest.raises(BadJson, match="no object"):
        read_object("nothing")
