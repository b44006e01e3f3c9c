"""What a player can do, in the rulebook's verbs, and every such action of a set-up with its number."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from jamboree.core.offers import Offer

from ..box.board import Ground
from ..box.components import HAND, SPECIALS, box

TILES = ("basic", *SPECIALS)
BASIC, VIP, DOUBLE, BACKSTAGE, INSTA, BOOT = range(6)


class Action(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """An action of a seat; a die is a place in the own hand, counted from 0."""


class ClaimSeat(Action, frozen=True, tag=True):
    tile: str
    hex: str
    face_down: bool = False


class DeclineClaim(Action, frozen=True, tag=True):
    """Leave the second claim of a Double Claim."""


class BookSeat(Action, frozen=True, tag=True):
    die: int
    hex: str


class DeclineBooking(Action, frozen=True, tag=True):
    """Leave the booking of an Insta-Book."""


class PerformStage(Action, frozen=True, tag=True):
    stage: str


class TakeFromQueue(Action, frozen=True, tag=True):
    place: int


class DrawFromBag(Action, frozen=True, tag=True):
    pass


class RerollDie(Action, frozen=True, tag=True):
    die: int


class KeepDice(Action, frozen=True, tag=True):
    """Leave the reroll after a claim."""


class Pass(Action, frozen=True, tag=True):
    pass


AnyAction = (
    ClaimSeat
    | DeclineClaim
    | BookSeat
    | DeclineBooking
    | PerformStage
    | TakeFromQueue
    | DrawFromBag
    | RerollDie
    | KeepDice
    | Pass
)

Offers = tuple[Offer[AnyAction], ...]


class Repertoire:
    """Every action that can come up on a ground, made once. `all` numbers them: an action's place is its id."""

    def __init__(self, names: Sequence[str], stages: Sequence[str], queue: int) -> None:
        self.all: list[AnyAction] = []
        face_up = [self._add(ClaimSeat(tile, name) for name in names) for tile in TILES]
        face_down = [self._add(ClaimSeat(tile, name, True) for name in names) for tile in SPECIALS]
        self.boot, self.vip, self.backstage = (face_up[BOOT],), (face_up[VIP],), (face_up[BACKSTAGE],)
        self.on_normal = tuple(_on_normal(supply, face_up, face_down) for supply in range(1 << len(TILES)))
        by_die = [self._add(BookSeat(die, name) for name in names) for die in range(HAND)]
        self.book = tuple(tuple(by_die[:dice]) for dice in range(HAND + 1))
        self.perform = (self._add(PerformStage(stage) for stage in stages),)
        self.queue = self._add(TakeFromQueue(place) for place in range(queue))
        (self.draw,) = self._add([DrawFromBag()])
        self.any_die = (*self.queue, self.draw)
        self.decline_claim = (self._add([DeclineClaim()]),)
        self.decline_booking = (self._add([DeclineBooking()]),)
        rolls, keep = self._add(RerollDie(die) for die in range(HAND)), self._add([KeepDice()])
        self.reroll = tuple(rolls[:dice] + keep for dice in range(HAND + 1))
        self.passing = self._add([Pass()])

    def _add(self, actions: Iterable[AnyAction]) -> Offers:
        made = tuple(actions)
        self.all.extend(made)
        return tuple(Offer(action) for action in made)


class Field(Ground):
    """A ground with all that can be done on it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.repertoire = Repertoire(self.names, [stage.letter for stage in self.stages], box(self.players).queue)


@lru_cache(maxsize=256)
def field(ground: Ground) -> Field:
    return Field(ground.board, ground.players)


def _on_normal(supply: int, face_up: list[Offers], face_down: list[Offers]) -> tuple[Offers, ...]:
    """Choose what a supply (a mask of tiles) can put on an empty normal hex: specials also face down."""
    upright = [face_up[tile] for tile in (BASIC, DOUBLE, INSTA, BOOT) if supply >> tile & 1]
    turned = [face_down[tile - 1] for tile in range(VIP, BOOT + 1) if supply >> tile & 1]
    return tuple(upright + turned)
