"""Views of a position and redacted events, as an allow-list per viewer."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec

from jamboree.core.game import Eye, SharedView, Viewer
from jamboree.core.geometry import bits, cells
from jamboree.core.seats import BySeat, Seat, SeatSet

from ..box.board import Ground, Hex
from ..box.components import COLOURS, FACES
from ..box.dice import BLURRED, DICE, TOKENS, Die, Token, die_of
from ..rules.actions import TILES
from ..rules.beliefs import known_colour, known_face
from ..rules.events import AnyEvent, DieDrawn, DieRerolled, SeatBooked
from ..rules.projection import FamilyLead, StageLead, family_leads, projected, stage_leads
from ..rules.state import NO_DIE, NOWHERE, PHASES, Belief, State, read_tile


class HexSeen(msgspec.Struct, frozen=True):
    """A hex in play; column and row are those of the board's text, from 0."""

    name: str
    x: int
    y: int
    kind: str  # normal, vip or stage
    stage: str | None  # its letter
    die: Die | None  # preprinted


class Festival(msgspec.Struct, frozen=True):
    id: str
    name: str
    album: str
    palette: list[str]  # surroundings, ground, stages; none where it is left to the artist
    rating: int  # where the markers start
    hexes: list[HexSeen]  # row by row


@lru_cache(maxsize=64)
def festival(ground: Ground) -> Festival:
    board = ground.board
    palette = [paint.code for paint in board.palette if paint.code]
    return Festival(
        board.id, board.name, board.album, palette, ground.rating, [_hex_seen(spot) for spot in ground.hexes]
    )


def _hex_seen(spot: Hex) -> HexSeen:
    kind = "stage" if spot.is_stage else "vip" if spot.is_vip else "normal"
    die = Die(*spot.die) if spot.die else None
    return HexSeen(spot.name, spot.x, spot.y, kind, spot.symbol if spot.is_stage else None, die)


class SeatTile(msgspec.Struct, frozen=True):
    """A seat on the board and the die on it, if any."""

    hex: str
    seat: Seat
    tile: str
    face_down: bool
    die: Die | None


class StageSeen(msgspec.Struct, frozen=True):
    """A stage with the tokens on its spaces, and the hexes that still keep it from performing; or what it gave."""

    stage: str
    spaces: list[str]
    tokens: list[Token]  # none once it has performed
    missing: list[str]
    leads: list[StageLead]
    paid: BySeat[int]  # empty until it has performed


class Family(msgspec.Struct, frozen=True):
    """Connected dice of one colour; two or more are a family."""

    colour: str
    hexes: list[str]
    banner: bool
    leads: list[FamilyLead]  # only with the banner do they matter


class KnownDie(msgspec.Struct, frozen=True):
    """A die others saw going into a hidden hand; without a face, a secret reroll may have changed it."""

    colour: str
    face: str | None


class HandBelief(msgspec.Struct, frozen=True):
    """One way a hidden hand can be, with its weight: some dice are known, the others are not."""

    known: list[KnownDie]
    weight: float


class Hand(msgspec.Struct, frozen=True):
    count: int
    dice: list[Die] | None  # None: hidden from this viewer
    beliefs: list[HandBelief]  # what everybody else can know of it; empty where hands are open


class Supply(msgspec.Struct, frozen=True):
    basic: int
    specials: list[str]


class Points(msgspec.Struct, frozen=True):
    families: int
    stages: int
    majorities: int


class View(msgspec.Struct, frozen=True):
    viewer: Seat | str | None
    board: str  # its text, for those who know the rules
    festival: Festival  # the same, for drawing
    seats: int
    star: bool
    hidden_hands: bool
    turn: Seat
    phase: str
    rerolls: int
    insta: str | None
    complete: list[str]
    passed: SeatSet
    tiles: list[SeatTile]
    stages: list[StageSeen]
    families: list[Family]
    queue: list[Die | None]
    bag: int
    hands: BySeat[Hand]
    supplies: BySeat[Supply]
    rating: list[int]  # keys, brass, percussion
    tokens: BySeat[list[int]]  # keys, brass, percussion, stars
    box: list[int]  # tokens out of the game, each feature and then each feature's stars
    points: BySeat[Points]
    projected: BySeat[int]  # everybody's points if the game ended now


def view(state: State, viewer: Viewer) -> View:
    """Show a viewer what is named here, and nothing else."""
    return views(state)(viewer)


def views(state: State) -> SharedView[View]:
    """Show a position to any viewer; what all of them see is built once."""
    common = _shared_fields(state)
    if not state.hidden:
        common["hands"] = _hands(state, None)
    return SharedView(View, common, lambda viewer: _private_fields(state, viewer))


def _shared_fields(state: State) -> dict[str, Any]:
    names = state.ground.names
    stages, families = _stages_and_families(ScoringState.of(state))
    return {
        "board": state.ground.board.source,
        "festival": festival(state.ground),
        "seats": state.seats,
        "star": state.star,
        "hidden_hands": state.hidden,
        "turn": state.turn,
        "phase": PHASES[state.phase],
        "rerolls": state.rerolls,
        "insta": None if state.insta == NOWHERE else names[state.insta],
        "complete": [state.ground.stages[at].letter for at in bits(state.complete)],
        "passed": list(bits(state.passed)),
        "tiles": _tiles(state.ground, bytes(state.tiles), tuple(state.colours), tuple(state.faces)),
        "stages": stages,
        "families": families,
        "queue": [None if die == NO_DIE else DICE[die] for die in state.queue],
        "bag": state.bag.total,
        "supplies": [_supply(basics, specials) for basics, specials in zip(state.basics, state.specials, strict=True)],
        "rating": list(state.rating),
        "tokens": [list(held) for held in state.held],
        "box": list(state.box),
        "points": [
            Points(*three) for three in zip(state.family_points, state.stage_points, state.majority_points, strict=True)
        ],
        "projected": projected(state, [lead for family in families for lead in family.leads]),
    }


