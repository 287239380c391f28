from rag.ingest.layout import Box, page_text

LEFT = [
    "Sales rose in every region",
    "of the world, and most of",
    "all in Europe. Costs fell",
    "since energy was cheap,",
    "and so did our prices.",
]
RIGHT = [
    "We depend on few suppliers",
    "of cobalt. If one of them",
    "fails, plants stand still",
    "for weeks. We hold stocks",
    "for thirty days at most.",
]


def box(left: float, line: float, text: str) -> Box:
    """A piece of 10 by 20 a character, on a line from 0."""
    return Box(left, 30 * line, left + 10 * len(text), 30 * line + 20, text)


def test_pieces_of_one_line_stand_on_one_line_from_the_left():
    assert page_text([box(600, 0.1, "2022"), box(400, -0.1, "2023"), box(0, 0, "Net sales")]) == "Net sales 2023 2022"


def test_a_line_that_runs_at_a_slant_is_one_line():
    slanted = [box(200 * n, n / 4, str(n)) for n in range(6)]
    assert page_text(slanted) == "0 1 2 3 4 5"


def test_two_columns_are_read_one_after_the_other_between_what_spans_both():
    columns = [box(0, n + 1, text) for n, text in enumerate(LEFT)] + [
        box(320, n + 1, text) for n, text in enumerate(RIGHT)
    ]
    title, foot = (
        "The year at a glance, and what may go wrong in the next",
        "Unaudited figures, all of them in millions of dollars",
    )
    assert page_text([*columns, box(0, 0, title), box(0, 7, foot)]).split("\n") == [title, *LEFT, *RIGHT, foot]


def test_a_table_keeps_its_rows():
    labels, figures = ["Net sales of products", "Net sales of services", "Cost of sales", "Research", "Taxes"], range(5)
    table = [box(0, n, label) for n, label in enumerate(labels)] + [box(400, n, f"1,20{n}") for n in figures]
    assert page_text(table).split("\n") == [f"{label} 1,20{n}" for n, label in enumerate(labels)]


def test_nothing_is_no_text():
    assert page_text([]) == ""
