import os
import subprocess
import sys


def test_nothing_is_reported_and_no_device_id_is_kept(tmp_path):
    code = "from rag.models.minilm import MiniLM; MiniLM().embed(['Net sales rose.'])"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "ORT_"))}
    subprocess.run([sys.executable, "-c", code], env=environment | {"HOME": str(tmp_path)}, check=True)
    assert list(tmp_path.rglob("*.onnx"))  # it was quantised, which imports more of the package
    assert list(tmp_path.rglob("Microsoft")) == []
