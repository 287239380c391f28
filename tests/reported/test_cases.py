"""What people reported of tools like this one, A01 to A37: `pytest -k a15` runs the tests of A15, wherever they are.

Files are in `test_files.py`, the library in `test_library.py`, answers and models in `test_answers.py` and
`test_servers.py`, the pages in `test_pages.py`, all beside this; what is of the HTTP interface alone is in `tests/api`.
"""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
ELSEWHERE = {"A31", "A37"}


def cases(*folders):
    texts = [path.read_text("utf-8") for folder in folders for path in (TESTS / folder).glob("test_*.py")]
    return {name.upper() for text in texts for name in re.findall(r"^def test_(a\d\d)_", text, re.M)}


def test_each_case_has_a_test():
    assert cases("reported") | ELSEWHERE == {f"A{number:02}" for number in range(1, 38)}
    assert cases("api") >= ELSEWHERE
