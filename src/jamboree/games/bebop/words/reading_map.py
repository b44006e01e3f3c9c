"""Reads the map of a drawn position, hex by hex; every hex in play is drawn, and as what it is."""

import re
from collections.abc import Iterator, Sequence

from jamboree.core.kit.drawing import BadDrawing, numbered, one_of

from ..box.components import FACES
from ..box.dice import DICE, TOKEN_NUMBER, Token, colour_of, die_of, face_of
from ..rules.actions import BACKSTAGE, BASIC, VIP
from ..rules.state import State, tile_code
from .notation import (
    COLOUR_MARKS,
    FACE_MARKS,
    HALF_PITCH,
    PERFORMED_MARK,
    PRINTED_MARK,
    TILE_MARKS,
    die_mark,
)


def read_map(state: State, rows: Sequence[str]) -> None:
    """Put on a bare position what a view is made of; what follows from it is left out."""
    spots = {at: place for place, at in enumerate(state.ground.at)}
    stages: list[list[int]] = [[] for _ in state.ground.stages]
    for y, row in enumerate(rows):
        for x, mark in _cells(row):
            if (x, y) not in spots:
                raise BadDrawing(f"row {y + 1} of the map has {mark!a} where there is no hex")
            _read_hex(state, stages, spots.pop((x, y)), mark)
    for place in spots.values():
        raise BadDrawing(f"hex {state.ground.names[place]} is not drawn")
    for stage, tokens in zip(state.ground.stages, stages, strict=True):
        if tokens and state.backstage & stage.mask:
            raise BadDrawing(f"stage {stage.letter} has performed on some of its spaces only")
    state.tokens = [tuple(tokens) for tokens in stages]


def _cells(row: str) -> Iterator[tuple[int, str]]:
    """Split a row of the map into its marks with their half steps; a mark may start up to a step late."""
    for word in re.finditer(r"\S+", row):
        yield word.start() // HALF_PITCH, word.group()


def _read_hex(state: State, stages: list[list[int]], place: int, mark: str) -> None:
    number = state.ground.stage_at[place]
    if re.fullmatch("[0-9].(..)?", mark):
        _read_tile(state, place, mark)
    elif number < 0:
        if mark != _empty(state, place):
            raise BadDrawing(f"{mark!a} on {state.ground.names[place]} should be {_empty(state, place)!a}, or a seat")
    elif mark == state.ground.stages[number].letter + PERFORMED_MARK:
        state.backstage |= state.ground.stages[number].mask
    else:
        stages[number].append(_token(state.ground.stages[number].letter, mark))


def _empty(state: State, place: int) -> str:
    """Say how a hex that is no stage space is drawn as long as no seat lies there."""
    if state.ground.vip >> place & 1:
        return "*"
    if state.ground.printed >> place & 1:
        colour, face = next((colour, face) for at, colour, face in state.ground.printed_dice if at == place)
        return PRINTED_MARK + colour[0] + face[0]
    return "."


def _token(letter: str, mark: str) -> int:
    if len(mark) != 2 or mark[0] != letter or mark[1].lower() not in FACE_MARKS:
        raise BadDrawing(f"{mark!a} is not a space of stage {letter}, like '{letter}k', '{letter}K' or '{letter}-'")
    return TOKEN_NUMBER[Token(FACES[FACE_MARKS.index(mark[1].lower())], mark[1].isupper())]


def _read_tile(state: State, place: int, mark: str) -> None:
    seat = numbered(mark[0], "the owner of a seat", range(1, state.seats + 1)) - 1
    tile = TILE_MARKS.index(one_of(mark[1].lower(), TILE_MARKS, "a kind of seat"))
    face_down, bit = mark[1].isupper(), 1 << place
    _check_place(state, tile, face_down, place)
    _take_from_supply(state, seat, tile)
    state.tiles[place] = tile_code(seat, tile, face_down)
    if len(mark) == 2:
        state.open[seat] |= bit
        state.opened |= bit
        return
    die = read_die(mark[2:])
    state.booked |= bit
    state.owned[seat] |= bit
    state.colours[colour_of(die)] |= bit
    state.faces[face_of(die)] |= bit


def _check_place(state: State, tile: int, face_down: bool, place: int) -> None:
    ground = state.ground
    allowed = ground.free_normal
    if not face_down and tile in (VIP, BACKSTAGE):
        allowed = ground.vip if tile == VIP else ground.spaces
    if not allowed >> place & 1:
        raise BadDrawing(f"a seat of that kind does not belong on {ground.names[place]}")
    if ground.stage_at[place] >= 0:
        state.backstage |= ground.stages[ground.stage_at[place]].mask


def _take_from_supply(state: State, seat: int, tile: int) -> None:
    if not (state.basics[seat] if tile == BASIC else state.specials[seat] >> tile & 1):
        raise BadDrawing(f"player {seat + 1} has more seats marked {TILE_MARKS[tile]!a} than there are")
    if tile == BASIC:
        state.basics[seat] -= 1
    else:
        state.specials[seat] ^= 1 << tile


def read_die(mark: str) -> int:
    if mark not in DIE_MARKS:
        raise BadDrawing(f"{mark!a} is not a die: a colour ({COLOUR_MARKS}), then a face ({FACE_MARKS})")
    return die_of(COLOUR_MARKS.index(mark[0]), FACE_MARKS.index(mark[1]))


DIE_MARKS = frozenset(map(die_mark, DICE))
