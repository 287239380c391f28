"""What each command of the command line does; results go to stdout, progress to stderr."""

import json
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rag.errors import BadInput
from rag.ingest.upload import Upload
from rag.result import listing, to_result
from rag.settings import Settings
from rag.types import (
    EmbeddingProgress,
    FileProgress,
    Noted,
    Query,
    RunFinished,
    StepFinished,
    StepStarted,
    Trace,
)
from rag.wire import to_json
from rag.words import count
from rag.workspace import Workspace

if TYPE_CHECKING:
    from rag.evaluation.runner import Outcome

Command = Callable[[Settings, Namespace], int]


def add(settings: Settings, args: Namespace) -> int:
    uploads = list(_readable(args.files))
    with Workspace.open(settings, embed=args.wait) as workspace:
        ends = list(reported(workspace.add(uploads, replace=args.replace)))
        if args.password:
            locked = {end.sha256 for end in ends if end.locked}
            asked = [replace(each, password=_password(each.file)) for each in uploads if each.sha256 in locked]
            ends = [end for end in ends if not end.locked]
            ends += reported(workspace.add(asked, replace=args.replace))
        failed = len(args.files) - len(uploads) + sum(end.stage == "failed" for end in ends)
        if args.wait:
            wait_for_embeddings(workspace)
        progress = workspace.embedding()
    if progress.done < progress.total:
        left = f"{progress.total - progress.done} passages have no vector yet"
        print(f"Searchable by keyword; {left}: the app computes them while it runs, or add --wait.", file=sys.stderr)
    return 1 if failed else 0


def wait_for_embeddings(workspace: Workspace) -> None:
    """Returns when all passages have their vector; raises `BadInput` where that fails."""
    while not workspace.wait_for_embeddings(5.0):
        progress = workspace.embedding()
        if progress.error:
            raise BadInput(f"{progress.error} TRACEBOOK_EMBEDDINGS=off goes without.")
        _print_embedded(progress)
    _print_embedded(workspace.embedding())


def _print_embedded(progress: EmbeddingProgress) -> None:
    if progress.total:
        print(f"embedded {progress.done} of {progress.total} passages", file=sys.stderr)


def listed(settings: Settings, args: Namespace) -> int:
    with Workspace.open(settings, embed=False) as workspace:
        documents = workspace.documents()
    if args.json:
        print(json.dumps([to_json(listing(document)) for document in documents], ensure_ascii=False, indent=2))
    elif not documents:
        print("The library is empty.", file=sys.stderr)
    else:
        for document in documents:
            each = (document.pages, "page"), (document.passages, "passage"), (document.tokens, "token")
            counts = ", ".join(count(number, noun) for number, noun in each)
            print(f"{document.id}  {document.title}  ({document.file}: {counts}, {document.state})")
    return 0


def remove(settings: Settings, args: Namespace) -> int:
    with Workspace.open(settings, embed=False) as workspace:
        for document_id in workspace.resolve(args.documents) or ():
            print(f"removed {workspace.remove(document_id).file}")
    return 0


def search(settings: Settings, args: Namespace) -> int:
    with Workspace.open(settings, embed=False) as workspace:
        query = Query(args.query, k=args.k, documents=workspace.resolve(args.documents))
        hits = workspace.search(query, scorer=args.scorer).hits
        titles = {document.id: document.title for document in workspace.documents()}
    for hit in hits:
        print(f"{hit.score:.2f} {titles[hit.passage.document_id]} {hit.passage.place}")
    if not hits:
        print("No articles matched.")
    return 0


def ask(settings: Settings, args: Namespace) -> int:
    with Workspace.open(settings, embed=False) as workspace:
        trace = None
        for event in workspace.ask(args.question, documents=args.documents, mode=args.mode):
            match event:
                case StepStarted():
                    print(f"{event.number}. {event.action or event.kind}: {event.thought}", file=sys.stderr)
                case Noted(text):
                    print(f"   {text}", file=sys.stderr)
                case StepFinished(step):
                    print(f"   {step.observation.error or step.observation.text}", file=sys.stderr)
                case RunFinished():
                    trace = event.trace
    if trace:
        lines = [json.dumps(to_result(trace), ensure_ascii=False, indent=2)] if args.json else _answer(trace)
        print("\n".join(lines))
    return 0 if trace and trace.status != "error" else 1


