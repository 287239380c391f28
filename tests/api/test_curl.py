"""The README's `curl` lines, run as they stand."""

import json
import re
import shlex
import subprocess

import pytest

from tests.api.serving import ROOT, serving

LINES = re.findall(r"^    (curl .+)$", (ROOT / "README.md").read_text("utf-8"), re.M)


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What each line prints, in their order."""
    with serving(tmp_path_factory.mktemp("curl")) as server:
        return [curl(line, str(server.base_url)) for line in LINES]


def curl(line, address):
    program, *arguments = shlex.split(line.replace("http://127.0.0.1:8501", address))
    done = subprocess.run([program, "-sS", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_they_upload_ask_stream_and_search(printed):
    uploaded, asked, streamed, found = printed
    assert [each["stage"] for each in json.loads(uploaded)["results"]] == ["added", "added"]
    assert json.loads(asked)["status"] == "answered"
    assert streamed.startswith("event: started\n") and "\nevent: done\n" in streamed
    assert re.fullmatch(r"([01]\.\d\d \S.+\n){1,3}", found)
