"""How much may be asked of the server: by seat where there is one, else by address. It comes back evenly."""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from ..errors import Refused
from .addresses import site
from .connection_limits import Crowd

MOST_REMEMBERED = 10_000  # of each kind; those who have asked little are forgotten first


class Rate(NamedTuple):
    most: int
    seconds: float


REQUESTS = Rate(6000, 60.0)  # by address, without a seat: a page is some thirty, and a school has one address
OF_A_SEAT = Rate(600, 60.0)  # by seat
SURE_OF_A_SEAT = Rate(30, 60.0)  # by seat: nobody else at the address can use these up
OF_SEATS = Rate(12_000, 60.0)  # by address, of all seats there, beyond what each is sure of
OPENINGS = Rate(200, 600.0)  # of tables, by address, without a seat
PARTIES = Rate(60, 600.0)  # by address: a screen has no seat, and leaves the openings of those who play alone
OPENINGS_OF_A_SEAT = Rate(20, 600.0)  # by seat; rematches and forks are openings, too
SURE_OPENINGS_OF_A_SEAT = Rate(3, 600.0)
OPENINGS_OF_SEATS = Rate(600, 600.0)  # by address, of all seats there, beyond what each is sure of
JOINING = Rate(120, 60.0)  # by table
JOINING_FROM = Rate(60, 60.0)  # by table and address: nobody uses a table's up alone
JOINS = Rate(300, 600.0)  # by address, without a seat: a school can join together, and nobody invents seats for ever
JOINS_OF_A_SEAT = Rate(20, 600.0)  # by seat
GUESSES = Rate(60, 600.0)  # by address, without a seat: codes of tables that are not there
GUESSES_OF_A_SITE = Rate(600, 600.0)  # by the network that IPv6 addresses belong to
HEALTH = Rate(1200, 60.0)  # by address, for those who ask whether the server is there


class Buckets:
    """What was spent lately, by whom."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.now = rate, now
        self._spent: dict[str, tuple[float, float]] = {}  # how much, and when that was

    def has_left(self, whose: str) -> bool:
        return self._spent_by(whose) + 1 <= self.rate.most

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


def check(shares: list[Share]) -> None:
    for buckets, whose in shares:
        buckets.check(whose)


def take(shares: list[Share]) -> None:
    """Spend one of each, or none at all: what is refused uses nothing up."""
    check(shares)
    for buckets, whose in shares:
        buckets.spend(whose)


def give_back(shares: list[Share]) -> None:
    for buckets, whose in shares:
        buckets.spend(whose, -1)


class Limits:
    """A seat has a share of its own, so that strangers at the same address can't use it up.

    A seat that somebody takes while they hold another has no share besides: they share one.
    """

    def __init__(
        self,
        requests: Rate = REQUESTS,
        openings: Rate = OPENINGS,
        of_a_seat: Rate = OF_A_SEAT,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.requests, self.openings = Buckets(requests, now), Buckets(openings, now)
        self.parties = Buckets(PARTIES, now)
        self.of_a_seat, self.of_seats = Buckets(of_a_seat, now), Buckets(OF_SEATS, now)
        self.sure_of_a_seat = Buckets(SURE_OF_A_SEAT, now)
        self.openings_of_a_seat = Buckets(OPENINGS_OF_A_SEAT, now)
        self.openings_of_seats = Buckets(OPENINGS_OF_SEATS, now)
        self.sure_openings = Buckets(SURE_OPENINGS_OF_A_SEAT, now)
        self.joining, self.joining_from = Buckets(JOINING, now), Buckets(JOINING_FROM, now)
        self.joins, self.joins_of_a_seat = Buckets(JOINS, now), Buckets(JOINS_OF_A_SEAT, now)
        self.guesses, self.guesses_of_sites = Buckets(GUESSES, now), Buckets(GUESSES_OF_A_SITE, now)
        self.health = Buckets(HEALTH, now)
        self.crowd = Crowd()
        self._first: dict[str, str] = {}  # by seat: the one its holder had before

    def of_request(self, address: str, seat: str | None) -> list[Share]:
        if seat:
            first = self._first_of(seat)
            beyond = _sure_or((self.sure_of_a_seat, first), (self.of_seats, address))
            return [(self.of_a_seat, first), beyond]
        return [(self.requests, address)]

    def of_opening(self, address: str, seat: str | None) -> list[Share]:
        if seat:
            first = self._first_of(seat)
            beyond = _sure_or((self.sure_openings, first), (self.openings_of_seats, address))
            return [(self.openings_of_a_seat, first), beyond]
        return [(self.openings, address)]

    def of_party(self, address: str) -> list[Share]:
        return [(self.parties, address)]

    def of_guess(self, address: str) -> list[Share]:
        network = site(address)
        return [(self.guesses, address), *([(self.guesses_of_sites, network)] if network else [])]

    def of_joining(self, address: str, seat: str | None, table: str) -> list[Share]:
        own = (self.joins_of_a_seat, self._first_of(seat)) if seat else (self.joins, address)
        return [own, (self.joining_from, f"{table} {address}"), (self.joining, table)]

    def add_seat(self, seat: str, held: str) -> None:
        """Note that whoever held a seat has taken another."""
        self._first[seat] = self._first_of(held)
        if len(self._first) > MOST_REMEMBERED:
            self._first = dict(list(self._first.items())[MOST_REMEMBERED // 2 :])

    def _first_of(self, seat: str) -> str:
        return self._first.get(seat, seat)


def _sure_or(own: Share, shared: Share) -> Share:
    """Choose what somebody is sure of while there is some, and then what all at their address have."""
    buckets, whose = own
    return own if buckets.has_left(whose) else shared
