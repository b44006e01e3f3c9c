"""Parser of drawn positions, the inverse of `notation.draw`; omitted lines have the values of a new game."""

import re
from collections.abc import Callable, Mapping, Sequence

import msgspec

from jamboree.core.game import Eye
from jamboree.core.geometry import mask_of
from jamboree.core.kit.drawing import BadDrawing, Drawing, numbered, numbers, one_of, parts, read_seat, read_viewer

from ..box.cards import CARD_NUMBER, CARDS
from ..box.components import ACTIONS, ARROWS, BOX, BREAK, COLOURS, PLAYER_COUNTS, QUESTS
from ..box.crate import Crate, house_source
from ..box.crate_csv import read
from ..box.dancers import NUMBER, Dancer
from ..box.room import room
from ..rules import floor
from ..rules.actions import PAIR_NUMBER
from ..rules.hype import of_cards
from ..rules.setlist import close_if_final
from ..rules.setup import bare
from ..rules.state import NONE, PHASES, RECOVER, SETLIST, SONG, UNSEEN, State
from ..visibility.restore import restore
from ..visibility.views import View, view
from .notation import ARROW_MARKS, BALL_MARK, COLOUR_MARKS, GAP_MARK, HIDDEN_MARK, PITCH

CELL = re.compile(r"([a-z])([\^v<>])([1-9]?)")


def read_floor(state: State, rows: Sequence[str]) -> None:
    row = 0
    for line in rows:
        if line.strip() == BALL_MARK:
            corner = state.room.grid.columns * (row - 1) + line.index(BALL_MARK) // PITCH
            if corner not in state.room.around:
                raise BadDrawing("the ball does not lie between four dancers")
            state.ball = corner
        elif line.strip():
            for column, mark in enumerate(line.split()):
                _read_cell(state, state.room.grid.cell(column, row), mark)
            row += 1


def _read_cell(state: State, cell: int, mark: str) -> None:
    if mark == GAP_MARK:
        return
    match = CELL.fullmatch(mark)
    if not match:
        raise BadDrawing(f"{mark!a} is neither a dancer like 'r^' or 'gv2' nor a gap '{GAP_MARK}'")
    floor.enter(state, cell, read_dancer(mark[:2]))
    if match[3]:
        floor.place(state, read_seat(match[3], state.seats), cell)


def read_dancer(mark: str) -> int:
    if len(mark) != 2 or mark[0] not in COLOUR_MARKS or mark[1] not in ARROW_MARKS:
        raise BadDrawing(f"{mark!a} is not a dancer like 'r^'")
    return NUMBER[Dancer(COLOURS[COLOUR_MARKS.index(mark[0])], ARROWS[ARROW_MARKS.index(mark[1])])]


MOST = 9999


def parse(text: str) -> View:
    """Read what `draw` writes."""
    drawing = Drawing(text, "floor", "floor")
    songs = read(drawing.source or house_source())
    _ = drawing.get("songs"), drawing.get("crate")  # what the source behind bars says
    seats = numbered(drawing.get("seats", "2"), "the number of seats", PLAYER_COUNTS)
    pictured = [row for row in drawing.picture if row.strip() not in ("", BALL_MARK)]
    if not pictured or len({len(row.split()) for row in pictured}) != 1:
        raise BadDrawing("the rows of the floor have to be equally long")
    size = len(pictured[0].split()), len(pictured)
    if not (2 <= size[0] <= 8 and 2 <= size[1] <= 8):
        raise BadDrawing("a floor has two to eight columns and rows")
    hypemaster = [one_of(word, ("hypemaster",), "an option") for word in drawing.get("options").split()]
    state = bare(seats, songs, bool(hypemaster), room(*size))
    read_floor(state, drawing.picture)
    _read_round(state, drawing)
    _read_hype(state, drawing)
    _read_piles(state, drawing)
    return _read_seats(state, drawing, read_viewer(drawing.get("viewer", "all"), seats))


