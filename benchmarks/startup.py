"""How long `import rag.workspace` takes in a fresh process: python benchmarks/startup.py"""

import subprocess
import sys
from pathlib import Path

RUNS = 5
CODE = "import time; began = time.perf_counter(); import rag.workspace; print(time.perf_counter() - began)"


def main() -> None:
    root = Path(__file__).parents[1]
    command = [sys.executable, "-c", CODE]
    seconds = sorted(float(subprocess.check_output(command, cwd=root, text=True)) for _ in range(RUNS))
    print(f"import rag.workspace: {seconds[0]:.3f} s at best, {seconds[RUNS // 2]:.3f} s in the middle of {RUNS} runs")


if __name__ == "__main__":
    main()
