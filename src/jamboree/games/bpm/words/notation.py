"""The letters of drawn positions, and a position as text: `draw` and `parse` are a pair.

A dancer is its colour and its arrow, with the stage on top: `r^` red to the stage, `yv` yellow to the back, `g<`, `b>`;
`r^1` is a fan of the first player. A gap is `--`. The Beachball is an `o` on a line of its own, between the four
dancers that touch it:

    r^1 b<  g>
       o
    y^  rv2 r>
"""

from collections.abc import Iterable, Iterator

from jamboree.core.kit.drawing import head_of, number_marks, seat_marks, source_of

from ..box.components import ARROWS, COLOURS
from ..box.crate import house_source
from ..box.dancers import Dancer
from ..visibility.views import Sealed, Songs, View

PITCH = 4  # characters from a dancer to the next one in its row
COLOUR_MARKS = "".join(colour[0] for colour in COLOURS)
ARROW_MARKS = "^v<>"
GAP_MARK, BALL_MARK, HIDDEN_MARK = "--", "o", "?"


def dancer_mark(dancer: Dancer) -> str:
    return dancer.colour[0] + ARROW_MARKS[ARROWS.index(dancer.arrow)]


def draw(view: View) -> str:
    """Draw all that a view shows as text."""
    return "\n".join([*_head(view), *(_seat_line(view, seat) for seat in range(view.seats)), *_floor(view)]) + "\n"


def _head(view: View) -> Iterator[str]:
    if view.crate == house_source():
        yield "songs: house"
    else:
        yield from source_of("crate", view.crate)
    yield from head_of(view.viewer, view.seats, ["hypemaster"] * view.hypemaster)
    yield f"round: {view.round} {view.phase}"
    yield f"first: {view.first + 1}"
    yield f"turn: {'-' if view.turn is None else view.turn + 1}"
    yield f"order: {seat_marks(view.order)}".rstrip()
    yield f"at: {view.at}"
    yield f"hype: {view.card or '-'}"
    yield f"used: {' '.join(view.used)}".rstrip()
    if view.drawn != []:
        yield f"drawn: {HIDDEN_MARK if view.drawn is None else ' '.join(view.drawn)}"
    if view.under:
        yield f"under: {', '.join(f'{under.seat + 1} {under.card or HIDDEN_MARK}' for under in view.under)}"
    yield f"left: {view.moves} {view.places}"
    yield f"on: {'anywhere' if view.moved is None else ' '.join(view.moved)}".rstrip()
    yield f"gone: {_dancers(view.gone)}".rstrip()
    yield f"played: {number_marks(view.played)}".rstrip()
    yield from _reshuffle(view)


def _reshuffle(view: View) -> Iterator[str]:
    """Tell of a reshuffle in this deal, as long as that matters."""
    if view.recycled or view.early or view.returned:
        yield f"early: {seat_marks(view.early)}".rstrip()
        yield f"recycled: {number_marks(view.recycled)}".rstrip()
        yield f"returned: {number_marks(view.returned)}".rstrip()


def _dancers(dancers: Iterable[Dancer]) -> str:
    return " ".join(dancer_mark(dancer) for dancer in dancers)


def _seat_line(view: View, seat: int) -> str:
    playing = view.playing[seat]
    parts = [
        f"tokens {view.tokens[seat]}",
        f"superfans {_dancers(view.superfans[seat])}".rstrip(),
        f"quest {view.quests[seat] or HIDDEN_MARK}",
        f"hand {_songs(view.hands[seat])}".rstrip(),
        f"aside {_songs(view.aside[seat])}".rstrip(),
        *([] if playing is None else [f"song {playing.number}"]),
        *_sealed(view.sealed[seat], seat in view.to_act),
    ]
    return f"seat {seat + 1}: {'; '.join(parts)}"


def _songs(songs: Songs) -> str:
    if songs.songs is None:
        return f"{HIDDEN_MARK} {songs.count}"
    return number_marks(song.number for song in songs.songs)


def _sealed(sealed: Sealed, may_act: bool) -> Iterator[str]:
    """Write the slots of a sealed choice and how often it can be replaced; of a hidden one, whether it can be."""
    if sealed.slots is None:
        if sealed.done:
            yield f"sealed {HIDDEN_MARK} {'open' if may_act else 'for good'}"
    else:
        if sealed.done:
            yield f"sealed {number_marks(sealed.slots)}"
        yield f"changes {sealed.changes}"


def _floor(view: View) -> Iterator[str]:
    yield "floor:"
    yield from floor_rows(view)


def floor_rows(view: View) -> Iterator[str]:
    """Draw the floor with the stage on top."""
    marks = {spot.cell: dancer_mark(spot.dancer) + _fan_mark(spot.fan_of) for spot in view.floor}
    for row in range(1, view.rows + 1):
        names = [f"{letter}{row}" for letter in "abcdefgh"[: view.columns]]
        yield "".join(marks.get(name, GAP_MARK).ljust(PITCH) for name in names).rstrip()
        if view.ball in names:
            yield " " * ((names.index(view.ball) + 1) * PITCH - 1) + BALL_MARK


def _fan_mark(seat: int | None) -> str:
    return "" if seat is None else str(seat + 1)
