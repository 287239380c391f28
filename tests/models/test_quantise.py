import logging

from rag.models.quantise import quantised


def test_a_model_that_cannot_be_quantised_is_used_as_it_is(tmp_path, caplog):
    (tmp_path / "model.onnx").write_bytes(b"no model")
    with caplog.at_level(logging.WARNING):
        assert quantised(tmp_path / "model.onnx", "0" * 64, tmp_path / "cache") is None
    assert "model.onnx is used as it is" in caplog.text
    assert list((tmp_path / "cache").iterdir()) == []


def test_what_was_made_once_is_found_again(tmp_path):
    made = tmp_path / "model-0000000000000000-1.onnx"
    made.write_bytes(b"made before")
    assert quantised(tmp_path / "model.onnx", "0" * 64, tmp_path) == made
