"""Set-up: the central play area, then the players."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from jamboree.core.chance import EVERYONE, Audience, Bag, Chance, only
from jamboree.core.errors import BadOptions, Flaw
from jamboree.core.words import list_flaws

from ..box.board import BadBoard, Board, BoardMistake, Ground, load
from ..box.board_check import check
from ..box.components import BASIC_SEATS, COLOURS, FACES, HAND, PLAYER_COUNTS, box
from ..box.dice import STAR, TOKEN_LABELS, die_of
from .actions import BOOT, VIP, playable_ground
from .beliefs import UNKNOWN
from .state import NO_DIE, NOWHERE, TURN, State

ALL_SPECIALS = sum(1 << tile for tile in range(VIP, BOOT + 1))
SEAT_LABELS = tuple(f"seat {seat}" for seat in range(max(PLAYER_COUNTS)))


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table can choose before the game."""

    board: str = msgspec.field(default_factory=lambda: load("vanillaville").source)
    star: bool = False
    hidden_hands: bool = False


class UnfitBoard(BadOptions):
    """A board nobody can play on; `mistakes` lists all that is wrong with it."""

    def __init__(self, what: str, mistakes: Sequence[BoardMistake]) -> None:
        super().__init__(f"{what}: {mistakes[0]}")
        self.mistakes = mistakes

    def listed(self, lang: str) -> list[Flaw]:
        return list_flaws(self.mistakes, lambda mistake: Flaw(mistake.row, str(mistake)), lang)


@lru_cache(maxsize=64)
def playable(source: str) -> Board:
    """Read the board of an option; play on nothing that is not sound."""
    try:
        board = Board.parse(source)
    except BadBoard as error:
        raise UnfitBoard("the board can't be read", error.mistakes) from None
    mistakes = check(board)
    if mistakes:
        raise UnfitBoard("the board can't be played on", mistakes)
    return board


def set_up(seats: int, options: Options, chance: Chance) -> State:
    return set_up_on(playable(options.board).ground(seats), options.star, options.hidden_hands, chance)


def set_up_on(ground: Ground, star: bool, hidden_hands: bool, chance: Chance) -> State:
    """Set up a table. The first player is random, and dice are dealt from that player on."""
    state = bare(ground, star, hidden_hands or ground.players == min(PLAYER_COUNTS))
    state.turn = chance.roll(SEAT_LABELS[: ground.players])
    fill_stages(state, chance)
    state.queue = [draw_and_roll(state, EVERYONE, chance) for _ in range(box(ground.players).queue)]
    for turn in range(ground.players):
        seat = (state.turn + turn) % ground.players
        state.hands[seat] = tuple(draw_and_roll(state, hand_seen_by(state, seat), chance) for _ in range(HAND))
    return state


def bare(ground: Ground, star: bool, hidden: bool) -> State:
    """Lay out a ground with full supplies, before anything is drawn."""
    seats, parts = ground.players, box(ground.players)
    state = State(
        ground=playable_ground(ground), star=star, hidden=hidden,
        turn=0, phase=TURN, rerolls=0, insta=NOWHERE, complete=0, passed=0,
        occupied=ground.printed, booked=ground.printed, boots=0, opened=0,
        open=[0] * seats, owned=[0] * seats, colours=[0] * len(COLOURS), faces=[0] * len(FACES),
        tiles=bytearray(len(ground.names)), families=[()] * len(COLOURS), banners=[NOWHERE] * len(COLOURS),
        basics=[BASIC_SEATS] * seats, specials=[ALL_SPECIALS] * seats,
        hands=[()] * seats, beliefs=[UNKNOWN if hidden else ()] * seats,
        queue=[NO_DIE] * parts.queue, bag=Bag.of(COLOURS, [parts.dice_per_colour] * len(COLOURS)),
        tokens=[()] * len(ground.stages), backstage=0, paid=[()] * len(ground.stages),
        rating=[ground.rating] * len(FACES), held=[(0,) * (STAR + 1)] * seats, box=[0] * len(TOKEN_LABELS),
        family_points=[0] * seats, stage_points=[0] * seats, majority_points=[0] * seats,
    )  # fmt: skip
    for place, colour, face in ground.printed_dice:
        state.colours[COLOURS.index(colour)] |= 1 << place
        state.faces[FACES.index(face)] |= 1 << place
        state.families[COLOURS.index(colour)] += (1 << place,)
    return state


def hand_seen_by(state: State, seat: int) -> Audience:
    return only(seat) if state.hidden else EVERYONE


def draw_and_roll(state: State, seen_by: Audience, chance: Chance) -> int:
    colour = chance.draw(state.bag, seen_by)
    return die_of(colour, chance.roll(FACES, seen_by))


def fill_stages(state: State, chance: Chance) -> None:
    """Put feature tokens on the stages: triples and the centre in order, the others at random."""
    parts = box(state.seats)
    supply = Bag.of(TOKEN_LABELS, [parts.tokens_per_feature] * len(FACES) + [0] * len(FACES))
    rest = []
    for number, stage in enumerate(state.ground.stages):
        if len(stage.spaces) % len(FACES):
            rest.append(number)
            continue
        state.tokens[number] = tuple(space % len(FACES) for space in range(len(stage.spaces)))
        for token in state.tokens[number]:
            supply.take(token)
    if state.star:
        swap_stars(state, supply, parts.stars_per_feature)
    while not _fill_at_random(state, rest, supply.clone(), chance):
        pass  # a dead end: the whole fill of these stages starts over


def swap_stars(state: State, supply: Bag, stars: int) -> None:
    """Replace normal tokens in the bag by their star counterparts; the normal ones go to the box."""
    for feature in range(len(FACES)):
        supply.put(feature, -stars)
        supply.put(feature + len(FACES), stars)
        state.box[feature] += stars


def _fill_at_random(state: State, stages: list[int], supply: Bag, chance: Chance) -> bool:
    """Draw a token for each space, no stage holding a feature twice; False at a dead end."""
    for number in stages:
        laid: tuple[int, ...] = ()
        for _ in state.ground.stages[number].spaces:
            fitting = supply.only(_unlike(laid)) if laid else supply
            if not fitting.total:
                return False
            token = chance.pick(fitting)
            supply.take(token)
            laid += (token,)
        state.tokens[number] = laid
    state.box = [out + left for out, left in zip(state.box, supply.counts, strict=True)]
    return True


def _unlike(laid: tuple[int, ...]) -> list[int]:
    """List the tokens whose feature is not on a stage yet; a star counts as its printed feature."""
    features = [token % len(FACES) for token in laid]
    return [token for token in range(len(TOKEN_LABELS)) if token % len(FACES) not in features]
