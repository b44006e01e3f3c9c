"""What is the same for everybody is sent packed to those who can unpack it. Nothing with a secret in it ever is."""

import gzip
from functools import lru_cache

LEAST = 500  # bytes that are worth it
VARY = {"vary": "accept-encoding"}


def accepts(offered: str, coding: str) -> bool:
    """Tell whether a request accepts a coding without reservations."""
    listed = offered.lower().replace(" ", "").split(",")
    return any(each in (coding, f"{coding};q=1", f"{coding};q=1.0") for each in listed)


@lru_cache(maxsize=512)
def packed(content: bytes) -> bytes:
    """Pack a text; what gets no smaller stays as it is."""
    smaller = gzip.compress(content, 9, mtime=0) if len(content) >= LEAST else content
    return smaller if len(smaller) < len(content) else content
