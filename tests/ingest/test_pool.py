import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from ingest_make import pdf

from rag.ingest.pool import ReaderPool
from rag.ingest.upload import Upload
from rag.types import FileProgress, ParsedDocument

GOOD = Upload("good.txt", b"Alder annual report 2023. Net sales were 88 million.")


@pytest.fixture
def pool() -> Iterator[ReaderPool]:
    pool = ReaderPool(workers=2, seconds=30, megabytes=1, chunk_tokens=256)
    yield pool
    pool.close()


def ends(items) -> dict[str, object]:
    """How each file ended: its document, or why there is none."""
    done = {}
    for item in items:
        if isinstance(item, ParsedDocument):
            done[item.file] = item
        elif item.stage == "failed":
            done[item.file] = item.error
    return done


def test_a_good_file_beside_bad_ones_is_read(pool, odd):
    bad = ["html_renamed.pdf", "png_renamed.pdf", "image_only.pdf"]
    done = ends(pool.read([*map(odd, bad), Upload("empty.txt", b""), GOOD]))
    assert isinstance(done["good.txt"], ParsedDocument)
    assert "is not a PDF: it holds an HTML page" in done["html_renamed.pdf"]
    assert "PNG image" in done["png_renamed.pdf"]
    assert "scan without a text layer" in done["image_only.pdf"]
    assert "empty.txt is empty" in done["empty.txt"]


def test_pages_are_counted_while_they_are_read(pool):
    items = list(pool.read([Upload("long.pdf", pdf(*["Net sales"] * 40))]))
    counts = [(item.done, item.total) for item in items if isinstance(item, FileProgress)]
    assert counts[0] == (0, 0) and (20, 40) in counts and counts[-1] == (40, 40)
    assert isinstance(items[-1], ParsedDocument)


def test_what_libraries_say_of_a_damaged_file_stays_out_of_the_terminal(pool, odd, capfd):
    damaged = Upload("cut.pdf", pdf("Net sales")[:200])
    assert "damaged" in str(ends(pool.read([damaged, odd("prev_loop.pdf")]))["cut.pdf"])
    pool.close()
    assert capfd.readouterr() == ("", "")


def test_every_file_waits_before_it_is_read(pool):
    items = list(pool.read([GOOD, replace(GOOD, file="b.txt")]))
    assert {item.file for item in items[:2] if item.stage == "waiting"} == {"good.txt", "b.txt"}


def test_a_file_that_takes_too_long_is_given_up_and_the_next_is_read():
    pool = ReaderPool(workers=1, seconds=0.01, megabytes=50, chunk_tokens=256)
    slow = Upload("slow.pdf", pdf(*["Net sales\n" * 30] * 300))
    assert ends(pool.read([slow])) == {
        "slow.pdf": "slow.pdf took longer than 0.01 seconds. Split it and upload the parts."
    }
    pool.close()


def test_a_file_past_the_size_limit_is_refused_unread(pool):
    (error,) = ends(pool.read([Upload("big.txt", b"x" * (2 << 20))])).values()
    assert error == "big.txt has 2 MB; at most 1 MB are read. Split it, or raise the limit."


def test_cancel_ends_every_file(pool):
    cancel = threading.Event()
    uploads = [Upload(f"{n}.pdf", pdf(*["Net sales\n" * 30] * 100)) for n in range(6)]
    done = {}
    for item in pool.read(uploads, cancel=cancel):
        cancel.set()
        done |= ends([item])
    assert len(done) == 6
    assert "Stopped before it was read" in done["5.pdf"]


def test_a_reader_that_dies_fails_its_file_alone(pool):
    list(pool.read([GOOD]))
    for worker in pool._workers:
        threading.Timer(0.05, worker.end).start()
    done = ends(pool.read([Upload("a.pdf", pdf(*["Net sales\n" * 40] * 400)), replace(GOOD, file="b.txt")]))
    assert set(done) == {"a.pdf", "b.txt"}
    assert isinstance(ends(pool.read([GOOD]))["good.txt"], ParsedDocument)


def test_two_batches_at_once_get_their_own_answers(pool):
    results = [{}, {}]

    def run(n: int) -> None:
        results[n] = ends(pool.read([replace(GOOD, file=f"{n}-{m}.txt") for m in range(5)]))

    threads = [threading.Thread(target=run, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [sorted(result) for result in results] == [[f"{n}-{m}.txt" for m in range(5)] for n in range(2)]


def test_a_batch_that_is_left_early_stops(pool):
    reading = pool.read([Upload("a.pdf", pdf(*["Net sales"] * 200))])
    next(reading)
    reading.close()
    assert isinstance(ends(pool.read([GOOD]))["good.txt"], ParsedDocument)


def test_closing_ends_a_batch_that_is_being_read():
    pool = ReaderPool(workers=1, seconds=30, megabytes=50, chunk_tokens=256)
    done = {}
    for item in pool.read([Upload(f"{n}.pdf", pdf(*["Net sales\n" * 30] * 200)) for n in range(4)]):
        if isinstance(item, FileProgress) and item.stage == "reading":
            pool.close()
        done |= ends([item])
    assert len(done) == 4
    assert "Stopped before it was read" in done["3.pdf"]


def test_nothing_to_read_is_no_error(pool):
    assert list(pool.read([])) == []
