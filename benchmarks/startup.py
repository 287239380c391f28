"""How long a start takes in a fresh process, up to an opened, empty library: python benchmarks/startup.py

Once without a language model and once with the settings of one; then what the first question to it imports.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 5
OPEN = """
import os, sys, time
began = time.perf_counter()
from rag.settings import Settings
from rag.workspace import Workspace
with Workspace.open(Settings.read(os.environ), embed=False) as workspace:
    name = workspace.reasoner().name
    opened = time.perf_counter() - began
    {more}
packages = {{"langchain", "langchain_core", "langchain_openai", "openai"}}
heavy = sorted(packages & {{module.split(".")[0] for module in sys.modules}})
print(f"{{time.perf_counter() - began:.3f}} {{name}} {{','.join(heavy) or 'none'}}")
"""
FIRST = (
    "import rag.models.chat, rag.agent.language; from langchain.chat_models import init_chat_model; "
    "init_chat_model('any', model_provider='openai')"
)


def main() -> None:
    keyless = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "AZURE_"))}
    with_key = keyless | {"OPENAI_API_KEY": "sk-none"}
    measure("without a model", OPEN.format(more="pass"), keyless)
    measure("with a model set up", OPEN.format(more="pass"), with_key)
    measure("and its first question's imports", OPEN.format(more=FIRST), with_key)


def measure(name: str, code: str, environment: dict[str, str]) -> None:
    root = Path(__file__).parents[1]
    with tempfile.TemporaryDirectory() as folder:
        command, given = [sys.executable, "-c", code], environment | {"TRACEBOOK_DATA": folder}
        told = [subprocess.check_output(command, cwd=root, text=True, env=given).split() for _ in range(RUNS)]
    seconds = sorted(float(line[0]) for line in told)
    print(
        f"{name:34}{seconds[0]:6.3f} s at best, {seconds[RUNS // 2]:6.3f} s in the middle of {RUNS} runs; "
        f"reasoner {told[0][1]}; model packages imported: {told[0][2]}"
    )


if __name__ == "__main__":
    main()
