"""Token-bucket rate limits, by seat for clients that hold one, else by address."""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from ..errors import Refused
from .addresses import ipv6_site
from .connection_limits import ConnectionLimits

MAX_REMEMBERED = 10_000  # keys in each bucket set; the emptiest are dropped first


class Rate(NamedTuple):
    limit: int
    seconds: float


REQUESTS = Rate(6000, 60.0)  # by address, without a seat: a page takes about thirty, and a school has one address
OF_A_SEAT = Rate(600, 60.0)  # by seat
GUARANTEED_OF_A_SEAT = Rate(30, 60.0)  # by seat: nobody else at the address can spend these
OF_SEATS = Rate(12_000, 60.0)  # by address, of all seats there, beyond the guaranteed ones
OPENINGS = Rate(200, 600.0)  # of tables, by address, without a seat
PARTIES = Rate(60, 600.0)  # by address: a screen has no seat, and does not spend the openings of players
OPENINGS_OF_A_SEAT = Rate(20, 600.0)  # by seat; rematches and forks are openings, too
GUARANTEED_OPENINGS_OF_A_SEAT = Rate(3, 600.0)
OPENINGS_OF_SEATS = Rate(600, 600.0)  # by address, of all seats there, beyond the guaranteed ones
JOINING = Rate(120, 60.0)  # by table
JOINING_FROM = Rate(60, 60.0)  # by table and address: no address spends a table's limit alone
JOINS = Rate(300, 600.0)  # by address, without a seat: a school can join together, and invented seats are limited
JOINS_OF_A_SEAT = Rate(20, 600.0)  # by seat
GUESSES = Rate(60, 600.0)  # by address, without a seat: unknown table codes (brute force)
GUESSES_OF_A_SITE = Rate(600, 600.0)  # by the /48 network of IPv6 addresses
HEALTH = Rate(1200, 60.0)  # by address, for health checks


class TokenBuckets:
    """One bucket per key; tokens come back evenly. What is stored is the amount spent, and when."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.now = now
        self._spent: dict[str, tuple[float, float]] = {}

    def has_token(self, key: str) -> bool:
        return self._spent_of(key) + 1 <= self.rate.limit

    def check(self, key: str) -> None:
        """Refuse if the bucket is empty, with the time until the next token."""
        over = self._spent_of(key) + 1 - self.rate.limit
        if over > 0:
            wait = math.ceil(over * self.rate.seconds / self.rate.limit)
            raise Refused("too-fast", f"That was too much at once; try again in {wait} seconds.", {"retry_after": wait})

    def spend(self, key: str, amount: int = 1) -> None:
        self._spent[key] = (max(0.0, self._spent_of(key) + amount), self.now())
        if len(self._spent) > MAX_REMEMBERED:
            self._drop_lowest()

    def _spent_of(self, key: str) -> float:
        spent, at = self._spent.get(key, (0.0, 0.0))
        return max(0.0, spent - (self.now() - at) * self.rate.limit / self.rate.seconds)

    def _drop_lowest(self) -> None:
        most_spent = sorted(self._spent, key=self._spent_of, reverse=True)[: MAX_REMEMBERED // 2]
        self._spent = {key: self._spent[key] for key in most_spent}


Charge = tuple[TokenBuckets, str]


def check(charges: list[Charge]) -> None:
    for buckets, key in charges:
        buckets.check(key)


def spend_all(charges: list[Charge]) -> None:
    """Spend a token of each bucket, or none if one is empty."""
    check(charges)
    for buckets, key in charges:
        buckets.spend(key)


def refund(charges: list[Charge]) -> None:
    for buckets, key in charges:
        buckets.spend(key, -1)


class RateLimits:
    """A seat has buckets of its own, so that strangers at the same address cannot empty them.

    Seats taken by the same holder share the buckets of the first, so that inventing seats gains nothing.
    """

    def __init__(
        self,
        requests: Rate = REQUESTS,
        openings: Rate = OPENINGS,
        of_a_seat: Rate = OF_A_SEAT,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.requests, self.openings = TokenBuckets(requests, now), TokenBuckets(openings, now)
        self.parties = TokenBuckets(PARTIES, now)
        self.of_a_seat, self.of_seats = TokenBuckets(of_a_seat, now), TokenBuckets(OF_SEATS, now)
        self.guaranteed_of_a_seat = TokenBuckets(GUARANTEED_OF_A_SEAT, now)
        self.openings_of_a_seat = TokenBuckets(OPENINGS_OF_A_SEAT, now)
        self.openings_of_seats = TokenBuckets(OPENINGS_OF_SEATS, now)
        self.guaranteed_openings = TokenBuckets(GUARANTEED_OPENINGS_OF_A_SEAT, now)
        self.joining, self.joining_from = TokenBuckets(JOINING, now), TokenBuckets(JOINING_FROM, now)
        self.joins, self.joins_of_a_seat = TokenBuckets(JOINS, now), TokenBuckets(JOINS_OF_A_SEAT, now)
        self.guesses, self.guesses_of_sites = TokenBuckets(GUESSES, now), TokenBuckets(GUESSES_OF_A_SITE, now)
        self.health = TokenBuckets(HEALTH, now)
        self.connections = ConnectionLimits()
        self._first_seat: dict[str, str] = {}  # by seat: the first seat of its holder

    def of_request(self, address: str, seat: str | None) -> list[Charge]:
        if seat:
            first = self._original(seat)
            second = _guaranteed_or((self.guaranteed_of_a_seat, first), (self.of_seats, address))
            return [(self.of_a_seat, first), second]
        return [(self.requests, address)]

    def of_opening(self, address: str, seat: str | None) -> list[Charge]:
        if seat:
            first = self._original(seat)
            second = _guaranteed_or((self.guaranteed_openings, first), (self.openings_of_seats, address))
            return [(self.openings_of_a_seat, first), second]
        return [(self.openings, address)]

    def of_party(self, address: str) -> list[Charge]:
        return [(self.parties, address)]

    def of_guess(self, address: str) -> list[Charge]:
        network = ipv6_site(address)
        return [(self.guesses, address), *([(self.guesses_of_sites, network)] if network else [])]

    def of_joining(self, address: str, seat: str | None, table: str) -> list[Charge]:
        own = (self.joins_of_a_seat, self._original(seat)) if seat else (self.joins, address)
        return [own, (self.joining_from, f"{table} {address}"), (self.joining, table)]

    def add_seat(self, seat: str, held: str) -> None:
        """Let a new seat share the buckets of one that its holder has already."""
        self._first_seat[seat] = self._original(held)
        if len(self._first_seat) > MAX_REMEMBERED:
            self._first_seat = dict(list(self._first_seat.items())[MAX_REMEMBERED // 2 :])

    def _original(self, seat: str) -> str:
        return self._first_seat.get(seat, seat)


def _guaranteed_or(own: Charge, shared: Charge) -> Charge:
    """The guaranteed bucket while it has tokens, then the shared one of the address."""
    buckets, key = own
    return own if buckets.has_token(key) else shared
