"""What a model replied: a decision, plain words, or neither."""

import json
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag.agent.reply import Prose, Unreadable, read_text, read_tool_call
from rag.types import Action, Decision

REPORTED = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "A_model_replies.jsonl").read_text("utf-8").splitlines()
]
LOOK = {"thought": "Revenue first.", "action": "search_documents", "action_input": {"query": "revenue 2023"}}
READ = Decision("Revenue first.", "search_documents", {"query": "revenue 2023"})
JSON = json.dumps(LOOK)


def search(query, thought=""):
    return Decision(thought, "search_documents", {"query": query})


REPORTED_MEANINGS = [
    Decision("", "search_documents", {"query": "revenue 2023"}),
    Decision("Here is `the` call:", "search_documents", {"query": "use `net` sales"}),
    Decision("", "answer_directly", {"answer": "The note says ```json fences``` and } and ] here"}),
    Prose("Revenue was 41 million according to the report."),
    Prose("Revenue was 41 million."),
    Decision("", "get_document_summary", {}),
    Decision("", "search_documents", {}),
    Decision("", "search_documents", {}),
    Decision("", "Use search_documents", {"query": "x"}),
    Decision("", "lookup_stock_price", {"ticker": "ABC"}),
    search("dividend"),
    Prose("Profit rose 8% [2] and debt fell [7]. Margin was 12% [0][99]."),
]


@pytest.mark.parametrize(("reply", "meaning"), list(zip(REPORTED, REPORTED_MEANINGS, strict=True)))
def test_a_reported_reply_means_one_thing(reply, meaning):
    if reply["kind"] == "tool_call":
        assert read_tool_call(reply["name"], reply["arguments"]) == meaning
    else:
        assert read_text(reply["reply"]) == meaning


@pytest.mark.parametrize(
    "text",
    [
        JSON,
        f"```json\n{JSON}\n```",
        f"```\n{JSON}\n```\nI hope this helps!",
        f'<think>Should I answer? {{"action": "answer_directly"}} No.</think>\n{JSON}',
        f"Should I answer? No.</think>{JSON}",
        f"<think>Never closed. {JSON}",
        f"<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>{JSON}<|return|>",
        f"{JSON}\nObservation: 3 passages found.\n" + json.dumps(LOOK | {"action": "answer_directly"}),
        json.dumps([LOOK, LOOK | {"action": "compare_chunks"}]),
        json.dumps(LOOK)[:-2] + ",},}",
        str(LOOK),
        json.dumps(LOOK, indent=2),
        json.dumps(LOOK | {"action_input": json.dumps(LOOK["action_input"])}),
        json.dumps({"thought": "Revenue first.", "tool": "search_documents", "arguments": {"query": "revenue 2023"}}),
        json.dumps({"thought": "Revenue first.", "name": "search_documents", "parameters": {"query": "revenue 2023"}}),
        json.dumps({"thought": "Revenue first.", "action": "search_documents", "query": "revenue 2023"}),
        json.dumps({"thought": "Revenue first.", "action": "search_documents", "action_input": "revenue 2023"}),
        json.dumps(
            {
                "thought": "Revenue first.",
                "tool_calls": [
                    {"function": {"name": "search_documents", "arguments": '{"query": "revenue 2023"}'}},
                ],
            }
        ),
        'Thought: Revenue first.\nAction: search_documents\nAction Input: {"query": "revenue 2023"}',
        "Thought: Revenue first.\nAction: search_documents\nAction Input: revenue 2023\nObservation: It was 41.",
        '**Thought:** Revenue first.\n**Action:** search_documents\n**Action Input:** {"query": "revenue 2023"}',
        'Thought: Revenue first.\nAction: `search_documents`\nAction Input:\n```json\n{"query": "revenue 2023"}\n```\n',
    ],
)
def test_one_decision_in_many_spellings(text):
    read = read_text(text)
    assert isinstance(read, Decision)
    assert (read.action, read.action_input) == (READ.action, READ.action_input)


