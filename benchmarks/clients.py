"""Many at once, over real HTTP: 50 clients search while 2 upload and 3 agents run, on a library of invented text:

    python benchmarks/clients.py [--reports N] [--searches N] [--uploads N] [--questions N]

First the 50 search alone, then the same beside the others. Ends with 1 where an answer was an error, a file that was
uploaded is not there, or the 95th percentile beside the others is more than five times the median alone.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterable
from pathlib import Path
from statistics import quantiles

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.api.serving import serving

CLIENTS, UPLOADERS, AGENTS = 50, 2, 3
MOST = 5.0  # times the median alone
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qi ro su ta ve wi xo zu".split()
TOPICS = "revenue climate pensions castings liquidity inflation litigation currency suppliers refinancing".split()
QUESTIONS = "Which risks do these reports share?", "Compare revenue across these reports.", "Who speaks of litigation?"


def report(number: int) -> bytes:
    """A text of some ten pages, the same for the same number."""
    chance = random.Random(number)
    words = ["".join(chance.choices(SYLLABLES, k=3)) for _ in range(400)]
    name = words[0].title()
    paragraphs = (
        f"The {chance.choice(TOPICS)} of {name} {' '.join(chance.choices([*words, *TOPICS], k=90))}." for _ in range(40)
    )
    return "\n\n".join([f"{name} plc. Annual report 2023", f"Revenue was ${number + 1} million.", *paragraphs]).encode()


async def searching(address: str, number: int, times: int) -> list[float]:
    """Seconds of each search, over a connection of its own."""
    chance, seconds = random.Random(number), []
    async with httpx.AsyncClient(base_url=address, timeout=120, trust_env=False) as client:
        for _ in range(times):
            query, began = " ".join(chance.sample(TOPICS, 2)), time.perf_counter()
            (await client.get("/rag/search", params={"q": query})).raise_for_status()
            seconds.append(time.perf_counter() - began)
    return seconds


async def uploading(client: httpx.AsyncClient, numbers: Iterable[int]) -> list[str]:
    """Ids of the files that went in."""
    ids = []
    for number in numbers:
        answer = await client.post("/api/documents", files={"files": (f"report_{number}.txt", report(number))})
        (outcome,) = answer.raise_for_status().json()["results"]
        ids.append(outcome["document"]["id"])
    return ids


async def asking(client: httpx.AsyncClient, number: int, times: int) -> list[str]:
    """How each run ended."""
    ended = []
    for turn in range(times):
        body = {"query": QUESTIONS[(number + turn) % len(QUESTIONS)]}
        answer = await client.post("/api/agent/query", json=body)
        ended.append(answer.raise_for_status().json()["status"])
    return ended


async def measure(client: httpx.AsyncClient, args: argparse.Namespace) -> bool:
    there = await uploading(client, range(args.reports))

    def searches() -> list[Awaitable[list[float]]]:
        return [searching(str(client.base_url), number, args.searches) for number in range(CLIENTS)]

    await searching(str(client.base_url), 0, 20)  # the first searches read what all later ones share
    median, late = percentiles(await asyncio.gather(*searches()))
    print(f"alone             median {median * 1000:.0f} ms, 95th percentile {late * 1000:.0f} ms")
    spans = [range(start, start + args.uploads) for start in (1_000, 2_000)[:UPLOADERS]]
    others = [*(uploading(client, span) for span in spans), *(asking(client, n, args.questions) for n in range(AGENTS))]
    *work, found = await asyncio.gather(*others, asyncio.gather(*searches()))
    beside = percentiles(found)
    print(f"beside the others median {beside[0] * 1000:.0f} ms, 95th percentile {beside[1] * 1000:.0f} ms")
    statuses = [status for ended in work[UPLOADERS:] for status in ended]
    print(f"uploads {UPLOADERS * args.uploads}, runs {len(statuses)}: {', '.join(sorted(set(statuses)))}")
    listed = {each["id"] for each in (await client.get("/api/documents")).json()["documents"]}
    lost = {*there, *(each for ids in work[:UPLOADERS] for each in ids)} - listed
    print(f"95th percentile beside the others: {beside[1] / median:.1f} times the median alone; lost: {len(lost)}")
    return not lost and "error" not in statuses and beside[1] <= MOST * median


def percentiles(seconds: Iterable[list[float]]) -> tuple[float, float]:
    """Median and 95th."""
    cuts = quantiles([each for client in seconds for each in client], n=20)
    return cuts[9], cuts[18]


async def run(address: str, args: argparse.Namespace) -> bool:
    async with httpx.AsyncClient(base_url=address, timeout=120, trust_env=False) as client:
        return await measure(client, args)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("reports", 20), ("searches", 20), ("uploads", 10), ("questions", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tracebook-") as folder, serving(Path(folder)) as server:
        return 0 if asyncio.run(run(str(server.base_url), args)) else 1


if __name__ == "__main__":
    sys.exit(main())
