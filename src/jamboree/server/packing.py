"""What is the same for everybody is sent packed to those who can unpack it. Nothing with a secret in it ever is."""

import gzip
from functools import lru_cache

LEAST = 500  # bytes that are worth it
VARY = {"vary": "accept-encoding"}


def codings(accept_encoding: str) -> frozenset[str]:
    """Name the codings that a client takes; what it gives no weight it does not want."""
    offered = (each.partition(";q=") for each in accept_encoding.lower().replace(" ", "").split(","))
    return frozenset(name for name, _, weight in offered if name and (not weight or weight.strip("0.")))


@lru_cache(maxsize=512)
def packed(content: bytes) -> bytes:
    """Pack a text; what gets no smaller stays as it is."""
    smaller = gzip.compress(content, 9, mtime=0) if len(content) >= LEAST else content
    return smaller if len(smaller) < len(content) else content
