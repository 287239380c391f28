from rag.search.pause import Pause


def test_it_begins_with_a_failure_and_further_ones_only_make_it_longer():
    pause = Pause(60)
    assert not pause
    assert pause.begin() and pause
    assert not pause.begin() and pause


def test_once_it_is_over_it_may_begin_again():
    pause = Pause(0)
    assert pause.begin() and not pause
    assert pause.begin()
