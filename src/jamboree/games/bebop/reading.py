"""Reads a drawn position; what is left out stands at its beginning."""

from collections.abc import Mapping

import msgspec

from jamboree.core.errors import JamboreeError
from jamboree.core.game import Eye
from jamboree.core.geometry import groups, mask_of

from .actions import BASIC, BOOT
from .board import Board, load
from .components import COLOURS, FACES
from .dice import TOKEN_NUMBER, Token, colour_of
from .memory import known_die
from .notation import (
    BLUR_MARK,
    COLOUR_MARKS,
    FACE_MARKS,
    HALF_PITCH,
    NO_DIE_MARK,
    PERFORMED_MARK,
    TILE_MARKS,
    read_die,
)
from .setup import bare
from .state import NO_DIE, NOWHERE, PHASES, Belief, State, tile_code
from .views import View, view


class BadDrawing(JamboreeError):
    """A text that is not a drawn position."""


def parse(text: str) -> View:
    """Read what `draw` writes."""
    fields, board, rows = _sections(text)
    ground = board.ground(int(fields.get("seats", "2")))
    options = fields.get("options", "").split()
    state = bare(ground, "star" in options, "hidden" in options)
    spots = dict(zip(ground.at, range(len(ground.names)), strict=True))
    stages: list[list[int]] = [[] for _ in ground.stages]
    for y, row in enumerate(rows):
        for x, mark in _cells(row):
            if (x, y) not in spots:
                raise BadDrawing(f"row {y + 1} of the map has {mark!r} where there is no hex")
            _read_hex(state, stages, spots[x, y], mark)
    state.tokens = [tuple(tokens) for tokens in stages]
    state.families = [tuple(groups(mask, ground.near)) for mask in state.colours]
    _read_head(state, fields)
    return _read_seats(state, fields)


def _sections(text: str) -> tuple[dict[str, str], Board, list[str]]:
    head, _, drawn = text.partition("\nmap:\n")
    fields, source = dict[str, str](), list[str]()
    for line in head.strip("\n").splitlines():
        if line.startswith("|"):
            source.append(line[2:])
        else:
            key, _, value = line.partition(":")
            fields[key.strip()] = value.strip()
    board = Board.parse("\n".join(source) + "\n") if source else load(fields.get("board", "vanillaville"))
    return fields, board, drawn.splitlines()


