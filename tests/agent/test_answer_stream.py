"""The answer as it grows, out of JSON that comes in pieces."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag.agent.answer_stream import AnswerStream
from rag.agent.reply import read_text, read_tool_call

ANSWER = 'Café \U0001f600 rose\n"8%" [2] \\ {not} </think> it’s'
DECISION = {"thought": "Enough.", "action": "answer_directly", "action_input": {"answer": ANSWER}}


def streamed(text, action=None, size=1):
    stream = AnswerStream(action)
    given = [stream.feed(text[at : at + size]) for at in range(0, len(text), size)]
    assert stream.text == "".join(given)
    return stream.text


FORMS = [
    json.dumps(DECISION),
    json.dumps(DECISION, ensure_ascii=False, indent=1),
    json.dumps(dict(reversed(DECISION.items()))),
    str(DECISION),
    f"```json\n{json.dumps(DECISION)}\n```",
    f"Here, in the set {{a, b}}: {json.dumps(DECISION)}",
    f"Numbers: {{'revenue': 41}} {json.dumps(DECISION)}",
    f'<think>Is it {{"action": "answer_directly", "input": {{"answer": "no"}}}}?</think>{json.dumps(DECISION)}',
    f"<|channel|>analysis<|message|>{{'a': 1<|end|><|start|>assistant<|channel|>final<|message|>{json.dumps(DECISION)}",
    f"{json.dumps(DECISION)}\n{json.dumps(DECISION)}",
    json.dumps({"input": {"sources": [{"answer": "no"}], "answer": ANSWER}, "tool": "answer_directly"}),
]


@pytest.mark.parametrize("size", [1, 2, 7, 10_000])
@pytest.mark.parametrize("text", FORMS)
def test_the_answer_comes_whole_out_of_any_pieces(text, size):
    assert read_text(text).action_input["answer"] == ANSWER
    assert streamed(text, size=size) == ANSWER


@pytest.mark.parametrize("size", [1, 3, 10_000])
def test_the_arguments_of_a_tool_call_are_read(size):
    arguments = json.dumps({"thought": "Enough.", "answer": ANSWER, "value": 8})
    assert read_tool_call("answer_directly", arguments).action_input["answer"] == ANSWER
    assert streamed(arguments, "answer_directly", size) == ANSWER


def test_the_answer_grows_with_each_piece():
    stream = AnswerStream()
    pieces = [
        '{"action": "answer_directly", "action_input": {"answer": "It',
        " ro",
        "se \\ud83d",
        "\\ude0",
        '0."}}',
        "x",
    ]
    assert [stream.feed(piece) for piece in pieces] == ["It", " ro", "se ", "", "\U0001f600.", ""]


def test_an_answer_is_held_until_its_action_is_known():
    stream = AnswerStream()
    assert stream.feed('{"action_input": {"answer": "It rose."}, "act') == ""
    assert stream.feed('ion": "answer_directly"}') == "It rose."


@pytest.mark.parametrize(
    "text",
    [
        '{"action": "search_documents", "action_input": {"answer": "no"}}',
        '{"action_input": {"answer": "no"}, "action": "search_documents"}',
        '{"action": "answer_directly", "action_input": {"value": {"answer": "no"}}}',
        '{"action": "answer_directly", "action_input": {"answer": ["no"]}}',
        '{"thought": {"answer": "no"}, "action": "answer_directly", "action_input": {}}',
        '{"action": "answer_directly", "answer": "held until the end"}',
        '{"answer": "data"}',
        "It rose: {answer}.",
        "Final Answer: It rose.",
        "<think>" + json.dumps(DECISION),
        "",
    ],
)
def test_nothing_comes_of_anything_else(text):
    assert streamed(text) == ""


def test_the_arguments_of_another_tool_give_nothing():
    assert streamed('{"answer": "no"}', "search_documents") == ""


def test_half_a_surrogate_pair_is_given_as_it_is_read():
    text = '{"action": "answer_directly", "action_input": {"answer": "\\ud83d is \\ude00, \\ud83d"}}'
    assert streamed(text) == read_text(text).action_input["answer"] == "\ufffd is \ufffd, \ufffd"


def test_an_escape_that_json_does_not_know_ends_the_stream():
    assert streamed('{"action": "answer_directly", "action_input": {"answer": "8\\% of \\d"}}') == "8% of "


@given(st.text(), st.permutations(list(DECISION)), st.booleans(), st.lists(st.integers(1, 9), min_size=1))
@example("\U0001f600", list(DECISION), True, [1])
def test_any_split_of_any_decision_gives_its_answer(answer, keys, ascii_only, sizes):
    decision = DECISION | {"thought": answer, "action_input": {"value": None, "answer": answer}}
    text = json.dumps({key: decision[key] for key in keys}, ensure_ascii=ascii_only)
    stream, given, at = AnswerStream(), "", 0
    while at < len(text):
        size = sizes[at % len(sizes)]
        given += stream.feed(text[at : at + size])
        at += size
    assert given == read_text(text).action_input["answer"] == answer


@given(st.text() | st.text("{}[]\"'\\:,u0 <>action", max_size=60))
@example("{" * 10_000)
@example('{"a":' * 10_000)
@example("\ud800")
def test_nothing_raises(text):
    assert isinstance(streamed(text), str)
    assert isinstance(streamed(text, "answer_directly"), str)
