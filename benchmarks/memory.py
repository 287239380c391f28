"""Memory while files are read and embedded, and whether others are answered while a long one is read:

    python benchmarks/memory.py [DIR] [--pages N] [--minutes M]

The PDFs of DIR go into a library as `python -m rag add --wait` puts them there, embeddings on, for M minutes at most;
counted is what that program and its reading processes hold in memory together. Then a file of N pages is read: how long
its progress stands still, and, over HTTP, how long others wait meanwhile. Ends with 1 where the memory goes beyond the
bar, a file is not in, or a request fails. Linux alone, since it looks into /proc.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from rag.ingest.upload import Upload
from rag.settings import Settings
from rag.workspace import Workspace
from tests.api.serving import serving
from tests.ingest.ingest_make import pdf

ROOT = Path(__file__).parents[1]
BAR = 1.5  # GB
LOOK = 0.1  # seconds between two looks at the memory


def family(root: int) -> list[int]:
    """The process and all that it started, and they."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has just ended
            continue
    found = [root]
    for parent in found:
        found += [child for child, its in parents.items() if its == parent]
    return found


def resident(processes: list[int]) -> float:
    """GB; pages that two of them share are counted twice, so it is no less than what they take."""
    pages = 0
    for process in processes:
        try:
            pages += int(Path(f"/proc/{process}/statm").read_text().split()[1])
        except OSError:
            continue
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e9


def indexing(files: list[Path], minutes: float) -> bool:
    """Whether all went in below the bar."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rag", "add", *map(str, files), "--wait", "--data", folder]
        began, peak, seen = time.perf_counter(), 0.0, 1
        environment = os.environ | {"TRACEBOOK_EMBEDDINGS": "local"}
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as program:
            while program.poll() is None:
                processes = family(program.pid)
                peak, seen = max(peak, resident(processes)), max(seen, len(processes))
                if time.perf_counter() - began > 60 * minutes:
                    program.terminate()
                time.sleep(LOOK)
        took = (time.perf_counter() - began) / 60
        with Workspace.open(Settings(data=Path(folder)), embed=False) as library:
            documents = library.documents()
            done = sum(document.embedded for document in documents), sum(document.passages for document in documents)
    print(
        f"{len(documents)} of {len(files)} files, {done[0]:,} of {done[1]:,} passages embedded, in {took:.1f} minutes"
    )
    print(f"at most {peak:.2f} GB in {seen} processes together; the bar is {BAR} GB")
    return program.returncode == 0 and len(documents) == len(files) and peak < BAR


def progress(data: bytes) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        Workspace.open(Settings(data=Path(folder), embeddings="off")) as library,
    ):
        began = time.perf_counter()
        moments = [(time.perf_counter() - began, event.done) for event in library.add([Upload("long.pdf", data)])]
        silence = max(later - earlier for (earlier, _), (later, _) in pairwise(moments))
        told = len({done for _, done in moments})
        print(f"read in {moments[-1][0]:.1f} s, progress told {told} times, the longest silence {silence:.2f} s")


def others(data: bytes) -> bool:
    """Whether each was answered while the file was read."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, ThreadPoolExecutor(1) as thread:
        server.upload(("short.txt", b"Alder plc. Annual report 2023. Revenue was $12 million."))
        upload, waits, failed = thread.submit(server.upload, ("long.pdf", data)), [], 0
        while not upload.done():
            for path in ("/rag/search?q=revenue", "/api/documents", "/"):
                began = time.perf_counter()
                failed += server.get(path).status_code != 200
                waits.append(time.perf_counter() - began)
        (outcome,) = upload.result().json()["results"]
    print(f"meanwhile {len(waits)} requests, median {1000 * median(waits):.0f} ms, slowest {1000 * max(waits):.0f} ms")
    return outcome["stage"] == "added" and not failed


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path, metavar="DIR", nargs="?")
    arguments.add_argument("--pages", type=int, default=3_000)
    arguments.add_argument("--minutes", type=float, default=45)
    args = arguments.parse_args()
    below = not args.folder or indexing(sorted(args.folder.glob("*.pdf")), args.minutes)
    line = "The site made {} units in the year, and the plant was closed for repairs in spring.\n"
    data = pdf(*(f"Site {page}\n" + line.format(7 * page) * 30 for page in range(1, args.pages + 1)))
    print(f"a file of {args.pages:,} pages, {len(data) / 1e6:.0f} MB:")
    progress(data)
    return 0 if others(data) and below else 1


if __name__ == "__main__":
    sys.exit(main())
