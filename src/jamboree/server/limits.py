"""How much one address may ask of the server: a bucket that fills up again by and by."""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from .errors import Refused

MOST_ADDRESSES = 10_000  # that are remembered; who has asked little is forgotten first


class Rate(NamedTuple):
    most: int
    seconds: float


REQUESTS = Rate(1200, 60.0)  # a page is some thirty, and a house full of friends has one address
OPENINGS = Rate(30, 600.0)  # of tables


class Buckets:
    """A bucket an address. What was spent comes back evenly."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.now = rate, now
        self._spent: dict[str, tuple[float, float]] = {}  # by address: how much, and when that was

    def take(self, address: str) -> None:
        """Spend one, or say when there will be one again."""
        now, spent = self.now(), self._spent_by(address)
        if spent + 1 > self.rate.most:
            wait = math.ceil((spent + 1 - self.rate.most) * self.rate.seconds / self.rate.most)
            raise Refused("too-fast", f"That was too much at once; try again in {wait} seconds.", {"retry_after": wait})
        self._spent[address] = (spent + 1, now)
        if len(self._spent) > MOST_ADDRESSES:
            self._forget()

    def _spent_by(self, address: str) -> float:
        spent, at = self._spent.get(address, (0.0, 0.0))
        return max(0.0, spent - (self.now() - at) * self.rate.most / self.rate.seconds)

    def _forget(self) -> None:
        most_spent = sorted(self._spent, key=self._spent_by, reverse=True)[: MOST_ADDRESSES // 2]
        self._spent = {address: self._spent[address] for address in most_spent}


class Limits:
    def __init__(self, requests: Rate = REQUESTS, openings: Rate = OPENINGS, behind_proxy: bool = False) -> None:
        self.requests, self.openings = Buckets(requests), Buckets(openings)
        self.behind_proxy = behind_proxy

    def address(self, peer: str, forwarded: str) -> str:
        """Tell clients apart: by where they come from, or by what the proxy in front of us says of that."""
        return forwarded.rpartition(",")[2].strip() or peer if self.behind_proxy else peer
