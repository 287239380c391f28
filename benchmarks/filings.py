"""What the programs over real filings share: a library of a folder's reports, and the questions that it is asked."""

import argparse
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rag.commands import report, wait_for_embeddings
from rag.evaluation.corpus import corpus, fill
from rag.settings import Settings
from rag.workspace import Workspace


class Asked(NamedTuple):
    workspace: Workspace  # with all its vectors
    questions: list[str]


@contextmanager
def asked(description: str | None) -> Iterator[Asked]:
    """What the command line names: DIR --questions FILE.jsonl [--data LIBRARY]."""
    arguments = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path, metavar="DIR")
    arguments.add_argument("--questions", type=Path, required=True, metavar="FILE.jsonl", help='lines with "question"')
    arguments.add_argument("--data", type=Path, metavar="LIBRARY", help="a library to keep; else a temporary one")
    args = arguments.parse_args()
    questions = [json.loads(line)["question"] for line in args.questions.read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder, Workspace.open(Settings(data=args.data or Path(folder))) as workspace:
        report(fill(workspace, corpus(args.folder)))
        wait_for_embeddings(workspace)
        total = workspace.embedding().total
        print(f"{len(questions)} questions over {total} passages of {len(workspace.documents())} documents")
        yield Asked(workspace, questions)
