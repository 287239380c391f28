"""Follow-up questions as they stand alone."""

import pytest

from rag.search.followup import stand_alone
from tests.search.cards import report

REPORTS = [report("Alder", 2023), report("Birch", 2023), report("Cedar", 2023)]


@pytest.mark.parametrize(
    ("last", "asked", "alone"),
    [
        ("What did Birch spend on R&D?", "and Cedar?", "What did Cedar spend on R&D?"),
        ("What did Birch spend on R&D?", "What about Cedar?", "What did Cedar spend on R&D?"),
        ("What did Birch spend on R&D?", "And Cedar and Alder?", "What did Cedar and Alder spend on R&D?"),
        ("What did Birch spend on R&D?", "Cedar?", "What did Cedar spend on R&D?"),
        ("What did Birch spend on R&D?", "and Dogwood?", "What did Dogwood spend on R&D?"),
        ("What was Birch's revenue in 2023?", "and in 2022?", "What was Birch's revenue in 2022?"),
        ("What was Birch's revenue in 2023?", "How about Cedar in 2021?", "What was Cedar's revenue in 2021?"),
        ("What was Birch's revenue?", "and in 2022?", "What was Birch's revenue in 2022?"),
        ("Compare the revenue of Alder and Birch", "and Cedar?", "Compare the revenue of Cedar"),
        ("What was Birch's revenue in 2023?", "and net income?", "Net income of Birch in 2023?"),
        ("What was Birch's revenue in 2023?", "What about EBITDA?", "EBITDA of Birch in 2023?"),
        ("What was Birch's revenue in 2023?", "What were its risks?", "What were risks of Birch in 2023?"),
        (
            "What was Birch's revenue in 2023?",
            "Then what moved margins in 2022?",
            "What moved margins in 2022 of Birch?",
        ),
        ("What was Birch's revenue in 2023?", "Who audits that company?", "Who audits Birch in 2023?"),
    ],
)
def test_what_a_follow_up_leaves_out_is_put_in(last, asked, alone):
    assert stand_alone(asked, ["Something else?", last], REPORTS) == alone


@pytest.mark.parametrize(
    "asked",
    [
        "What did Cedar spend on advertising?",
        "Which reports mention cyber attacks?",
        "Compare revenue across the reports.",
        "Which of these reports mention cyber attacks?",
        "Which companies describe risks to their supply chain?",
        "Is it common to report risks of cyber attacks?",
        "Do the reports say whether they expect growth?",
        "And the others?",
        "What about supply chain risks across all reports?",
        "Thanks",
        "Who chairs the board?",
        "Which reports discuss climate change, and do they overlap?",
        "What are the common risk factors mentioned across these annual reports, and do any of them overlap?",
        "and",
        "???",
    ],
)
def test_a_question_that_stands_alone_stays_as_it_is(asked):
    assert stand_alone(asked, ["What did Birch spend on R&D?"], REPORTS) == asked


def test_without_a_conversation_every_question_stands_alone():
    assert stand_alone("and Cedar?", [], REPORTS) == "and Cedar?"
