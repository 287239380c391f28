"""What the README says is so: its settings, its map, its commands, its links."""

import os
import re
import shlex
import textwrap
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from rag.__main__ import parser
from rag.langchain import TracebookRetriever, as_runnable
from rag.settings import Settings, variable_of
from rag.workspace import Workspace

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    python -m rag (.+)$", README + (ROOT / "samples/README.md").read_text("utf-8"), re.M)


def section(title: str) -> str:
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_settings_table_says_what_the_settings_say() -> None:
    source = (ROOT / "rag" / "settings.py").read_text(encoding="utf-8")
    rows = [
        f"| `{variable_of(field)}` | {shown} | {sentence} |"
        for field in fields(Settings)
        for shown in ["" if field.default in (MISSING, "") else f"`{written(field.default)}`"]
        for sentence in re.findall(rf"^    {field.name}: .*  # (.+)$", source, re.M)
    ]
    assert len(rows) == len(fields(Settings))
    assert section("Settings").strip().splitlines()[-len(rows) :] == [re.sub(r"\|  \|", "| |", row) for row in rows]


def written(default: object) -> str:
    """A default as a variable takes it."""
    return str(default).lower() if isinstance(default, bool) else str(default)


def mapped() -> list[str]:
    """The paths that the map names, from its indentation."""
    folder, paths = [""] * 9, []
    for indent, name in re.findall(r"^    ( *)(\S+)  ", section("Map"), re.M):
        depth = len(indent) // 2
        paths.append("".join(folder[:depth]) + name)
        folder[depth] = name
    return paths


@pytest.mark.parametrize("path", mapped())
def test_what_the_map_names_exists(path: str) -> None:
    assert (ROOT / path).is_dir() if path.endswith("/") else (ROOT / path).is_file()


def test_the_map_names_every_folder_of_code() -> None:
    folders = {f"{path.parent.relative_to(ROOT)}/" for room in ("rag", "pages") for path in (ROOT / room).rglob("*.py")}
    assert folders <= set(mapped())


def test_the_map_takes_six_words_a_line_or_a_few_more() -> None:
    assert all(len(line.split()) <= 10 for line in section("Map").splitlines() if line.startswith("    "))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_one_that_the_command_line_takes(command: str) -> None:
    assert parser().parse_args(shlex.split(command)).command


def test_the_program_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRACEBOOK_DATA", str(tmp_path))
    monkeypatch.setenv("TRACEBOOK_EMBEDDINGS", "off")
    program = re.search(r"\n\n((?:    .+\n)+)", section("In a program"))
    assert program
    names = {"os": os, "Settings": Settings, "Workspace": Workspace}
    names |= {"TracebookRetriever": TracebookRetriever, "as_runnable": as_runnable}
    exec(textwrap.dedent(program[1]), names)
    assert names["passages"] == []
    assert "no document yet" in str(names["result"])


def test_the_one_test_that_is_named_exists() -> None:
    found = re.search(r"pytest (tests/\S+) -k (\w+)`", section("In a program"))
    assert found
    assert re.search(rf"^def test_\w*{found[2]}", (ROOT / found[1]).read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("target", ["run", "test", "samples"])
def test_the_make_targets_exist(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("link", re.findall(r"\]\((?!https?:)([^)]+)\)", README))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).is_file()
