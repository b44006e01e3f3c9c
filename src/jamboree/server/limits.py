"""How much may be asked of the server: by seat where there is one, else by address. It comes back evenly."""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from .crowd import Crowd
from .errors import Refused

MOST_REMEMBERED = 10_000  # of each kind; who has asked little is forgotten first


class Rate(NamedTuple):
    most: int
    seconds: float


REQUESTS = Rate(6000, 60.0)  # by address, without a seat: a page is some thirty, and a school has one address
OF_A_SEAT = Rate(600, 60.0)  # by seat
OF_SEATS = Rate(12_000, 60.0)  # by address, of all seats there
OPENINGS = Rate(200, 600.0)  # of tables, by address, without a seat
OPENINGS_OF_A_SEAT = Rate(20, 600.0)  # by seat; rematches and forks are openings, too
OPENINGS_OF_SEATS = Rate(600, 600.0)  # by address, of all seats there
JOINING = Rate(120, 60.0)  # by table
HEALTH = Rate(1200, 60.0)  # by address: whoever looks whether the server is there


class Buckets:
    """What was spent lately, by whom."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.now = rate, now
        self._spent: dict[str, tuple[float, float]] = {}  # how much, and when that was

    def check(self, whose: str) -> None:
        """Say when there will be one again, if there is none."""
        over = self._spent_by(whose) + 1 - self.rate.most
        if over > 0:
            wait = math.ceil(over * self.rate.seconds / self.rate.most)
            raise Refused("too-fast", f"That was too much at once; try again in {wait} seconds.", {"retry_after": wait})

    def spend(self, whose: str, much: int = 1) -> None:
        self._spent[whose] = (max(0.0, self._spent_by(whose) + much), self.now())
        if len(self._spent) > MOST_REMEMBERED:
            self._forget()

    def _spent_by(self, whose: str) -> float:
        spent, at = self._spent.get(whose, (0.0, 0.0))
        return max(0.0, spent - (self.now() - at) * self.rate.most / self.rate.seconds)

    def _forget(self) -> None:
        most_spent = sorted(self._spent, key=self._spent_by, reverse=True)[: MOST_REMEMBERED // 2]
        self._spent = {whose: self._spent[whose] for whose in most_spent}


Share = tuple[Buckets, str]


def take(shares: list[Share]) -> None:
    """Spend one of each, or none at all: what is refused uses nothing up."""
    for buckets, whose in shares:
        buckets.check(whose)
    for buckets, whose in shares:
        buckets.spend(whose)


def give_back(shares: list[Share]) -> None:
    for buckets, whose in shares:
        buckets.spend(whose, -1)


class Limits:
    """A seat has a share of its own, so that strangers at the same address can't use it up."""

    def __init__(
        self,
        requests: Rate = REQUESTS,
        openings: Rate = OPENINGS,
        of_a_seat: Rate = OF_A_SEAT,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.requests, self.openings = Buckets(requests, now), Buckets(openings, now)
        self.of_a_seat, self.of_seats = Buckets(of_a_seat, now), Buckets(OF_SEATS, now)
        self.openings_of_a_seat = Buckets(OPENINGS_OF_A_SEAT, now)
        self.openings_of_seats = Buckets(OPENINGS_OF_SEATS, now)
        self.joining, self.health = Buckets(JOINING, now), Buckets(HEALTH, now)
        self.crowd = Crowd()

    def of_request(self, address: str, seat: str | None) -> list[Share]:
        if seat:
            return [(self.of_a_seat, seat), (self.of_seats, address)]
        return [(self.requests, address)]

    def of_opening(self, address: str, seat: str | None) -> list[Share]:
        if seat:
            return [(self.openings_of_a_seat, seat), (self.openings_of_seats, address)]
        return [(self.openings, address)]
