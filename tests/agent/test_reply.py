"""What a model replied, in all the ways in which models write it."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag.agent.reply import Prose, Unreadable, read_text, read_tool_call
from rag.types import Decision

ASK = {"thought": "Look.", "action": "search_documents", "action_input": {"query": "net sales"}}
PLAIN = json.dumps(ASK)
LOOK = Decision(**ASK)

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
decisions = st.builds(
    Decision,
    st.text(),
    st.sampled_from(("search_documents", "answer_directly", "compare_chunks", "lookup")) | st.text().filter(str.strip),
    st.dictionaries(st.sampled_from(("query", "answer", "documents", "action")) | st.text(), values, max_size=4),
)


def dumped(decision, **how):
    return json.dumps(
        {"thought": decision.thought, "action": decision.action, "action_input": decision.action_input}, **how
    )


def searched(query, thought=""):
    return Decision(thought, "search_documents", {"query": query})


# Replies that people reported

MEANT = [
    searched("revenue 2023"),
    searched("use `net` sales", "Here is `the` call:"),
    Decision("", "answer_directly", {"answer": "The note says ```json fences``` and } and ] here"}),
    Prose("Revenue was 41 million according to the report."),
    Prose("Revenue was 41 million."),
    Decision("", "get_document_summary", {}),
    Decision("", "search_documents", {}),
    Decision("", "search_documents", {}),
    Decision("", "Use search_documents", {"query": "x"}),
    Decision("", "lookup_stock_price", {"ticker": "ABC"}),
    searched("dividend"),
    Prose("Profit rose 8% [2] and debt fell [7]. Margin was 12% [0][99]."),
]
REPORTED = (Path(__file__).parents[1] / "data" / "A_model_replies.jsonl").read_text("utf-8").splitlines()


@pytest.mark.parametrize("line, meant", [*zip(REPORTED, MEANT, strict=True)])
def test_a_reported_reply_is_understood(line, meant):
    case = json.loads(line)
    read = read_text(case["reply"]) if case["kind"] == "content" else read_tool_call(case["name"], case["arguments"])
    assert read == meant


# JSON as models write it


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```",
        f"Sure, here it is:\n\n{PLAIN}\n\nLet me know [1].",
        f"In the set {{a, b}} I choose {PLAIN}",
        f"<think>I could {{say}} {PLAIN.replace('net', 'gross')}.</think>\n{PLAIN}",
        f"<thinking>Hm.</thinking>{PLAIN}",
        f"<REASONING>Hm.</REASONING>{PLAIN}",
        f"[THINK]Hm.[/THINK]{PLAIN}",
        f"<think>It never ends. {PLAIN}",
        f"It began before. {PLAIN.replace('net', 'gross')} or {{...}}</think>\n{PLAIN}",
        f'It began before. {{"action": "search_documents", ...}}</think>\n{PLAIN}',
        f"<|channel|>analysis<|message|>Hm, {{}}.<|end|><|start|>assistant<|channel|>final<|message|>{PLAIN}<|return|>",
        f"analysisWe need net sales.assistantfinal{PLAIN}",
        f"{PLAIN}\n{PLAIN.replace('net', 'gross')}",
        f"{PLAIN}\nObservation: net sales were 7.\nFinal Answer: 7",
        f'Numbers: {{"revenue": 41}}\n{PLAIN}',
        f"[{PLAIN}, {PLAIN.replace('net', 'gross')}]",
        f"{PLAIN[:-1]},}}",
        str(ASK),
        PLAIN.replace('"Look."', "'Look.'"),
        json.dumps(ASK | {"action_input": json.dumps(ASK["action_input"])}),
        json.dumps(ASK | {"action_input": "net sales"}),
        '{"thought": "Look.", "action": "search_documents", "query": "net sales"}',
        '{"thought": "Look.", "tool": "search_documents", "input": {"query": "net sales"}}',
        '{"thought": "Look.", "tool_name": "search_documents", "args": {"query": "net sales"}}',
        'Look.\n<tool_call>{"name": "search_documents", "arguments": {"query": "net sales"}}</tool_call>',
        'Look. [TOOL_CALLS] [{"name": "search_documents", "arguments": {"query": "net sales"}}]',
        'Look. <function=search_documents>{"query": "net sales"}</function>',
        'Look. {"type": "function", "function": {"name": "search_documents", "parameters": {"query": "net sales"}}}',
        '{"thought": "Look.", "tool_calls": [{"function": {"name": "search_documents", "arguments": "{\\"query\\": '
        '\\"net sales\\"}"}}]}',
        "Thought: Look.\nAction: search_documents\nAction Input: net sales\nObservation: 7\nThought: I know.",
        'Thought: Look.\nAction: search_documents\nAction Input: {"query": "net sales"}\nObservation: 7',
        'Thought: Look.\nAction: `search_documents`\nAction Input:\n```json\n{"query": "net sales"}\n```',
        '**Thought:** Look.\n**Action:** search_documents\n**Action Input:** "net sales"',
        'Look.\nAction: search_documents {"query": "net sales"}',
        f"Thought: Look.\nAction:\n```\n{PLAIN}\n```",
    ],
)
def test_one_decision_in_many_forms(text):
    assert read_text(text) == LOOK


def test_the_tool_that_a_channel_is_for_is_called():
    head = "<|start|>assistant<|channel|>commentary to=functions.search_documents <|constrain|>json<|message|>"
    assert read_text(f'{head}{{"query": "net sales"}}<|call|>') == searched("net sales")


def test_a_raw_newline_in_a_string_is_kept():
    text = '{"action": "answer_directly", "action_input": {"answer": "One.\nAction: two."}}'
    assert read_text(text) == Decision("", "answer_directly", {"answer": "One.\nAction: two."})


def test_an_apostrophe_in_pythons_quotes_is_kept():
    text = """{'action': 'search_documents', 'action_input': {'query': "Alder's", 'exact': True, 'top_k': None}}"""
    assert read_text(text).action_input == {"query": "Alder's", "exact": True, "top_k": None}


def test_a_dollar_needs_no_backslash():
    text = r'{"action": "answer_directly", "action_input": {"answer": "\$41, Alder\'s"}}'
    assert read_text(text).action_input == {"answer": "$41, Alder's"}


@pytest.mark.parametrize(
    "action, key", [("search_documents", "query"), ("answer_directly", "answer"), ("get_document_summary", "document")]
)
def test_bare_words_stand_for_what_an_action_needs_most(action, key):
    assert read_text(json.dumps({"action": action, "action_input": "Alder"})) == Decision("", action, {key: "Alder"})
    assert read_tool_call(action, "Alder") == Decision("", action, {key: "Alder"})
    assert read_tool_call(action, '"Alder"') == Decision("", action, {key: "Alder"})


def test_half_a_surrogate_pair_can_be_stored():
    assert read_text(PLAIN.replace("net", r"\ud83d")).action_input["query"] == "\ufffd sales"
    assert read_text("It rose \ud83d\ude00 \ud83d.") == Prose("It rose \U0001f600 \ufffd.")


# Plain words


@pytest.mark.parametrize(
    "text, said",
    [
        ("It rose 8% [2].", "It rose 8% [2]."),
        ("<think>Was it {8}?</think>\nIt rose 8% [2].", "It rose 8% [2]."),
        ("It began before.</think>It rose 8% [2].", "It rose 8% [2]."),
        ("Thought: I know.\nFinal Answer: It rose 8% [2].", "It rose 8% [2]."),
        ("**Final Answer:** It rose 8% [2].\nObservation: made up", "It rose 8% [2]."),
        ("Answer: It rose 8% [2].<|im_end|>", "It rose 8% [2]."),
        ("```markdown\nIt rose 8% [2].\n```", "It rose 8% [2]."),
        ("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It rose.", "It rose."),
        ('It rose: {"revenue": 41}', 'It rose: {"revenue": 41}'),
        ("It is $\\frac{a}{b}$ of {x}.", "It is $\\frac{a}{b}$ of {x}."),
        ("Action: the board sells the mill.\nIt rose.", "Action: the board sells the mill.\nIt rose."),
        ("It rose.\nObservation: margins fell.", "It rose.\nObservation: margins fell."),
        ("41", "41"),
        ("売上高は41です。", "売上高は41です。"),
    ],
)
def test_plain_words(text, said):
    assert read_text(text) == Prose(said)


# What has to be written again


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "The reply is empty."),
        (" \n", "The reply is empty."),
        ("null", "neither a decision nor an answer"),
        ("Thought: I should look.", "neither a decision nor an answer"),
        ("<think>I should look.", "ends within its thinking"),
        ("Observation: net sales were 7.", "neither a decision nor an answer"),
        ('{"revenue": 41}', "no decision"),
        ('```json\n[{"revenue": 41}]\n```', "no decision"),
        ('Well: {"thought": "Look.", "action": null, "action_input": {}}', 'names no "action"'),
        (PLAIN[:-1], "cut off"),
        (f"```json\n{PLAIN[:-12]}", "cut off"),
        ('Action: search_documents\nAction Input: {"query": "net', "cut off"),
        ('Action: search_documents\nAction Input: "net', "cut off"),
        ("Action: search_documents[net sales]", "not a name alone"),
        (PLAIN.replace('"net sales"', '"the "net" sales"'), "not well formed"),
        ("{'action': 'search_documents', 'action_input': {'query': 'don''t'}}", "not well formed"),
        (PLAIN.replace('"net sales"', "NaN"), "no value of JSON"),
        (PLAIN.replace('"net sales"', "1e999"), "no value of JSON"),
        (PLAIN.replace('"net sales"', '"net", "query": "gross"'), "twice"),
        (PLAIN.replace('"net sales"', "[" * 200 + "]" * 200), "levels deep"),
    ],
)
def test_what_cannot_be_read_says_why_and_what_is_wanted(text, why):
    read = read_text(text)
    assert isinstance(read, Unreadable)
    assert why in read.why
    assert '"thought", "action" and "action_input"' in read.why


# Native tool calls


def test_a_thought_is_taken_out_of_the_arguments():
    given = {"thought": "Look.", "query": "net sales"}
    assert read_tool_call("search_documents", given) == LOOK
    assert read_tool_call("search_documents", json.dumps(given), "<think>Hm.</think>Now.") == LOOK
    assert given == {"thought": "Look.", "query": "net sales"}


def test_what_is_said_beside_a_call_is_its_thought():
    assert read_tool_call("search_documents", {"query": "net sales"}, "<think>Hm.</think>Look.") == LOOK


@pytest.mark.parametrize("arguments", ["", "  ", "null", "None", "{}", None, {}])
def test_no_arguments_are_an_empty_input(arguments):
    assert read_tool_call("compare_chunks", arguments) == Decision("", "compare_chunks", {})


@pytest.mark.parametrize("arguments", ['{"query": "net', '"net', '["net", "gr', '{"query": NaN}', {"query": {1, 2}}])
def test_arguments_that_are_cut_or_broken_are_not_used(arguments):
    read = read_tool_call("search_documents", arguments)
    assert isinstance(read, Unreadable) and "Call search_documents again" in read.why


def test_only_the_first_of_two_argument_objects_counts():
    assert read_tool_call("search_documents", '{"query": "a"}{"query": "b"}') == searched("a")


def test_a_call_without_a_name_is_unreadable():
    assert isinstance(read_tool_call(" ", {}), Unreadable)


# Whatever comes


@given(st.text() | st.text("{}[]\"'\\:, \nnull<>/think|Action:", max_size=60))
@example("{" * 100_000)
@example('{"a":' * 100_000)
@example('{"a":' * 100_000 + "1" + "}" * 100_000)
@example("{}" * 20_000)
@example("<think>" * 20_000 + "{}</think>" * 20_000)
@example('{"a": \'' + "\\'" * 100_000)
@example("[" * 100_000 + PLAIN)
@example("Action: \n" * 20_000)
@example("\ud800")
def test_nothing_raises(text):
    assert isinstance(read_text(text), Decision | Prose | Unreadable)
    assert isinstance(read_tool_call("search_documents", text, text), Decision | Unreadable)


FRAMES = st.sampled_from(
    ("{}", "```json\n{}\n```", "Here it is:\n{}\nThat is all.", "<think>What {{now}}?</think>\n{}", "Hm.</think>{}")
)


@given(decisions, FRAMES, st.booleans(), st.sampled_from((None, 2)))
@example(Decision("<think>", "answer_directly", {"answer": "</think> {'a': ["}), "{}", True, None)
@example(Decision("", "x", {"a": {"action": "y", "action_input": {}}}), "{}", True, None)
def test_a_decision_is_read_back_as_it_was_written(decision, frame, ascii_only, indent):
    written = dumped(decision, ensure_ascii=ascii_only, indent=indent)
    assert read_text(frame.format(written)) == decision


@given(decisions, FRAMES)
@example(Decision("", "x", {"a": {"action": "y", "action_input": {}}}), "{}")
def test_a_decision_that_is_cut_off_is_never_read(decision, frame):
    begun = frame.format("\0").partition("\0")[0]
    written = dumped(decision)
    for end in range(len(written)):
        assert isinstance(read_text(begun + written[:end]), Prose | Unreadable)
