"""Every package that the code imports is pinned, and every pin says what it earns."""

import ast
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PIN = re.compile(r"^([a-z0-9-]+)(?:\[\w+\])?==[\w.]+ +# \S.+$")
DEV_PIN = re.compile(rf"{PIN.pattern}|^-r requirements(-ocr)?\.txt$")


def lines(file: str) -> list[str]:
    text = (ROOT / file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def pinned(file: str) -> set[str]:
    return {match[1] for line in lines(file) if (match := PIN.match(line))}


def imported(*rooms: str) -> set[str]:
    """Distributions that the Python files of these folders and files import from outside."""
    files = [
        path for room in rooms for path in ([ROOT / room] if room.endswith(".py") else (ROOT / room).rglob("*.py"))
    ]
    trees = [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    names = {alias.name for node in trees if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in trees if isinstance(node, ast.ImportFrom) and node.module and not node.level}
    outside = {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"rag", "pages", "tests", "samples"}
    known = packages_distributions()
    return {known[name][0].lower().replace("_", "-") for name in outside if name in known}


@pytest.mark.parametrize(
    "file", ["requirements.txt", "requirements-dev.txt", "requirements-ocr.txt", "requirements-model.txt"]
)
def test_every_line_pins_one_version_and_says_what_it_earns(file: str) -> None:
    assert [line for line in lines(file) if not DEV_PIN.match(line)] == []


def test_what_the_app_imports_is_pinned() -> None:
    assert imported("rag", "pages", "app.py") <= pinned("requirements.txt") | pinned("requirements-ocr.txt")


def test_what_tests_and_tools_import_is_pinned() -> None:
    everything = pinned("requirements.txt") | pinned("requirements-dev.txt")
    assert imported("tests", "benchmarks", "samples") <= everything
