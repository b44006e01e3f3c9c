"""A position of Bebop. Hexes are bits of a mask, dice and tiles small numbers; families are kept, not searched."""

from dataclasses import dataclass
from functools import cache

from jamboree.core.chance import Bag

from .actions import TILES, PlayableGround

PHASES = ("turn", "claim again", "book this seat", "perform", "take a die", "reroll", "over")
TURN, CLAIM_AGAIN, BOOK_THIS, PERFORM, TAKE, REROLL, OVER = range(len(PHASES))

NOWHERE = -1
NO_DIE = -1

Belief = tuple[tuple[int, ...], float]
"""One way a hidden hand can be: the dice known to be in it, as `memory` numbers them, and its weight."""


@dataclass(slots=True)
class State:
    ground: PlayableGround
    star: bool
    hidden: bool

    turn: int
    phase: int
    rerolls: int  # claims of this turn whose reroll is still to come
    insta: int  # the Insta-Book seat that may be booked at once
    complete: int  # stages that are surrounded and wait for the player's choice
    passed: int  # seats that passed since the last claim or booking

    occupied: int  # hexes with a tile or a preprinted die
    booked: int  # hexes with a die
    boots: int  # face-up Boots
    opened: int  # all open seats
    open: list[int]  # open seats by player
    owned: list[int]  # dice by player
    colours: list[int]  # dice by colour
    faces: list[int]  # dice by face
    tiles: bytearray  # by hex: 0, or what lies there, as `tile_code` packs it

    families: list[tuple[int, ...]]  # by colour: connected groups, single dice included
    banners: list[int]  # by colour: a hex of the bannered family

    basics: list[int]
    specials: list[int]  # by player: a mask of special tiles in the supply
    hands: list[tuple[int, ...]]
    beliefs: list[tuple[Belief, ...]]  # by player: what the others know of a hidden hand
    queue: list[int]
    bag: Bag

    tokens: list[tuple[int, ...]]  # by stage, on its spaces; empty once it has performed
    backstage: int  # spaces of performed stages
    paid: list[tuple[int, ...]]  # by stage: what its performance gave each player; empty until then
    rating: list[int]
    held: list[tuple[int, ...]]  # by player: tokens of each feature, and stars
    box: list[int]  # tokens out of the game

    family_points: list[int]
    stage_points: list[int]
    majority_points: list[int]

    def clone(self) -> "State":
        return State(
            self.ground, self.star, self.hidden,
            self.turn, self.phase, self.rerolls, self.insta, self.complete, self.passed,
            self.occupied, self.booked, self.boots, self.opened,
            self.open[:], self.owned[:], self.colours[:], self.faces[:], self.tiles[:],
            self.families[:], self.banners[:],
            self.basics[:], self.specials[:], self.hands[:], self.beliefs[:], self.queue[:], self.bag.clone(),
            self.tokens[:], self.backstage, self.paid[:], self.rating[:], self.held[:], self.box[:],
            self.family_points[:], self.stage_points[:], self.majority_points[:],
        )  # fmt: skip

    @property
    def seats(self) -> int:
        return self.ground.players

    def score(self, seat: int) -> int:
        return self.family_points[seat] + self.stage_points[seat] + self.majority_points[seat]

    def has_finished(self, seat: int) -> bool:
        """A player stops when all seats have been placed and have a die on them."""
        return not (self.basics[seat] or self.specials[seat] or self.open[seat])

    def family_at(self, colour: int, place: int) -> int:
        """Find the group of dice of a colour that a hex belongs to."""
        return next((group for group in self.families[colour] if group >> place & 1), 0)


def tile_code(seat: int, tile: int, face_down: bool) -> int:
    return 1 + (seat * len(TILES) + tile) * 2 + face_down


@cache
def read_tile(code: int) -> tuple[int, int, bool]:
    """Unpack what lies on a hex: whose tile, which, and whether face down."""
    rest, face_down = divmod(code - 1, 2)
    seat, tile = divmod(rest, len(TILES))
    return seat, tile, bool(face_down)
