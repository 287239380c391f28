from rag.ingest.paging import NOTE, Block, paginate


def test_blocks_stand_apart_by_an_empty_line_and_rows_do_not():
    reading = paginate([Block("Title", level=1), Block("a | b"), Block("c | d", close=True)])
    assert reading.pages[0].text == "Title\n\na | b\nc | d"


def test_headings_point_at_their_line():
    reading = paginate([Block("Text."), Block("Risks", level=2), Block("More.")])
    (heading,) = reading.headings
    assert reading.pages[0].text[heading.start : heading.end] == heading.title == "Risks"


def test_the_files_own_breaks_count_and_are_no_estimate():
    reading = paginate([Block("One"), Block("Two", new_page=True), Block("Three")])
    assert [page.text for page in reading.pages] == ["One", "Two\n\nThree"]
    assert reading.notes == ()


def test_a_break_before_nothing_makes_no_page():
    assert len(paginate([Block("One"), Block("", new_page=True)]).pages) == 1


def test_length_breaks_pages_and_the_notes_say_so():
    reading = paginate([Block("x" * 1999)] * 4, ("read as cp1252",))
    assert [len(page.text) for page in reading.pages] == [1999] * 4
    assert reading.notes == ("read as cp1252", NOTE)
