import threading
import time

import numpy as np
import pytest

from rag.errors import EmbeddingFailed
from rag.index.embedding import EmbeddingQueue
from rag.index.store import Store
from rag.models.hashing import HashingEmbedder
from tests.index.make import as_bytes, read_file

BATCH = HashingEmbedder.batch
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
        queues.append(EmbeddingQueue(store, lambda _: embedder, **options))
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


NEW = HashingEmbedder(64)


@pytest.fixture
def change(store, add):
    """A library with vectors of "hashing-256", as a process opens it whose settings name NEW; agreed to."""
    add(MANY)
    store.save_vectors("hashing-256", [each.id for each in MANY.passages], np.ones((len(MANY.passages), 256), "f4"))
    ours = Store.open(store.folder, model=NEW.name)
    ours.spaces.agree()
    yield ours
    ours.close()


def test_a_change_goes_on_after_a_restart_and_the_old_model_serves_until_it_is_whole(change):
    gate = Gate(batches=1)
    gate.name = NEW.name
    queue = EmbeddingQueue(change, lambda _: gate, patience=0)
    assert gate.stopped.wait(10)
    assert (queue.progress().done, change.spaces.serving()) == (BATCH, "hashing-256")
    queue.close()
    gate.open()  # what comes after the end is dropped
    queue._thread.join(10)
    assert (change.spaces.progress().done, change.spaces.agreed()) == (BATCH, NEW.name)
    again = EmbeddingQueue(change, lambda _: gate)
    assert again.wait(10)
    again.close()
    assert (change.spaces.serving(), change.spaces.agreed()) == (NEW.name, None)
    assert change.spaces.progress() == (len(MANY.passages),) * 2
    assert not len(change.vectors("hashing-256").rows)


def test_a_change_that_fails_in_the_middle_serves_nothing_of_it_and_goes_on_without_doubles(change):
    class Failing(HashingEmbedder):
        name, asked, broken = NEW.name, (), True

        def embed(self, texts):
            if self.broken and self.asked:
                raise EmbeddingFailed("It is asked too often.")
            self.asked += tuple(texts)
            return super().embed(texts)

    failing = Failing()
    queue = EmbeddingQueue(change, lambda _: failing)
    assert not queue.wait(10)
    assert queue.error.startswith("Embedding stopped: It is asked too often. It is tried again")
    assert (change.spaces.serving(), change.documents()[0].state) == ("hashing-256", "ready")
    failing.broken = False
    queue.wake()
    assert queue.wait(10)
    queue.close()
    assert change.spaces.serving() == NEW.name
    assert len(failing.asked) == len(set(failing.asked)) == len(MANY.passages)


def test_a_change_that_is_given_up_stops_between_two_batches(change):
    gate = Gate(batches=1)
    gate.name = NEW.name
    queue = EmbeddingQueue(change, {NEW.name: gate, "hashing-256": HashingEmbedder()}.get)
    assert gate.stopped.wait(10)
    change.spaces.give_up()
    gate.open()
    assert queue.wait(10)
    queue.close()
    assert (change.spaces.serving(), change.spaces.agreed()) == ("hashing-256", None)
    assert len(change.vectors(NEW.name).rows) <= BATCH
    assert change.spaces.progress() == (len(MANY.passages),) * 2


def test_passages_that_come_before_the_change_is_agreed_to_get_vectors_of_the_model_that_serves(store, add, start):
    add(MANY)
    assert start(HashingEmbedder()).wait(10)
    late = add(read_file("Late."))
    ours = Store.open(store.folder, model=NEW.name)
    queue = EmbeddingQueue(ours, {NEW.name: NEW, "hashing-256": HashingEmbedder()}.get)
    assert queue.wait(10)
    queue.close()
    assert (ours.document(late.id).state, ours.spaces.serving()) == ("ready", "hashing-256")
    ours.close()


def test_passages_whose_model_cannot_be_asked_wait_and_that_is_said(store, add):
    add(MANY)
    queue = EmbeddingQueue(store, lambda _: None)
    assert not queue.wait(10)
    queue.close()
    assert "of 'hashing-256', which cannot be asked with these settings" in queue.error
