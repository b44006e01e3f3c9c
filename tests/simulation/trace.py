"""The trace of a simulation: a hash to compare two runs, and readable lines."""

import hashlib
from collections.abc import Callable


class Trace:
    def __init__(self, now: Callable[[], float], tell: Callable[[str], None] | None = None) -> None:
        self._now, self._tell, self._hash = now, tell, hashlib.blake2b(digest_size=16)
        self.lines = 0

    def __call__(self, who: str, what: str, data: str | None = None) -> None:
        self.lines += 1
        self._hash.update(f"{self._now():.6f} {who} {what if data is None else data}\n".encode("utf-8", "replace"))
        if self._tell:
            self._tell(f"{self._now():9.3f}  {who:12} {what}")

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()