def _cells(row: str) -> list[tuple[int, str]]:
    """Split a row of the map into its marks with their half steps; a mark may start up to a step late."""
    found, column = list[tuple[int, str]](), 0
    for word in row.split():
        column = row.index(word, column)
        found.append((column // HALF_PITCH, word))
        column += len(word)
    return found


def _read_hex(state: State, stages: list[list[int]], place: int, mark: str) -> None:
    ground, bit = state.ground, 1 << place
    if mark in (".", "*") or mark.startswith("="):
        return
    if mark[0].isdigit():
        _read_tile(state, place, mark)
    number = ground.stage_at[place]
    if number < 0:
        return
    if mark[0].isdigit() or mark[1] == PERFORMED_MARK:
        state.backstage |= ground.stages[number].mask
    else:
        stages[number].append(TOKEN_NUMBER[Token(FACES[FACE_MARKS.index(mark[1].lower())], mark[1].isupper())])
        assert not state.backstage & bit, f"stage {mark[0]} has half performed"


def _read_tile(state: State, place: int, mark: str) -> None:
    seat, tile, face_down, bit = (
        int(mark[0]) - 1,
        TILE_MARKS.index(mark[1].lower()),
        mark[1].isupper(),
        1 << place,
    )
    state.tiles[place] = tile_code(seat, tile, face_down)
    state.occupied |= bit
    if tile == BASIC:
        state.basics[seat] -= 1
    else:
        state.specials[seat] &= ~(1 << tile)
    if tile == BOOT and not face_down:
        state.boots |= bit
    if len(mark) == 2:
        state.open[seat] |= bit
        state.opened |= bit
        return
    die = read_die(mark[2:])
    state.booked |= bit
    state.owned[seat] |= bit
    state.colours[colour_of(die)] |= bit
    state.faces[die % len(FACES)] |= bit


def _read_head(state: State, fields: Mapping[str, str]) -> None:
    turn, _, phase = fields.get("turn", "1 turn").partition(" ")
    state.turn, state.phase = int(turn) - 1, PHASES.index(phase or "turn")
    state.passed = mask_of(int(seat) - 1 for seat in fields.get("passed", "").split())
    if "pending" in fields:
        rerolls, insta, stages = (part.split() for part in fields["pending"].split(", "))
        state.rerolls = int(rerolls[0])
        state.insta = NOWHERE if insta[1] == "-" else state.ground.index[insta[1]]
        letters = [stage.letter for stage in state.ground.stages]
        state.complete = mask_of(letters.index(letter) for letter in stages[1:] if letter != "-")
    if "rating" in fields:
        state.rating = [int(value) for value in fields["rating"].split()]
    if "box" in fields:
        state.box = [int(value) for value in fields["box"].split()]
    if "queue" in fields:
        state.queue = [NO_DIE if mark == NO_DIE_MARK else read_die(mark) for mark in fields["queue"].split()]
    for banner in filter(None, fields.get("banners", "").split(", ")):
        colour, name = banner.split()
        state.banners[COLOURS.index(colour)] = state.ground.index[name]


def _read_seats(state: State, fields: Mapping[str, str]) -> View:
    hidden = dict[int, int]()
    for seat in range(state.seats):
        for part in filter(None, fields.get(f"seat {seat + 1}", "").split("; ")):
            word, *values = part.split()
            if word == "hidden":
                hidden[seat] = int(values[0])
            else:
                SEAT_PARTS[word](state, seat, values)
    return _view(state, fields, hidden)


def _points(state: State, seat: int, values: list[str]) -> None:
    state.family_points[seat], state.stage_points[seat], state.majority_points[seat] = map(int, values)


def _tokens(state: State, seat: int, values: list[str]) -> None:
    state.held[seat] = tuple(map(int, values))


def _supply(state: State, seat: int, values: list[str]) -> None:
    state.basics[seat] = int(values[0])
    state.specials[seat] = mask_of(TILE_MARKS.index(mark) for mark in "".join(values[1:]))


def _hand(state: State, seat: int, values: list[str]) -> None:
    state.hands[seat] = tuple(read_die(mark) for mark in values)


def _known(state: State, seat: int, values: list[str]) -> None:
    state.beliefs[seat] = tuple(_belief(*value.split("=")) for value in values)


def _belief(dice: str, weight: str) -> Belief:
    marks = [] if dice == "-" else dice.split("+")
    faces = FACE_MARKS + BLUR_MARK
    return tuple(known_die(COLOUR_MARKS.index(mark[0]), faces.index(mark[1])) for mark in marks), float(weight)


SEAT_PARTS = {"points": _points, "tokens": _tokens, "supply": _supply, "hand": _hand, "known": _known}


def _view(state: State, fields: Mapping[str, str], hidden: Mapping[int, int]) -> View:
    """Show the position to its viewer, everything by default; a bag not counted holds what is nowhere else."""
    seen = view(state, Eye.ALL)
    hands = [
        msgspec.structs.replace(hand, count=hidden.get(seat, hand.count), dice=None if seat in hidden else hand.dice)
        for seat, hand in enumerate(seen.hands)
    ]
    out = sum(mask.bit_count() for mask in state.owned) + sum(die != NO_DIE for die in state.queue)
    out += sum(hand.count for hand in hands)
    bag = int(fields.get("bag", sum(state.bag.counts) - out))
    viewer = fields.get("viewer", "all")
    who = None if viewer == "spectator" else int(viewer) - 1 if viewer.isdigit() else viewer
    return msgspec.structs.replace(seen, viewer=who, hands=hands, bag=bag)
