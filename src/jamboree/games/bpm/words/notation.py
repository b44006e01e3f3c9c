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


def draw(seen: View) -> str:
    """Draw all that a view shows as text."""
    return "\n".join([*_head(seen), *(_seat_line(seen, seat) for seat in range(seen.seats)), *_floor(seen)]) + "\n"


def _head(seen: View) -> Iterator[str]:
    if seen.crate == house_source():
        yield "songs: house"
    else:
        yield from source_of("crate", seen.crate)
    yield from head_of(seen.viewer, seen.seats, ["hypemaster"] * seen.hypemaster)
    yield f"round: {seen.round} {seen.phase}"
    yield f"first: {seen.first + 1}"
    yield f"turn: {'-' if seen.turn is None else seen.turn + 1}"
    yield f"order: {seat_marks(seen.order)}".rstrip()
    yield f"at: {seen.at}"
    yield f"hype: {seen.card or '-'}"
    yield f"used: {' '.join(seen.used)}".rstrip()
    if seen.drawn != []:
        yield f"drawn: {HIDDEN_MARK if seen.drawn is None else ' '.join(seen.drawn)}"
    if seen.under:
        yield f"under: {', '.join(f'{under.seat + 1} {under.card or HIDDEN_MARK}' for under in seen.under)}"
    yield f"left: {seen.moves} {seen.places}"
    yield f"on: {'anywhere' if seen.moved is None else ' '.join(seen.moved)}".rstrip()
    yield f"gone: {_dancers(seen.gone)}".rstrip()
    yield f"played: {number_marks(seen.played)}".rstrip()
    yield from _reshuffle(seen)


def _reshuffle(seen: View) -> Iterator[str]:
    """Tell of a reshuffle in this deal, as long as that matters."""
    if seen.recycled or seen.early or seen.returned:
        yield f"early: {seat_marks(seen.early)}".rstrip()
        yield f"recycled: {number_marks(seen.recycled)}".rstrip()
        yield f"returned: {number_marks(seen.returned)}".rstrip()


def _dancers(dancers: Iterable[Dancer]) -> str:
    return " ".join(dancer_mark(dancer) for dancer in dancers)


def _seat_line(seen: View, seat: int) -> str:
    playing = seen.playing[seat]
    parts = [
        f"tokens {seen.tokens[seat]}",
        f"superfans {_dancers(seen.superfans[seat])}".rstrip(),
        f"quest {seen.quests[seat] or HIDDEN_MARK}",
        f"hand {_songs(seen.hands[seat])}".rstrip(),
        f"aside {_songs(seen.aside[seat])}".rstrip(),
        *([] if playing is None else [f"song {playing.number}"]),
        *_sealed(seen.sealed[seat], seat in seen.to_act),
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


def _floor(seen: View) -> Iterator[str]:
    yield "floor:"
    yield from floor_rows(seen)


def floor_rows(seen: View) -> Iterator[str]:
    """Draw the floor with the stage on top."""
    marks = {spot.cell: dancer_mark(spot.dancer) + _fan_mark(spot.fan_of) for spot in seen.floor}
    for row in range(1, seen.rows + 1):
        names = [f"{letter}{row}" for letter in "abcdefgh"[: seen.columns]]
        yield "".join(marks.get(name, GAP_MARK).ljust(PITCH) for name in names).rstrip()
        if seen.ball in names:
            yield " " * ((names.index(seen.ball) + 1) * PITCH - 1) + BALL_MARK


def _fan_mark(seat: int | None) -> str:
    return "" if seat is None else str(seat + 1)
