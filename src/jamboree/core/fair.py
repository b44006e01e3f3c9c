"""Provably fair picks (commit-reveal): each follows by HMAC from the server's committed seed and the players' seeds.

docs/fairness.md specifies the algorithm; docs/verify.py is an independent verifier that imports nothing of ours.
"""

import hashlib
import hmac
from collections.abc import Sequence
from itertools import count

from .chance import EVERYONE, Audience, Chance, Pick
from .errors import Unfair
from .journal import Fairness, Journal

RANGE = 1 << 64


def commitment(secret: str) -> str:
    """Return the commitment to a server seed: its SHA-256."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def key_of(secret: str, seeds: Sequence[str]) -> bytes:
    """Combine the server's seed with the seeds of the seats, in seat order; a seat without a seed has an empty one."""
    return hmac.digest(bytes.fromhex(secret), ",".join(seeds).encode(), "sha256")


def index_of(key: bytes, stream: str, number: int, n: int) -> int:
    """Return the index below n of a stream's pick; rejection sampling keeps the indices uniform."""
    for attempt in count():
        digest = hmac.digest(key, f"{stream}:{number}:{attempt}".encode(), "sha256")
        drawn = int.from_bytes(digest[:8])
        if drawn < RANGE - RANGE % n:
            return drawn % n
    raise AssertionError("unreachable")


class Fair(Chance):
    """Picks derived from a key. Open and hidden picks are counted separately: neither reveals the other's count."""

    def __init__(self, key: bytes, opened: int = 0, hidden: int = 0) -> None:
        self.key = key
        self.made = {"open": opened, "hidden": hidden}

    def index(self, n: int, seen_by: Audience) -> int:
        stream = "open" if seen_by == EVERYONE else "hidden"
        self.made[stream] += 1
        return index_of(self.key, stream, self.made[stream] - 1, n)


def check_luck(journal: Journal) -> list[int]:
    """Recompute every pick of a journal from its seeds and return the counts per part; raise Unfair on a mismatch."""
    steps = [journal.setup, *(entry.picks for entry in journal.entries)]
    since = [part.since for part in journal.fairness]
    complete = all(len(part.seeds) == journal.header.seats for part in journal.fairness)
    if not complete or since[:1] != [0] or since != sorted(set(since)) or since[-1] > len(steps):
        raise Unfair("This journal does not name the seeds of every step.")
    ends = [*since[1:], len(steps)]
    return [_check(part, steps[part.since : end]) for part, end in zip(journal.fairness, ends, strict=True)]


def _check(part: Fairness, steps: Sequence[Sequence[Pick]]) -> int:
    if commitment(part.secret) != part.commitment:
        raise Unfair(f"The server's seed does not match its commitment {part.commitment}.")
    key, made = key_of(part.secret, part.seeds), {"open": 0, "hidden": 0}
    for step, picks in enumerate(steps, part.since):
        for pick in picks:
            if not 1 <= pick.n <= RANGE or pick.index != index_of(key, pick.stream, made[pick.stream], pick.n):
                raise Unfair(f"A pick of step {step} ({pick.value}) does not follow from the seeds.")
            made[pick.stream] += 1
    return sum(made.values())
