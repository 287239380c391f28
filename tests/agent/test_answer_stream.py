"""The text of an answer while its decision is still being written."""

import json
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.agent.answer_stream import AnswerStream

ANSWER = 'Café "X" fell 8 %\n- by 😀 [1]'


def streamed(text, size=1):
    stream = AnswerStream(native=False)
    return "".join(stream.feed(text[at : at + size]) for at in range(0, len(text), size))


def decision(answer=ANSWER, action="answer_directly", **more):
    return {"thought": "Done {", "action": action, "action_input": {"value": 1, "answer": answer}} | more


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_pieces_are_the_answer_however_it_is_cut(size, ascii_only):
    assert streamed(json.dumps(decision(), ensure_ascii=ascii_only), size) == ANSWER


@pytest.mark.parametrize("before", ["```json\n", "Here it is: ", '<think>{"action": 1}</think>'])
def test_what_stands_before_the_decision_is_no_part_of_it(before):
    assert streamed(before + json.dumps(decision()) + "\n```") == ANSWER


def test_an_answer_before_its_action_is_held_back_until_that_is_known():
    text = json.dumps(dict(reversed(decision().items())))
    stream = AnswerStream(native=False)
    assert stream.feed(text[: text.index('"action":')]) == ""
    assert stream.feed(text[text.index('"action":') :]) == ANSWER


def test_another_action_gives_nothing():
    assert streamed(json.dumps(decision(action="search_documents"))) == ""


def test_an_answer_deeper_inside_is_none():
    assert streamed(json.dumps({"action": "answer_directly", "action_input": {"notes": [{"answer": "no"}]}})) == ""


def test_plain_words_give_nothing():
    assert streamed("Revenue was 41 million.") == ""


@pytest.mark.parametrize(("name", "told"), [("answer_directly", ANSWER), ("search_documents", "")])
def test_a_native_call_is_told_apart_by_its_name(name, told):
    stream, arguments = AnswerStream(native=True), json.dumps({"thought": "Done.", "answer": ANSWER})
    pieces = [stream.feed_call(name, "")] + [stream.feed_call("", sign) for sign in arguments]
    assert "".join(pieces) == told


@given(st.text(), st.lists(st.integers(1, 12), min_size=1, max_size=6), st.booleans())
def test_any_answer_in_any_pieces(answer, sizes, ascii_only):
    text, stream = json.dumps(decision(answer), ensure_ascii=ascii_only), AnswerStream(native=False)
    cuts = [0, *accumulate(sizes * (1 + len(text) // sum(sizes)))]
    assert "".join(stream.feed(text[a:b]) for a, b in pairwise(cuts)) == answer


@given(st.text())
def test_no_text_breaks_it(text):
    stream = AnswerStream(native=False)
    assert isinstance(stream.feed(text) + stream.feed_call("", text), str)
