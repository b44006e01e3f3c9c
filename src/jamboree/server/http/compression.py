"""What is open to everybody is sent packed to those who can unpack it. Nothing with a secret in it ever is."""

import gzip
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

LEAST = 500  # bytes that are worth it
BEST, QUICK = 9, 6  # how hard it is tried: for what is packed once, and for what is packed for one answer
VARY = {"vary": "accept-encoding"}
PLAIN = "identity"


class Form(NamedTuple):
    """Content as it is sent, and how it is packed."""

    content: bytes
    coding: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return VARY | ({"content-encoding": self.coding} if self.coding else {})


def chosen(accept_encoding: str, offered: Sequence[str]) -> str:
    """Choose how to pack: as the client likes best, and we of that; empty if it would rather have it plain."""
    weights = dict(map(_weight, accept_encoding.lower().replace(" ", "").split(",")))
    liked = {coding: weights.get(coding, weights.get("*", 0.0)) for coding in offered}
    best = max(liked, key=lambda coding: liked[coding])
    return best if liked[best] > 0 and liked[best] >= weights.get(PLAIN, 0.0) else ""


def _weight(offer: str) -> tuple[str, float]:
    """Read one coding that a client takes; what has no weight, or one that is none, it does not want."""
    name, given, weight = offer.partition(";q=")
    try:
        return name, float(weight) if given else 1.0
    except ValueError:
        return name, 0.0


@lru_cache(maxsize=512)
def packed_once(content: bytes) -> bytes:
    """Pack a text that is sent again and again."""
    return _packed(content, BEST)


def in_form(content: bytes, coding: str) -> Form:
    """Pack the content of one answer, if it is to be packed and worth it."""
    return _form(content, _packed(content, QUICK)) if coding else Form(content)


def often_in_form(content: bytes, coding: str) -> Form:
    """Do the same with what is the same for everybody, and packed already if somebody has asked for it before."""
    return _form(content, packed_once(content)) if coding else Form(content)


def _form(content: bytes, smaller: bytes) -> Form:
    return Form(smaller, "gzip") if len(smaller) < len(content) else Form(content)


def _packed(content: bytes, level: int) -> bytes:
    """Pack a text; what gets no smaller stays as it is."""
    smaller = gzip.compress(content, level, mtime=0) if len(content) >= LEAST else content
    return smaller if len(smaller) < len(content) else content
