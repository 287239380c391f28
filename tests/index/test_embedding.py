import threading
import time

import pytest

from rag.index.embedding import BATCH, EmbeddingQueue
from rag.index.store import Store
from rag.models.hashing import HashingEmbedder
from tests.index.make import as_bytes, read_file

MANY = read_file(*(f"Page {number}." for number in range(3 * BATCH)))


class Gate(HashingEmbedder):
    """Lets so many batches through, then waits."""

    def __init__(self, batches):
        super().__init__()
        self._free = threading.Semaphore(batches)
        self.stopped = threading.Event()

    def embed(self, texts):
        if not self._free.acquire(blocking=False):
            self.stopped.set()
            assert self._free.acquire(timeout=10)
        return super().embed(texts)

    def open(self, batches=1000):
        self._free.release(batches)


class Broken(HashingEmbedder):
    broken = True

    def embed(self, texts):
        if self.broken:
            raise OSError("the model is gone")
        return super().embed(texts)


@pytest.fixture
def start(store):
    queues = []

    def start(embedder, **options):
        queues.append(EmbeddingQueue(store, embedder, **options))
        return queues[-1]

    yield start
    for queue in queues:
        queue.close()


def test_what_is_there_is_embedded_at_once_and_what_comes_after_a_wake(store, add, start):
    add(MANY)
    queue = start(HashingEmbedder())
    assert queue.wait(10)
    assert store.document(MANY.id).state == "ready"
    late = add(read_file("Late."))
    assert late.state == "embedding"
    queue.wake()
    assert queue.wait(10)
    progress = queue.progress()
    assert (progress.done, progress.total, progress.running, progress.error) == (len(MANY.passages) + 1,) * 2 + (
        False,
        None,
    )


def test_progress_is_seen_after_each_batch(store, add, start):
    add(MANY)
    gate = Gate(batches=1)
    queue = start(gate)
    assert gate.stopped.wait(10)
    assert (queue.progress().done, queue.progress().running) == (BATCH, True)
    assert not queue.wait(0.01)
    gate.open()
    assert queue.wait(10)


def test_a_restart_goes_on_where_it_stopped(store, add, start):
    add(MANY)
    gate = Gate(batches=1)
    queue = start(gate)
    assert gate.stopped.wait(10)
    closing = threading.Thread(target=queue.close)
    closing.start()
    while not queue._closing:
        pass
    gate.open()
    closing.join(10)
    assert store.document(MANY.id).embedded == 2 * BATCH
    assert not queue.wait(0)
    assert start(HashingEmbedder()).wait(10)
    assert store.document(MANY.id).state == "ready"


def test_an_error_is_kept_and_tried_again_on_wake(store, add, start):
    add(MANY)
    embedder = Broken()
    queue = start(embedder)
    assert not queue.wait(10)
    assert "the model is gone" in queue.progress().error
    assert not queue.progress().running
    embedder.broken = False
    queue.wake()
    assert queue.wait(10)
    assert queue.progress().error is None


def test_what_another_process_adds_is_found_without_a_wake(store, start):
    queue = start(HashingEmbedder(), look_again=0.01)
    assert queue.wait(10)
    other = Store.open(store.folder)
    other.add(MANY, as_bytes(MANY))
    other.close()
    until = time.monotonic() + 10
    while store.document(MANY.id).state != "ready" and time.monotonic() < until:
        time.sleep(0.01)
    assert store.document(MANY.id).state == "ready"


def test_vectors_of_a_document_removed_meanwhile_are_dropped(store, add, start):
    add(MANY)
    gate = Gate(batches=1)
    queue = start(gate)
    assert gate.stopped.wait(10)
    store.remove(MANY.id)
    kept = add(read_file("Kept."))
    queue.wake()
    gate.open()
    assert queue.wait(10)
    assert store.vectors("hashing-256").rows.tolist() == [store.row(f"{kept.id}:0")]


def test_an_empty_library_has_nothing_to_wait_for(start):
    queue = start(HashingEmbedder())
    assert queue.wait(10)
    assert queue.progress().total == 0