def _answer(trace: Trace) -> Iterator[str]:
    """The answer, its citations by page, and the ledger."""
    yield trace.answer.text or trace.error or ""
    for citation in trace.answer.citations:
        yield f"[{citation.mark}] {citation.title}, {citation.passage.place}"
    if trace.coverage:
        yield ""
    for row in trace.coverage:
        yield f"{row.state.replace('_', ' '):14} {row.title}"
    for name in trace.answer.not_in_library:
        yield f"not in library {name}"


def evaluate(settings: Settings, args: Namespace) -> int:
    if args.no_dense:
        settings = replace(settings, embeddings="off")
    if args.data:
        return _evaluate(settings, args)
    with tempfile.TemporaryDirectory(prefix="tracebook-") as folder:
        return _evaluate(replace(settings, data=Path(folder)), args)


def _evaluate(settings: Settings, args: Namespace) -> int:
    from rag.evaluation.adapters import load, reports
    from rag.evaluation.corpus import corpus, file_names, fill
    from rag.evaluation.questions import about
    from rag.evaluation.runner import evaluate
    from rag.evaluation.score import means

    _check_writable(args.out)
    uploads = corpus(args.corpus or reports(args.questions))
    files = file_names(uploads)
    every = load(args.questions)
    samples = about(every, set(files.values()))
    if len(samples) < len(every):
        print(f"Left out, as their reports are not here: {len(every) - len(samples)}.", file=sys.stderr)
    with Workspace.open(settings) as workspace:
        failed = report(fill(workspace, uploads))
        del uploads  # the bytes of a whole corpus
        wait_for_embeddings(workspace)
        outcomes = list(_written(evaluate(workspace, samples, mode=args.mode, files=files), args.out, len(samples)))
    for group in means((outcome.sample, outcome.scores) for outcome in outcomes):
        measures = ", ".join(f"{name} {value:.2f}" for name, value in group.means.items())
        print(f"{group.kind} (n={group.samples}): {measures}", file=sys.stderr)
    return 1 if failed or any(outcome.result.status == "error" for outcome in outcomes) else 0


def _written(outcomes: "Iterable[Outcome]", path: Path, total: int) -> "Iterator[Outcome]":
    """The outcomes as they come, each a line of the file by then."""
    from rag.evaluation.results import write

    with path.open("w", encoding="utf-8") as lines:
        for number, outcome in enumerate(outcomes, 1):
            write(outcome.result, lines)
            status, seconds = outcome.result.status, outcome.result.seconds
            reason = f" {outcome.result.answer}" if status == "error" else ""
            print(f"{number}/{total} {outcome.sample.id}: {status}, {seconds:.1f} s{reason}", file=sys.stderr)
            yield outcome


def _check_writable(path: Path) -> None:
    """Before the corpus is read, which takes minutes."""
    try:
        path.open("a").close()
    except OSError as error:
        raise BadInput(f"{str(path)!r} cannot be written: {error.strerror}.") from error


def _password(file: str) -> str:
    from getpass import getpass

    return getpass(f"Password of {file}, which is not stored: ")


def report(progress: Iterable[FileProgress]) -> int:
    """Prints how each file ended; the number of those that failed."""
    return sum(end.stage == "failed" for end in reported(progress))


def reported(progress: Iterable[FileProgress]) -> Iterator[FileProgress]:
    """How each file ended, each printed."""
    for each in progress:
        match each.stage:
            case "failed":
                print(f"failed    {each.file}: {each.error}", file=sys.stderr)
            case "added" | "duplicate" if each.document:
                instead = " in place of the earlier file" if each.replaced else ""
                there = " is there already" if each.stage == "duplicate" else instead
                print(f"{each.stage:9} {each.document.id} {each.document.title} ({each.file}){there}", file=sys.stderr)
                for note in each.document.notes:
                    print(f"          {note}", file=sys.stderr)
        if each.stage in ("added", "duplicate", "failed"):
            yield each


def _readable(paths: Iterable[Path]) -> Iterator[Upload]:
    """Those of the files that can be read; the others are printed."""
    for path in paths:
        try:
            yield Upload(path.name, path.read_bytes())
        except OSError as error:
            print(f"failed    {path}: It cannot be read: {error.strerror}.", file=sys.stderr)
