"""What a model is told before a decision."""

from rag.agent.briefing import FENCES, brief, keep
from rag.agent.tools import use_tool
from rag.ingest.tokens import count as tokens
from rag.types import Decision
from tests.agent.shelf import hit, step

BEES = "Which reports mention pollinator decline?"
ROOM = 10_000


def searched(shelf, **given):
    """A run after one search."""
    run = shelf.state(BEES)
    decision = Decision("Looks.", "search_documents", {"query": "pollinator decline"} | given)
    run.take(step(use_tool(decision.action, decision.action_input, run), number=1, decision=decision))
    return run


def roles(briefing):
    return [message.role for message in briefing.messages]


def test_it_opens_with_the_orders_the_question_and_where_the_run_stands(three):
    briefing = brief(three.state(BEES), "tools", room=ROOM)
    assert roles(briefing) == ["system", "user", "user"]
    assert "Alder annual report 2023 (Alder, annual report" in briefing.messages[0].text
    assert briefing.messages[1].text.startswith(f"Question: {BEES}")
    assert "Still open: Alder" in briefing.messages[2].text


def test_a_step_is_a_call_and_its_result_where_tools_are_called(three):
    briefing = brief(searched(three), "tools", room=ROOM)
    assert roles(briefing) == ["system", "user", "assistant", "tool", "user"]
    assert briefing.messages[2].call == briefing.messages[3].call


def test_a_step_is_json_and_an_observation_elsewhere(three):
    briefing = brief(searched(three), "json", room=ROOM)
    assert roles(briefing) == ["system", "user", "assistant", "user", "user"]
    assert '"action": "search_documents"' in briefing.messages[2].text
    assert briefing.messages[3].text.startswith("Observation: ")
    assert '{"thought": "why this is the next step"' in briefing.messages[0].text


def test_passages_come_with_the_number_by_which_they_are_cited_and_reports_without_any_are_named(three):
    run = searched(three)
    told = brief(run, "tools", room=ROOM).messages[3].text
    for mark, found in enumerate(run.evidence, 1):
        assert f'<passage n="{mark}" report="{run.by_id[found.passage.document_id].title}"' in told
    assert "Nothing on 'pollinator decline' in Cedar annual report 2023." in told


def test_summaries_of_several_reports_are_all_told_before_the_passages_that_hold_them(three):
    run = three.state(BEES)
    decision = Decision("Looks.", "get_document_summary", {"documents": ["Alder", "Cedar"]})
    observation = use_tool(decision.action, decision.action_input, run)
    run.take(step(observation, number=1, decision=decision))
    summaries, passages = brief(run, "tools", room=ROOM).messages[3].text.split("Its sentences stand in")
    assert all(line.split(":")[0] in summaries for line in observation.text.splitlines())
    assert "<passage" in passages and "<passage" not in summaries


def test_the_tokens_of_a_briefing_are_about_those_of_its_messages(three):
    briefing = brief(searched(three), "tools", room=ROOM)
    assert abs(briefing.tokens - sum(tokens(message.text) for message in briefing.messages)) <= FENCES * 3


def test_without_room_passages_are_left_out_and_said(three):
    run = searched(three)
    briefing = brief(run, "tools", room=0)
    assert briefing.left_out == tuple(range(1, len(run.evidence) + 1))
    assert "for which there is no room: [1]" in briefing.messages[3].text


def test_the_weakest_passages_go_first_and_the_best_of_each_report_last():
    found = [
        hit("a", 0, score=0.9),
        hit("b", 1, score=0.8),
        hit("c", 2, score=0.7),
        hit("d", 0, score=0.2, document="e"),
    ]
    size = found[0].passage.tokens + FENCES
    assert keep(found, 4 * size) == {"d:0", "d:1", "d:2", "e:0"}
    assert keep(found, 3 * size) == {"d:0", "d:1", "e:0"}
    assert keep(found, 2 * size) == {"d:0", "e:0"}
    assert keep(found, size) == {"d:0"}
    assert keep(found, 0) == frozenset()


def test_a_refused_action_is_told_with_what_was_wrong(three):
    run = three.state(BEES)
    decision = Decision("Buys.", "lookup_stock_price", {"ticker": "ABC"})
    run.take(step(use_tool(decision.action, decision.action_input, run), decision=decision))
    assert "Refused: There is no action" in brief(run, "tools", room=ROOM).messages[3].text


def test_a_comparison_is_told_with_the_marks_of_both_sides(three):
    run = searched(three)
    decision = Decision("Compares.", "compare_chunks", {"left": 1, "right": 2})
    run.take(step(use_tool(decision.action, decision.action_input, run), number=2, decision=decision))
    told = brief(run, "tools", room=ROOM).messages[5].text
    assert "[1] “" in told or "[2] “" in told
