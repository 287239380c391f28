"""Something behind a network that failed, and is left alone for a while."""

import threading
import time

PAUSE = 60.0  # seconds until it is asked again


class Pause:
    """For any thread."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._until = 0.0
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        """Whether it lasts."""
        return time.monotonic() < self._until

    def begin(self) -> bool:
        """Whether it did not last already; from now on it lasts its whole time."""
        with self._lock:
            begun, self._until = not self, time.monotonic() + self.seconds
        return begun
