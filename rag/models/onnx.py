"""onnxruntime, silenced."""

import os
from types import ModuleType


def runtime() -> ModuleType:
    """The package onnxruntime; it would else report its use to Microsoft and keep a device id in the user's cache."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # is read as the package is imported
    import onnxruntime

    return onnxruntime  # type: ignore[no-any-return]
