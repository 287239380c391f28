"""A file as it came in."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Upload:
    file: str  # the name it bears; shown, never used as a path
    data: bytes = field(repr=False)
    password: str = field(default="", repr=False)  # tried where the file wants one, while it is read; never stored

    @cached_property
    def sha256(self) -> str:
        """Of its bytes, 64 hex digits: what tells files of one name apart."""
        return hashlib.sha256(self.data).hexdigest()