def _read_round(state: State, drawing: Drawing) -> None:
    number, _, phase = drawing.get("round", "1 song").partition(" ")
    state.round = numbered(number, "the round", range(BOX.rounds + BOX.most_extra_rounds + 1))
    state.phase = PHASES.index(one_of(phase, PHASES, "a phase"))
    state.first = read_seat(drawing.get("first", "1"), state.seats)
    turn = drawing.get("turn", "1")
    state.turn = state.first if turn == "-" else read_seat(turn, state.seats)
    state.at = numbered(drawing.get("at", "0"), "the place in the order", range(state.seats + 1))
    usual = [(state.turn + step - state.at) % state.seats for step in range(state.seats)]
    order = drawing.get("order", " ".join(str(seat + 1) for seat in usual))
    state.order = tuple(read_seat(seat, state.seats) for seat in order.split())
    if left := drawing.get("left"):  # actions and placements
        state.moves, state.places = numbers(left.split(), 2, "'left:'", range(9))
    on = drawing.get("on", "anywhere")
    if state.phase in (RECOVER, SONG):
        state.limit = state.room.all if on == "anywhere" else mask_of(_cell(state, name) for name in on.split())


def _read_hype(state: State, drawing: Drawing) -> None:
    card = drawing.get("hype", "-")
    state.card = NONE if card == "-" else _card(card)
    state.used = tuple(_card(card) for card in drawing.get("used").split())
    drawn = drawing.get("drawn")
    state.drawn = (UNSEEN, UNSEEN) if drawn == HIDDEN_MARK else tuple(_card(card) for card in drawn.split())
    for under in parts(drawing.get("under"), ", "):
        seat, _, name = under.partition(" ")
        state.under_by += (read_seat(seat, state.seats),)
        state.hype.put_under(of_cards((UNSEEN if name == HIDDEN_MARK else _card(name),)))


def _read_piles(state: State, drawing: Drawing) -> None:
    for mark in drawing.get("gone").split():
        state.gone[read_dancer(mark)] += 1
    state.played = tuple(_song(state.crate, number) for number in drawing.get("played").split())
    state.recycled = tuple(_song(state.crate, number) for number in drawing.get("recycled").split())
    state.early = mask_of(read_seat(seat, state.seats) for seat in drawing.get("early").split())


def _read_seats(state: State, drawing: Drawing, who: int | Eye | None) -> View:
    """Read the players, then show the position to its viewer: everything, if none is named."""
    for seat in range(state.seats):
        state.quests[seat] = seat if who is Eye.ALL else UNSEEN
        for part in parts(drawing.get(f"seat {seat + 1}")):
            word, *values = part.split()
            PARTS[one_of(word, tuple(PARTS), f"a part of seat {seat + 1}")](state, seat, values)
        close_if_final(state, seat)
    _read_returned(state, drawing.get("returned").split(), who)
    drawing.finish()
    if state.phase in (RECOVER, SONG) and "left" not in drawing.lines:  # the song has just begun
        breaks = state.crate.actions[state.playing[state.turn]] == BREAK
        state.moves, state.places = state.bends.breaks if breaks else state.bends.moves, state.bends.placements
    return _view_for(state, who)


def _read_returned(state: State, numbers: Sequence[str], who: int | Eye | None) -> None:
    songs = tuple(_song(state.crate, number) for number in numbers)
    if isinstance(who, int):
        state.returned[who] = songs
    elif songs:
        size = len(songs) // state.seats
        state.returned = [songs[seat * size : (seat + 1) * size] for seat in range(state.seats)]


