"""Players for this game, by name."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import ClassVar, NamedTuple

from jamboree.core.geometry import bits
from jamboree.core.offers import Offer

from ..box.components import COLOURS, FACES, OPEN_MAX
from ..box.dice import colour_of, die_of, face_of
from ..rules.actions import (
    BACKSTAGE,
    BASIC,
    BOOT,
    DOUBLE,
    INSTA,
    TILES,
    VIP,
    AnyAction,
    BookSeat,
    ClaimSeat,
    DeclineBooking,
    DeclineClaim,
    DrawFromBag,
    KeepDice,
    PerformStage,
    RerollDie,
    TakeFromQueue,
)
from ..rules.state import BOOK_THIS, CLAIM_AGAIN, NO_DIE, PERFORM, REROLL, TAKE, TURN
from ..visibility.restore import restore
from ..visibility.views import View
from .evaluation import Prospects

WEIGHT = 0.5  # of a place next to stages, against certain points
MIXED_WEIGHTS = (0.2, 0.8)
NOISE = 0.3  # points by which equal places may differ

BOOK_AT = 3  # points for which a seat is booked rather than another claimed
BOOT_COST = 2.0  # how much better than any empty hex an open seat of a rival must be
DOUBLE_AT = 3.0  # value of the second-best hex for which Double Claim is laid
MATCH = 0.5  # of the weight of a place: a face that matches the tokens beside it
LATER = 0.5  # of the points a die would score on a hex that is still to be claimed


class Booking(NamedTuple):
    value: float
    points: float
    slot: int
    place: int


class GreedyBot:
    """Takes the best certain points, else a place next to stages. It looks no further than the board shows."""

    def __init__(self, seed: int | None = None, weight: float = WEIGHT, noise: float = NOISE) -> None:
        self.weight, self.noise = weight, noise
        self._random = random.Random(seed).random

    def choose(self, view: View, offers: Sequence[Offer[AnyAction]]) -> AnyAction:
        if len(offers) == 1:
            return offers[0].action
        seen = Prospects(restore(view))
        return self.CHOICES[seen.state.phase](self, seen)

    def take_turn(self, seen: Prospects) -> AnyAction:
        """Book for good points, else claim, else book for what there is."""
        booking = self.best_booking(seen, seen.open_seats)
        if booking and booking.points >= BOOK_AT:
            return book(seen, booking)
        claimed = self.best_claim(seen)
        if claimed:
            return claimed
        return book(seen, booking) if booking else self.waste_special(seen)

    def claim_again(self, seen: Prospects) -> AnyAction:
        return self.best_claim(seen) or DeclineClaim()

    def book_this(self, seen: Prospects) -> AnyAction:
        booking = self.best_booking(seen, 1 << seen.state.insta)
        return book(seen, booking) if booking and booking.points >= BOOK_AT else DeclineBooking()

    def perform(self, seen: Prospects) -> AnyAction:
        """Let the stage play first that brings most while the markers are high."""
        best = max(bits(seen.state.complete), key=seen.performance)
        return PerformStage(seen.ground.stages[best].letter)

    def take_die(self, seen: Prospects) -> AnyAction:
        """Take the most useful die of the queue, unless the bag promises better."""
        use = self.uses(seen, range(len(COLOURS)))
        queue = [(use[die], -place) for place, die in enumerate(seen.state.queue) if die != NO_DIE]
        best, place = max(queue, default=(-inf, 0))
        if seen.state.bag.total and sum(use[die] * odds for die, odds in seen.bag_odds()) > best:
            return DrawFromBag()
        return TakeFromQueue(-place)

    def reroll(self, seen: Prospects) -> AnyAction:
        """Roll the die again that has most to win by it."""
        use = self.uses(seen, dict.fromkeys(map(colour_of, seen.hand)))
        gain, slot = max((mean_of_colour(use, die) - use[die], -slot) for slot, die in enumerate(seen.hand))
        return RerollDie(-slot) if gain > 0 else KeepDice()

    def best_booking(self, seen: Prospects, seats: int) -> Booking | None:
        bookings = []
        for place in bits(seats):
            matches = self.matching(seen, place)
            for slot, die in enumerate(seen.hand):
                points = seen.points(die, place)
                bookings.append(Booking(points + matches[face_of(die)], points, slot, place))
        return max(bookings, default=None)

    def matching(self, seen: Prospects, place: int) -> list[float]:
        """Weigh each face by the stages it would be heard at from a hex; those that play at once are counted."""
        if place in seen.closing:
            return [0.0] * len(FACES)
        return [self.weight * MATCH * match for match in seen.matches(place)]

    def best_claim(self, seen: Prospects) -> ClaimSeat | None:
        """Find the best hex among those that tiles of the supply are made for."""
        if seen.open_seats.bit_count() >= OPEN_MAX:
            return None
        values = self.values(seen)
        special = max(special_claims(seen, values), default=None)
        normal = sorted([(values[place], place) for place in bits(seen.free_normal)], reverse=True)
        tile = ordinary_tile(seen, normal) if normal else None
        if tile is not None and (not special or normal[0][0] >= special[0]):
            return claim(seen, tile, normal[0][1])
        return claim(seen, *special[1:]) if special else None

    def values(self, seen: Prospects) -> list[float]:
        """Weigh every hex: what a die in hand would score there, and the stages beside it."""
        values = [self.weight * pull + self.noise * self._random() for pull in seen.pulls()]
        for place, points in seen.best_in_hand().items():
            values[place] += points
        return values

    def waste_special(self, seen: Prospects) -> ClaimSeat:
        """Lay a special face down where it is of most use, when nothing else is possible."""
        place = max(bits(seen.free_normal), key=self.values(seen).__getitem__)
        tile = next(tile for tile in (BACKSTAGE, VIP) if seen.specials >> tile & 1)
        return claim(seen, tile, place, face_down=True)

    def uses(self, seen: Prospects, colours: Iterable[int]) -> dict[int, float]:
        """Weigh the dice of some colours by the best there is to do with each, now or on a seat yet to be claimed."""
        seats = [(place, self.matching(seen, place)) for place in bits(seen.open_seats)]
        found = {}
        for colour in colours:
            for face, later in enumerate(seen.best_elsewhere(colour)):
                die = die_of(colour, face)
                now = [seen.points(die, place) + matches[face] for place, matches in seats]
                found[die] = max(LATER * later, *now, 0.0)
        return found

    CHOICES: ClassVar[Mapping[int, Callable[["GreedyBot", Prospects], AnyAction]]] = {
        TURN: take_turn,
        CLAIM_AGAIN: claim_again,
        BOOK_THIS: book_this,
        PERFORM: perform,
        TAKE: take_die,
        REROLL: reroll,
    }


def mean_of_colour(use: Mapping[int, float], die: int) -> float:
    return sum(use[die_of(colour_of(die), face)] for face in range(len(FACES))) / len(FACES)


def special_claims(seen: Prospects, values: list[float]) -> Iterator[tuple[float, int, int]]:
    """List the claims of specials that have places of their own: value, tile, hex."""
    places = ((VIP, seen.free_vip, 0.0), (BACKSTAGE, seen.free_backstage, 0.0), (BOOT, seen.bootable, BOOT_COST))
    for tile, targets, cost in places:
        if seen.specials >> tile & 1:
            for place in bits(targets):
                yield values[place] - cost, tile, place


def ordinary_tile(seen: Prospects, ranked: list[tuple[float, int]]) -> int | None:
    """Choose the tile for the best of the normal hexes; VIP seat and Backstage Pass are kept for their places."""
    if seen.specials >> INSTA & 1 and seen.best_points(ranked[0][1]) >= BOOK_AT:
        return INSTA
    if seen.specials >> DOUBLE & 1 and has_two_targets(seen, ranked):
        return DOUBLE
    if seen.state.basics[seen.seat]:
        return BASIC
    return next((tile for tile in (DOUBLE, BOOT, INSTA) if seen.specials >> tile & 1), None)


def has_two_targets(seen: Prospects, ranked: list[tuple[float, int]]) -> bool:
    room = seen.open_seats.bit_count() + 2 <= OPEN_MAX
    return room and len(ranked) > 1 and ranked[1][0] >= DOUBLE_AT


def claim(seen: Prospects, tile: int, place: int, face_down: bool = False) -> ClaimSeat:
    return ClaimSeat(TILES[tile], seen.ground.names[place], face_down)


def book(seen: Prospects, booking: Booking) -> BookSeat:
    return BookSeat(booking.slot, seen.ground.names[booking.place])


def mixed(seed: int | None = None) -> GreedyBot:
    """Make a greedy bot with a taste of its own, for tables where not everybody thinks alike."""
    rng = random.Random(seed)
    return GreedyBot(rng.getrandbits(64), weight=rng.uniform(*MIXED_WEIGHTS))
