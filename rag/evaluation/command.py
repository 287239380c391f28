"""`evaluate` on the command line: corpus in, one result line a question out, progress and means to stderr."""

import sys
from pathlib import Path

from rag.commands import report, wait_for_embeddings
from rag.errors import BadInput
from rag.evaluation.corpus import corpus, file_names, fill
from rag.evaluation.questions import Sample, load
from rag.evaluation.results import write
from rag.evaluation.runner import evaluate as run
from rag.evaluation.score import Scores, means
from rag.settings import Settings
from rag.types import Mode
from rag.workspace import Workspace


def evaluate(settings: Settings, folder: Path, questions: Path, mode: Mode, out: Path) -> int:
    """Exit code: 1 where a question crashed or a file could not be read."""
    samples, uploads = load(questions), corpus(folder)
    with Workspace.open(settings) as workspace:
        failed = report(fill(workspace, uploads))
        files = file_names(uploads)
        del uploads  # the bytes of a whole corpus
        wait_for_embeddings(workspace)
        scored: list[tuple[Sample, Scores]] = []
        try:
            with out.open("w", encoding="utf-8") as lines:
                for outcome in run(workspace, samples, mode=mode, files=files):
                    write(outcome.result, lines)
                    scored.append((outcome.sample, outcome.scores))
                    failed += outcome.result.status == "error"
                    done = f"{len(scored)}/{len(samples)} {outcome.sample.id}"
                    said = outcome.result.answer if outcome.result.status == "error" else ""
                    print(f"{done}: {outcome.result.status}, {outcome.result.seconds:.1f} s {said}", file=sys.stderr)
        except OSError as error:
            raise BadInput(f"{str(out)!r} cannot be written: {error.strerror}.") from error
    for group in means(scored):
        measures = ", ".join(f"{name} {value:.2f}" for name, value in group.means.items())
        print(f"{group.kind} (n={group.samples}): {measures}", file=sys.stderr)
    return 1 if failed else 0
