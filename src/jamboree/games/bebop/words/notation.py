"""The letters of drawn positions, and a position as text: `draw` and `parse` are a pair.

A hex is four characters at most: `.` normal, `*` VIP, `Ak` a space of stage A with a keys token (`AK` a star),
`A-` the same after the performance, `=rk` a preprinted red keys die, `1.` an open basic seat of the first player,
`1v` that player's VIP seat (`1V` face down), `1.rk` a basic seat with a red keys die.
"""

from collections.abc import Iterator

from jamboree.core.kit.drawing import head_of, number_marks, seat_marks, source_of

from ..box.board import Board, festivals, load
from ..box.components import COLOURS, FACES
from ..box.dice import Die, Token
from ..rules.actions import TILES
from ..visibility.views import Hand, SeatTile, View

HALF_PITCH = 3  # characters from a hex to the next half step of the board's map
TILE_MARKS = ".vdsit"
COLOUR_MARKS = "".join(colour[0] for colour in COLOURS)
FACE_MARKS = "".join(face[0] for face in FACES)
BLUR_MARK, NO_DIE_MARK, PERFORMED_MARK, PRINTED_MARK = "?", "--", "-", "="


def die_mark(die: Die) -> str:
    return die.colour[0] + die.face[0]


def token_mark(token: Token) -> str:
    mark = token.feature[0]
    return mark.upper() if token.star else mark


def tile_mark(tile: SeatTile) -> str:
    mark = TILE_MARKS[TILES.index(tile.tile)]
    return f"{tile.seat + 1}{mark.upper() if tile.face_down else mark}"


def marks(view: View) -> dict[str, str]:
    """Give every hex in play its mark."""
    ground = Board.parse(view.board).ground(view.seats)
    hex_marks = {name: "*" if ground.vip >> place & 1 else "." for place, name in enumerate(ground.names)}
    for place, colour, face in ground.printed_dice:
        hex_marks[ground.names[place]] = PRINTED_MARK + die_mark(Die(colour, face))
    for stage in view.stages:
        tokens = [token_mark(token) for token in stage.tokens] or [PERFORMED_MARK] * len(stage.spaces)
        hex_marks.update({name: stage.stage + mark for name, mark in zip(stage.spaces, tokens, strict=True)})
    for tile in view.tiles:
        hex_marks[tile.hex] = tile_mark(tile) + (die_mark(tile.die) if tile.die else "")
    return hex_marks


def draw(view: View) -> str:
    """Draw all that a view shows as text."""
    return "\n".join([*_head(view), *(_seat_line(view, seat) for seat in range(view.seats)), *_map(view)]) + "\n"


def _head(view: View) -> Iterator[str]:
    board = Board.parse(view.board)
    packaged = board.id in festivals() and load(board.id).source == view.board
    yield from [f"board: {board.id}"] if packaged else source_of("festival", view.board)
    yield from head_of(view.viewer, view.seats, ["star"] * view.star + ["hidden"] * view.hidden_hands)
    yield f"turn: {view.turn + 1} {view.phase}"
    yield f"pending: {view.rerolls} rerolls, seat {view.insta or '-'}, stages {' '.join(view.complete) or '-'}"
    yield f"passed: {seat_marks(view.passed)}".rstrip()
    yield f"rating: {number_marks(view.rating)}"
    yield f"box: {number_marks(view.box)}"
    yield f"queue: {' '.join(NO_DIE_MARK if die is None else die_mark(die) for die in view.queue)}"
    yield f"bag: {view.bag}"
    banners = (f"{family.colour} {family.hexes[0]}" for family in view.families if family.banner)
    yield f"banners: {', '.join(banners)}".rstrip()
    if paid := [f"{stage.stage} {number_marks(stage.paid)}" for stage in view.stages if any(stage.paid)]:
        yield f"paid: {', '.join(paid)}"


def _seat_line(view: View, seat: int) -> str:
    points, hand, supply = view.points[seat], view.hands[seat], view.supplies[seat]
    parts = [
        f"points {points.families} {points.stages} {points.majorities}",
        f"tokens {number_marks(view.tokens[seat])}",
        f"supply {supply.basic} {''.join(TILE_MARKS[TILES.index(tile)] for tile in supply.specials)}".rstrip(),
        _hand_mark(hand),
    ]
    if hand.beliefs:
        parts.append(f"known {' '.join(_belief_mark(hand, at) for at in range(len(hand.beliefs)))}")
    return f"seat {seat + 1}: {'; '.join(parts)}"


def _hand_mark(hand: Hand) -> str:
    if hand.dice is None:
        return f"hidden {hand.count}"
    return f"hand {' '.join(die_mark(die) for die in hand.dice)}".rstrip()


def _belief_mark(hand: Hand, at: int) -> str:
    belief = hand.beliefs[at]
    dice = (die.colour[0] + (die.face[0] if die.face else BLUR_MARK) for die in belief.known)
    return f"{'+'.join(dice) or '-'}={belief.weight!r}"


def _map(view: View) -> Iterator[str]:
    yield "map:"
    ground, hex_marks = Board.parse(view.board).ground(view.seats), marks(view)
    rows: dict[int, str] = dict.fromkeys(range(max(y for _, y in ground.at) + 1), "")
    for name, (x, y) in zip(ground.names, ground.at, strict=True):
        rows[y] = rows[y].ljust(x * HALF_PITCH) + hex_marks[name]
    yield from rows.values()
