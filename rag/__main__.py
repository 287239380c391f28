"""The command line: python -m rag add | list | remove | search | ask | evaluate | check | backup | restore."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from rag import commands, upkeep
from rag.errors import TracebookError
from rag.settings import Settings, environment
from rag.types import Mode, ScorerName


def parser() -> argparse.ArgumentParser:
    """Every command with `--data`; `args.command` is the function that runs it."""
    top = argparse.ArgumentParser(prog="python -m rag", description="Ask questions across annual reports.")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--data", type=Path, metavar="DIR", help="the library's folder (else TRACEBOOK_DATA)")
    actions = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: commands.Command, help: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, parents=[shared], help=help, description=help.capitalize() + ".")
        made.set_defaults(command=run)
        return made

    add = command("add", commands.add, "read files into the library")
    add.add_argument("files", nargs="+", type=Path, metavar="FILE")
    add.add_argument("--wait", action="store_true", help="until every passage has its vector")
    add.add_argument("--replace", action="store_true", help="a file takes the place of those that bear its name")
    add.add_argument("--password", action="store_true", help="ask for the passwords of files that want one")
    listed = command("list", commands.listed, "list the documents")
    listed.add_argument("--json", action="store_true", help="one JSON array")
    remove = command("remove", commands.remove, "remove documents with all their text and vectors")
    remove.add_argument("documents", nargs="+", metavar="ID", help="an id or a file name")
    search = command("search", commands.search, "print the passages that match best")
    search.add_argument("query")
    search.add_argument("-k", type=int, default=5, help="at most so many passages")
    search.add_argument("--scorer", choices=get_args(ScorerName), default="hybrid")
    search.add_argument("--documents", nargs="+", metavar="NAME", help="ids or file names; else the whole library")
    ask = command("ask", commands.ask, "answer a question with citations; steps go to stderr")
    ask.add_argument("question")
    ask.add_argument("--documents", nargs="+", metavar="NAME", help="ids or file names; else the whole library")
    ask.add_argument("--mode", choices=get_args(Mode), default="agent")
    ask.add_argument("--json", action="store_true", help="the whole result as JSON")
    _evaluate(command("evaluate", commands.evaluate, "run a question set over a folder of reports"))
    check = command("check", upkeep.check, "see whether the library is whole")
    check.add_argument("--repair", action="store_true", help="make anew what can be derived")
    backup = command("backup", upkeep.backup, "write the library into one file, also while the app runs")
    backup.add_argument("file", type=Path, metavar="FILE")
    restore = command("restore", upkeep.restore, "put a backup in the library's place, also while the app runs")
    restore.add_argument("file", type=Path, metavar="FILE")
    restore.add_argument("--replace", action="store_true", help="though the library holds documents")
    return top


def _evaluate(evaluate: argparse.ArgumentParser) -> None:
    questions = "a set of this project, of FinanceBench or of the Enterprise RAG Challenge, as a file or its folder"
    evaluate.add_argument("--questions", type=Path, required=True, metavar="SET", help=questions)
    evaluate.add_argument("--corpus", type=Path, metavar="DIR", help="the reports' folder (else 'pdfs' beside the set)")
    evaluate.add_argument("--mode", choices=get_args(Mode), default="agent")
    evaluate.add_argument("--out", type=Path, required=True, metavar="RESULTS.jsonl")
    evaluate.add_argument("--no-dense", action="store_true", help="without embeddings")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0 done, 1 some of it failed, 2 could not be done, 130 interrupted."""
    args = parser().parse_args(arguments)
    try:
        settings = Settings.read(environment(os.environ))
        return args.command(replace(settings, data=args.data) if args.data else settings, args)  # type: ignore[no-any-return]
    except TracebookError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of a pipe, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
