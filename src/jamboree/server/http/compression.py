"""Content negotiation and gzip for public responses; responses with secrets are never compressed (BREACH)."""

import gzip
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

MIN_SIZE = 500  # bytes; less is not worth compressing
CACHED_LEVEL, SINGLE_LEVEL = 9, 6  # of gzip, for cached responses and for single ones
VARY = {"vary": "accept-encoding"}
GENERIC = "identity"


class EncodedBody(NamedTuple):
    """A response body and its content coding."""

    content: bytes
    coding: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return VARY | ({"content-encoding": self.coding} if self.coding else {})


def negotiate(accept_encoding: str, offered: Sequence[str]) -> str:
    """The offered coding that a client prefers, ours first among equals; empty for none."""
    weights = dict(map(_weight, accept_encoding.lower().replace(" ", "").split(",")))
    accepted = {coding: weights.get(coding, weights.get("*", 0.0)) for coding in offered}
    best = max(accepted, key=lambda coding: accepted[coding])
    return best if accepted[best] > 0 and accepted[best] >= weights.get(GENERIC, 0.0) else ""


def _weight(offer: str) -> tuple[str, float]:
    """A coding of Accept-Encoding and its weight; 0 for a malformed weight."""
    name, given, weight = offer.partition(";q=")
    try:
        return name, float(weight) if given else 1.0
    except ValueError:
        return name, 0.0


@lru_cache(maxsize=512)
def gzip_cached(content: bytes) -> bytes:
    return _gzip(content, CACHED_LEVEL)


def compressed(content: bytes, coding: str) -> EncodedBody:
    """Compress a single response, if that was negotiated and makes it smaller."""
    return _smaller(content, _gzip(content, SINGLE_LEVEL)) if coding else EncodedBody(content)


def compressed_cached(content: bytes, coding: str) -> EncodedBody:
    """Compress a response that is the same for everyone, with a cache."""
    return _smaller(content, gzip_cached(content)) if coding else EncodedBody(content)


def _smaller(content: bytes, smaller: bytes) -> EncodedBody:
    return EncodedBody(smaller, "gzip") if len(smaller) < len(content) else EncodedBody(content)


def _gzip(content: bytes, level: int) -> bytes:
    smaller = gzip.compress(content, level, mtime=0) if len(content) >= MIN_SIZE else content
    return smaller if len(smaller) < len(content) else content