@dataclass(unsafe_hash=True)
class ScoringState:
    """A position by what stages and families are shown by: most steps leave all of it as it is."""

    parts: tuple[Any, ...]
    state: State | None = field(compare=False)

    @staticmethod
    def of(state: State) -> "ScoringState":
        dice = (state.booked, *state.faces, *state.owned, *state.families, *state.banners)
        return ScoringState((state.ground, *dice, *state.tokens, *state.rating, *state.paid, *state.held), state)


@lru_cache(maxsize=1024)
def _stages_and_families(position: ScoringState) -> tuple[list[StageSeen], list[Family]]:
    state, position.state = position.state, None  # the cache keeps its keys: a third of their size were positions
    assert state is not None, "it is scored once"
    return [_stage(state, number) for number in range(len(state.tokens))], list(_families(state))


def _private_fields(state: State, viewer: Viewer) -> dict[str, Any]:
    own: dict[str, Any] = {"viewer": viewer.value if isinstance(viewer, Eye) else viewer}
    return {**own, "hands": _hands(state, viewer)} if state.hidden else own


def _hands(state: State, viewer: Viewer) -> list[Hand]:
    return [_hand(state, seat, viewer) for seat in range(state.seats)]


@lru_cache(maxsize=1024)
def _tiles(ground: Ground, tiles: bytes, colours: tuple[int, ...], faces: tuple[int, ...]) -> list[SeatTile]:
    """List what lies on the board: most steps leave it as it is."""
    names, dice = ground.names, _dice(colours, faces)
    return [_tile(names[place], code, dice.get(place)) for place, code in enumerate(tiles) if code]


def _dice(colours: tuple[int, ...], faces: tuple[int, ...]) -> dict[int, Die]:
    """Say which die lies on each hex that has one."""
    shown = {place: face for face, mask in enumerate(faces) for place in cells(mask)}
    return {place: DICE[die_of(colour, shown[place])] for colour, mask in enumerate(colours) for place in cells(mask)}


@lru_cache(maxsize=4096)
def _tile(name: str, code: int, die: Die | None) -> SeatTile:
    seat, tile, face_down = read_tile(code)
    return SeatTile(name, seat, TILES[tile], face_down, die)


def _stage(state: State, number: int) -> StageSeen:
    stage = state.ground.stages[number]
    return StageSeen(
        stage.letter,
        _names(state.ground, stage.mask),
        [TOKENS[token] for token in state.tokens[number]],
        _names(state.ground, stage.ring & ~state.booked),
        stage_leads(state, number),
        list(state.paid[number]),
    )


def _families(state: State) -> Iterator[Family]:
    for colour, groups in enumerate(state.families):
        banner = state.banners[colour]
        for group in sorted(groups, key=lambda mask: mask & -mask):
            if banner != NOWHERE and group >> banner & 1:
                yield Family(COLOURS[colour], _names(state.ground, group), True, family_leads(state, group))
            else:
                yield _family(state.ground, colour, group)


@lru_cache(maxsize=4096)
def _family(ground: Ground, colour: int, group: int) -> Family:
    """Show a family without a banner: nobody leads it."""
    return Family(COLOURS[colour], _names(ground, group), False, [])


@lru_cache(maxsize=4096)
def _names(ground: Ground, mask: int) -> list[str]:
    return [ground.names[place] for place in bits(mask)]


def _hand(state: State, seat: int, viewer: Viewer) -> Hand:
    seen = not state.hidden or viewer == seat or viewer is Eye.ALL
    dice = [DICE[die] for die in state.hands[seat]] if seen else None
    return Hand(len(state.hands[seat]), dice, [_belief(belief) for belief in state.beliefs[seat]])


def _belief(belief: Belief) -> HandBelief:
    known = [
        KnownDie(COLOURS[known_colour(die)], None if known_face(die) == BLURRED else FACES[known_face(die)])
        for die in belief[0]
    ]
    return HandBelief(known, belief[1])


@lru_cache(maxsize=4096)
def _supply(basics: int, specials: int) -> Supply:
    return Supply(basics, [TILES[tile] for tile in bits(specials)])


def reveals(state: State, event: AnyEvent) -> bool:
    """Tell whether a die of a hidden hand was laid open."""
    return state.hidden and isinstance(event, SeatBooked)


def witness(event: AnyEvent, viewer: Viewer) -> AnyEvent:
    """Take out of an event what this viewer may not see."""
    if not isinstance(event, DieDrawn | DieRerolled) or not event.secret:
        return event
    if viewer == event.seat or viewer is Eye.ALL:
        return event
    if isinstance(event, DieDrawn):
        return DieDrawn(event.seat, True, None)
    return DieRerolled(event.seat, True, None, None)