def _view_for(state: State, who: int | Eye | None) -> View:
    """Show a position in which all that is unseen lies in no pile and no deck."""
    for dancer in (*state.floor, *(kind for kind, count in enumerate(state.gone) for _ in range(count))):
        if dancer != NONE:
            _take(state, dancer)
    for counts in state.superfans:
        for dancer, count in enumerate(counts):
            for _ in range(count):
                _take(state, dancer)
    songs = [*state.played, *state.playing, *(song for hand in (*state.hands, *state.aside) for song in hand)]
    seen = [song for song in songs if song >= 0]
    if len(set(seen)) != len(seen):
        raise BadDrawing("a song is in two places")
    quests = [quest for quest in state.quests if quest >= 0]
    if len(set(quests)) != len(quests):
        raise BadDrawing("two players have the same quest")
    left = len(state.crate.songs) - sum(song != NONE for song in songs)
    return _require_consistent(msgspec.structs.replace(view(state, who), deck=left))


def _require_consistent(seen: View) -> View:
    """Refuse a drawing whose cards can't have come from one box."""
    try:
        restore(seen)
    except ValueError as error:
        raise BadDrawing(f"the cards do not add up: {error}") from None
    return seen


def _take(state: State, dancer: int) -> None:
    if not state.pile.counts[dancer]:
        raise BadDrawing(f"there are more {state.pile.kinds[dancer]} dancers than in the box")
    state.pile.take(dancer)


def _tokens(state: State, seat: int, values: list[str]) -> None:
    state.tokens[seat] = numbered(" ".join(values), "tokens", range(BOX.tokens + 1))


def _superfans(state: State, seat: int, values: list[str]) -> None:
    for mark in values:
        state.superfans[seat][read_dancer(mark)] += 1


def _quest(state: State, seat: int, values: list[str]) -> None:
    name = one_of(" ".join(values), (HIDDEN_MARK, *QUESTS), "a quest")
    state.quests[seat] = UNSEEN if name == HIDDEN_MARK else QUESTS.index(name)


def _hand(state: State, seat: int, values: list[str]) -> None:
    state.hands[seat] = _songs(state, values)


def _aside(state: State, seat: int, values: list[str]) -> None:
    state.aside[seat] = _songs(state, values)


def _songs(state: State, values: list[str]) -> tuple[int, ...]:
    if values[:1] == [HIDDEN_MARK]:
        return (UNSEEN,) * numbered(" ".join(values[1:]), "hidden songs", range(MOST))
    return tuple(_song(state.crate, number) for number in values)


def _playing(state: State, seat: int, values: list[str]) -> None:
    """Read the song a player plays: its number, or its colour and action."""
    if len(values) == 1:
        state.playing[seat] = _song(state.crate, values[0])
        return
    colour, action = one_of(values[0], COLOURS, "a colour"), one_of(values[-1], ACTIONS, "an action")
    fitting = (song.number - 1 for song in state.crate.songs if (song.colour, song.action) == (colour, action))
    state.playing[seat] = next(song for song in fitting if song not in state.playing)


def _sealed(state: State, seat: int, values: list[str]) -> None:
    if values[0] == HIDDEN_MARK:
        state.sealed[seat], state.changes[seat] = 0, int(values[1:] == ["open"])
        return
    slots = [numbered(value, "a sealed place", range(MOST)) for value in values]
    state.sealed[seat] = slots[0]
    if state.phase == SETLIST:
        state.sealed[seat] = PAIR_NUMBER.get((slots[0], slots[-1]), NONE)


def _changes(state: State, seat: int, values: list[str]) -> None:
    state.changes[seat] = numbered(" ".join(values), "changes", range(BOX.changes_of_mind + 1))


PARTS: Mapping[str, Callable[[State, int, list[str]], None]] = {
    "tokens": _tokens,
    "superfans": _superfans,
    "quest": _quest,
    "hand": _hand,
    "aside": _aside,
    "song": _playing,
    "sealed": _sealed,
    "changes": _changes,
}


def _cell(state: State, name: str) -> int:
    return state.room.index[one_of(name, state.room.names, "a place on this floor")]


def _card(name: str) -> int:
    return CARD_NUMBER[one_of(name, CARDS, "a Hype card")]


def _song(songs: Crate, number: str) -> int:
    return numbered(number, "the number of a song", range(1, len(songs.songs) + 1)) - 1
