from dataclasses import replace

from rag.search.copies import without_copies
from tests.agent.shelf import hit

WORDS = "honey sales rose in each of our eleven counties while wax and candle sales fell by a third this year"


def test_a_near_copy_of_a_better_passage_is_left_out_and_named():
    first, copy, other = hit(WORDS), hit(f"{WORDS} again", 1), hit("Honey is stored in steel tanks.", 2)
    kept, copies = without_copies([first, copy, other], 3)
    assert kept == (first, other)
    assert [(left.hit, left.of) for left in copies] == [(copy, first.passage)]


def test_no_more_are_read_than_are_asked_for():
    first, copy = hit(WORDS), hit(f"{WORDS} again", 1)
    assert without_copies([first, copy], 1) == ((first,), ())


def test_what_another_document_says_in_the_same_words_is_no_copy():
    first, second = hit(WORDS), hit(WORDS, 1)
    elsewhere = replace(second, passage=replace(second.passage, document_id="elsewhere"))
    assert without_copies([first, elsewhere], 3).kept == (first, elsewhere)


def test_short_lines_are_alike_and_yet_no_copies():
    assert len(without_copies([hit("Coal here."), hit("Coal here.", 1)], 3).kept) == 2


def test_the_same_table_of_another_year_is_no_copy():
    rows = "Mine {} shipped {} tonnes of coal, {} of ore and {} of lime, at a cost of {} and a price of {}"
    first, second = hit(rows.format(1, 20, 31, 42, 53, 64)), hit(rows.format(2, 25, 36, 47, 58, 69), 1)
    assert without_copies([first, second], 3).copies == ()
