"""The players' actions, in the rulebook's verbs, and the action space of a board."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from jamboree.core.kit.action_space import ActionSpace
from jamboree.core.offers import Offer

from ..box.board import Ground
from ..box.components import HAND, SPECIALS, box

TILES = ("basic", *SPECIALS)
BASIC, VIP, DOUBLE, BACKSTAGE, INSTA, BOOT = range(6)


class Action(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """An action of a seat; `die` is an index into the player's hand."""


class ClaimSeat(Action, frozen=True, tag=True):
    tile: str
    hex: str
    face_down: bool = False


class DeclineClaim(Action, frozen=True, tag=True):
    """Decline the second claim of a Double Claim."""


class BookSeat(Action, frozen=True, tag=True):
    die: int
    hex: str


class DeclineBooking(Action, frozen=True, tag=True):
    """Decline the booking of an Insta-Book."""


class PerformStage(Action, frozen=True, tag=True):
    stage: str


class TakeFromQueue(Action, frozen=True, tag=True):
    place: int


class DrawFromBag(Action, frozen=True, tag=True):
    pass


class RerollDie(Action, frozen=True, tag=True):
    die: int


class KeepDice(Action, frozen=True, tag=True):
    """Decline the reroll after a claim."""


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


class BebopActionSpace(ActionSpace[AnyAction]):
    """Offers by hex are indexed by the hex's number."""

    def __init__(self, names: Sequence[str], stages: Sequence[str], queue: int) -> None:
        super().__init__()
        face_up = [self.add(ClaimSeat(tile, name) for name in names) for tile in TILES]
        face_down = [self.add(ClaimSeat(tile, name, True) for name in names) for tile in SPECIALS]
        self.boot, self.vip, self.backstage = (face_up[BOOT],), (face_up[VIP],), (face_up[BACKSTAGE],)
        self.on_normal = tuple(_on_normal(supply, face_up, face_down) for supply in range(1 << len(TILES)))
        by_die = [self.add(BookSeat(die, name) for name in names) for die in range(HAND)]
        self.book = tuple(tuple(by_die[:dice]) for dice in range(HAND + 1))
        self.perform = (self.add(PerformStage(stage) for stage in stages),)
        self.queue = self.add(TakeFromQueue(place) for place in range(queue))
        (self.draw,) = self.add([DrawFromBag()])
        self.any_die = (*self.queue, self.draw)
        self.decline_claim = (self.add([DeclineClaim()]),)
        self.decline_booking = (self.add([DeclineBooking()]),)
        rolls, keep = self.add(RerollDie(die) for die in range(HAND)), self.add([KeepDice()])
        self.reroll = tuple(rolls[:dice] + keep for dice in range(HAND + 1))
        self.passing = self.add([Pass()])


class PlayableGround(Ground):
    """A ground with its action space."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.action_space = BebopActionSpace(
            self.names, [stage.letter for stage in self.stages], box(self.players).queue
        )


@lru_cache(maxsize=256)
def playable_ground(ground: Ground) -> PlayableGround:
    return PlayableGround(ground.board, ground.players)


def _on_normal(supply: int, face_up: list[Offers], face_down: list[Offers]) -> tuple[Offers, ...]:
    """Return the claims of an empty normal hex for a supply (a mask of tiles): specials also face down."""
    upright = [face_up[tile] for tile in (BASIC, DOUBLE, INSTA, BOOT) if supply >> tile & 1]
    turned = [face_down[tile - 1] for tile in range(VIP, BOOT + 1) if supply >> tile & 1]
    return tuple(upright + turned)
