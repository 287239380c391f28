from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from ingest_make import pdf

from rag.errors import BadFile
from rag.ingest.painter import Painter
from rag.ingest.request import DrawRequest
from rag.types import Page


@pytest.fixture
def painter() -> Iterator[Painter]:
    painter = Painter()
    yield painter
    painter.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "a.pdf").write_bytes(pdf("One", "Two", "Three"))
    return tmp_path / "a.pdf"


def page(file: Path, number: int = 1) -> DrawRequest:
    return DrawRequest(file, Page(number, str(number), "One"), None, 1.0)


def test_a_page_is_drawn_by_another_process_and_kept_for_the_next_look(painter, file):
    image = painter.draw(page(file))
    assert image.startswith(b"\x89PNG")
    file.unlink()
    assert painter.draw(page(file)) == image


def test_nothing_is_kept_of_a_file_that_was_forgotten(painter, file):
    painter.draw(page(file))
    painter.forget(file)
    file.unlink()
    with pytest.raises(BadFile):
        painter.draw(page(file))


def test_what_is_kept_is_bounded(file):
    painter = Painter(kept=1)
    painter.draw(page(file))
    assert not painter._images
    painter.close()


def test_a_page_that_cannot_be_drawn_says_so_and_the_next_is_drawn(painter, file, tmp_path):
    (tmp_path / "damaged.pdf").write_bytes(b"%PDF-1.7 damaged")
    for bad in (page(tmp_path / "damaged.pdf"), page(file, number=9), page(tmp_path / "none.pdf")):
        with pytest.raises(BadFile, match=rf"Page {bad.page.number} of this file cannot be drawn"):
            painter.draw(bad)
    assert painter.draw(page(file))


def test_a_page_that_takes_too_long_is_given_up(file):
    painter = Painter(seconds=0.01)
    with pytest.raises(BadFile, match="cannot be drawn"):
        painter.draw(page(file))
    assert not list(painter._workers)
    painter.close()


def test_a_process_that_dies_costs_its_page_alone(painter, file):
    painter.draw(page(file))
    (worker,) = painter._workers
    worker.end()
    assert painter.draw(page(file, 2))


def test_many_pages_at_once_come_as_they_were_asked_for(painter, file):
    with ThreadPoolExecutor(8) as threads:
        images = list(threads.map(lambda number: painter.draw(page(file, number % 3 + 1)), range(24)))
    assert images == images[:3] * 8
    assert len({*images}) == 3
    assert len(list(painter._workers)) == 2