def test_its_thought_is_kept():
    assert read_text(JSON).thought == "Revenue first."
    bare = json.dumps({key: LOOK[key] for key in ("action", "action_input")})
    read = read_text(f"I look for revenue.\n```json\n{bare}\n```")
    assert read == search("revenue 2023", "I look for revenue.")


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("Final Answer: Revenue was 41 million [1].", "Revenue was 41 million [1]."),
        ("Thought: Done.\nFinal Answer: Revenue was 41 million [1].", "Revenue was 41 million [1]."),
        ("```markdown\nRevenue was 41 million [1].\n```", "Revenue was 41 million [1]."),
        ("<think>Hm.</think>Revenue was {41} million.", "Revenue was {41} million."),
        ('The data are {"revenue": 41}, says the report.', 'The data are {"revenue": 41}, says the report.'),
        ("It was 41 million.\nObservation: made up", "It was 41 million."),
    ],
)
def test_plain_words_come_without_labels_and_thinking(text, prose):
    assert read_text(text) == Prose(prose)


@pytest.mark.parametrize(
    "text", ["", "  ", "<think>And so", '{"revenue": 41}', "```json\n{}\n```", '{"action": search}', "Thought: hm."]
)
def test_what_holds_neither_is_said_to_be_unreadable(text):
    assert isinstance(read_text(text), Unreadable)


@pytest.mark.parametrize("cut", range(1, len(JSON)))
def test_a_reply_that_was_cut_is_never_mended_into_a_decision(cut):
    assert not isinstance(read_text(JSON[:cut]), Decision)
    assert isinstance(read_tool_call("search_documents", json.dumps(LOOK["action_input"])[: cut % 20 + 1]), Unreadable)


def test_a_decision_inside_an_object_that_was_cut_is_not_taken():
    assert isinstance(read_text('{"thought": "x", "plan": [' + JSON + ', {"action": "answ'), Unreadable)


def test_an_answer_alone_is_an_answer():
    assert read_text('{"answer": "41 million [1]"}') == Decision("", "answer_directly", {"answer": "41 million [1]"})


@pytest.mark.parametrize("arguments", ["", "{}", "null", "  ", None, {}])
def test_no_arguments_are_none_and_the_tool_says_what_it_needs(arguments):
    assert read_tool_call("search_documents", arguments) == Decision("", "search_documents", {})


def test_a_thought_among_the_arguments_is_no_argument():
    assert read_tool_call("search_documents", '{"thought": "Why not.", "query": "debt"}') == search("debt", "Why not.")
    assert read_tool_call("search_documents", '{"query": "debt"}', "Beside it.") == search("debt", "Beside it.")


@pytest.mark.parametrize("arguments", ['{"query": "deb', '["debt"', "{query: debt}"])
def test_arguments_that_are_no_json_are_unreadable(arguments):
    assert isinstance(read_tool_call("search_documents", arguments), Unreadable)


@pytest.mark.parametrize(
    "text", ["{" * 100_000, '{"' * 50_000, '{"a":' * 50_000, "<think>" * 20_000 + "</", "[" * 100_000, "{'" * 50_000]
)
def test_hostile_text_ends_at_once(text):
    assert isinstance(read_text(text), (Unreadable, Prose))
    read_tool_call("search_documents", text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
INPUTS = st.dictionaries(st.text(min_size=1, max_size=8).filter(lambda key: key != "thought"), VALUES, max_size=4)


@given(st.text())
@example("{'a': {1: 2}}")
@example('{"action": {"action": {}}}')
@example('{"tool_calls": [{}]}')
@example('{"action": "x", "action_input": "{"}')
def test_no_text_breaks_it(text):
    assert isinstance(read_text(text), (Decision, Prose, Unreadable))
    assert isinstance(read_tool_call("search_documents", text), (Decision, Unreadable))


@given(st.sampled_from(get_args(Action)), INPUTS, st.sampled_from(["", "Well:\n", "```json\n", "<think>{</think>"]))
def test_whatever_is_written_as_a_decision_is_read_as_it_is(action, inputs, before):
    written = json.dumps({"thought": "Why.", "action": action, "action_input": inputs})
    assert read_text(before + written) == Decision("Why.", action, inputs)
    assert read_tool_call(action, json.dumps(inputs)) == Decision("", action, inputs)


@given(st.text(max_size=80), INPUTS)
def test_every_word_of_a_decision_stands_in_the_reply(around, inputs):
    reply = around + json.dumps({"action": "search_documents", "action_input": inputs}, ensure_ascii=False) + around
    read = read_text(reply)
    if isinstance(read, Decision):
        for value in read.action_input.values():
            assert not isinstance(value, str) or json.dumps(value, ensure_ascii=False)[1:-1] in reply or value in reply
