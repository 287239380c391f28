"""A library under fire, for ten minutes at most: python benchmarks/soak.py

200 uploads, a tenth of them hostile, from 10 threads of one process, which search, delete and add again in between;
another process kills it (`kill -9`, its readers, too) at 20 random moments and starts it again. In the end `check` has
to find nothing, each good file has to be there and be found by its own word, and no hostile one; else it exits with 1.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rag.check import check
from rag.index.store import Store
from rag.ingest.upload import Upload
from rag.models.hashing import HashingEmbedder
from rag.settings import Settings
from rag.types import Query
from rag.workspace import SAMPLES, Workspace

HOSTILE = (
    b"",
    b"<html><body>Sign in</body></html>",
    b"\x89PNG\r\n\x1a\n",
    b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R >>\nendobj\ntrailer << /Root 1 0 R /Prev 9 >>\nstartxref\n9\n",
    b"%PDF-1.4\n" + b"[" * 100_000,
    b"PK\x03\x04" + bytes(200),
    bytes(range(256)) * 40,
)


def upload(number: int, every: int) -> Upload:
    """The file of a number, the same each time; each tenth is hostile, each fifth a PDF of some pages."""
    if number % 10 == 9:
        data = HOSTILE[number // 10 % len(HOSTILE)]
        return Upload(f"hostile{number}.pdf", data and data + b"\n%% hostile %d" % number)
    if number % 5 == 0:
        samples = sorted(SAMPLES.glob("*.pdf"))
        return Upload(f"sample{number}.pdf", samples[number // 5 % len(samples)].read_bytes() + b"\n%% %d" % number)
    text = f"Report of quokka{number}.\n\n" + f"Quokka{number} sold {number * 7} units in {every} towns. " * 40
    return Upload(f"report{number}.txt", text.encode())


def opened(folder: Path) -> Workspace:
    embedder = HashingEmbedder()
    settings = Settings(data=folder, embeddings="off", file_seconds=20)
    return Workspace(settings, Store.open(folder, model=embedder.name), embedder)


def take_in(folder: Path, args: argparse.Namespace) -> None:
    """Adds what is not there yet, and then deletes and adds again until it is killed; the last time, once."""
    files = [upload(number, args.uploads) for number in range(args.uploads)]
    with opened(folder) as work, ThreadPoolExecutor(args.threads) as pool:
        there = {document.file for document in work.documents()}

        def add(each: Upload) -> None:
            if each.file in there and not each.file.startswith("hostile"):
                work.remove(each.file)  # known to this thread alone
            list(work.add([each]))
            work.search(Query(f"{each.file} units sold"))

        chosen = [each for each in files if each.file not in there]
        while chosen:
            random.shuffle(chosen)
            list(pool.map(add, chosen))  # an error here ends the process, and with it the whole run
            there = {document.file for document in work.documents()}
            chosen = [] if args.last else random.sample(files, args.threads * 2)
        work.wait_for_embeddings(60)


def under_fire(folder: Path, args: argparse.Namespace) -> bool:
    """Whether the process lived until it was killed, each time, and came to its end the last time."""
    dice, ends = random.Random(args.seed), time.monotonic() + args.seconds
    given = [f"--{name}={getattr(args, name)}" for name in ("uploads", "threads")]
    for kill in range(args.kills + 1):
        last = kill == args.kills
        command = [sys.executable, __file__, "--take-in", str(folder), *given, *["--last"] * last]
        process = subprocess.Popen(command, start_new_session=True)
        try:
            code = process.wait(max(ends - time.monotonic(), 1) if last else dice.uniform(0.5, 6.0))
            return last and code == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return False


def wrong(folder: Path, uploads: int) -> list[str]:
    """All that is not as it should be."""
    with opened(folder) as work:
        work.wait_for_embeddings(60)
        found = [fault.text for fault in check(work._store)]
        there = {document.file: document for document in work.documents()}
        for each in (upload(number, uploads) for number in range(uploads)):
            if each.file.startswith("hostile"):
                found += [f"{each.file} was taken in."] * (each.file in there)
            elif each.file not in there:
                found.append(f"{each.file} is missing.")
            elif each.file.startswith("report"):
                word = each.file.removeprefix("report").removesuffix(".txt")
                hits = work.search(Query(f"quokka{word}"), scorer="keyword").hits
                if {hit.passage.document_id for hit in hits} != {there[each.file].id}:
                    found.append(f"{each.file} is not found by its own word.")
        if any(document.embedded < document.passages for document in there.values()):
            found.append("Some passages have no vector.")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (("uploads", 200), ("threads", 10), ("kills", 20), ("seconds", 600), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--take-in", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--last", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.take_in:
        take_in(args.take_in, args)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        lived = under_fire(Path(folder), args)
        faults = wrong(Path(folder), args.uploads) if lived else ["The process ended when nobody killed it."]
        print(f"{args.uploads} uploads, {args.kills} kills, {time.monotonic() - began:.0f} s: {len(faults)} faults")
        for fault in faults:
            print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
