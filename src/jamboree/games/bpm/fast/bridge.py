"""Conversion between the reference and its twin: tables, rows from states and back, and guesses from views."""

from collections.abc import Iterable, MutableSequence, Sequence
from functools import lru_cache

from msgspec.structs import astuple

from jamboree.core.chance import Bag, Deck
from jamboree.core.geometry import bits, mask_of

from ..box.cards import BALL, BENDS, BONUSES, BY_ROUND, CARDS, COUNTS, HYPE, Bends
from ..box.components import ACTIONS, ARROWS, BOX, COLOURS, QUESTS, floor_size
from ..box.crate import Crate
from ..box.crate_csv import MOST_SONGS, read
from ..box.dancers import DANCERS, fits
from ..box.room import Room, room
from ..rules.actions import PAIRS, BpmActionSpace, SendOnBreak, SwapDancers, action_space
from ..rules.endgame import MOST_ROUNDS
from ..rules.hype import hypemaster, of_cards
from ..rules.setup import Options, bare
from ..rules.state import NONE, UNSEEN, State
from ..visibility.restore import restore
from ..visibility.views import View
from . import layout as at
from .weights import WEIGHTS

Masks = list[int]
Smalls = list[int]

SHIFTS = ("", "surf", "mosh")
NEVER = 1 << 30  # the first id of swaps that a movement does not have
ALL_CARDS = (1 << len(CARDS)) - 1


def table(seats: int, options: Options) -> list[int]:
    """Return the table of a set-up; raise BadOptions if the game does."""
    return [*table_of(seats, room(*floor_size(seats)), read(options.songs), options.hypemaster)]


def table_for(state: State) -> tuple[int, ...]:
    """Return the table of a state's set-up."""
    return table_of(state.seats, state.room, state.crate, state.hypemaster)


@lru_cache(maxsize=16)
def table_of(seats: int, floor: Room, crate: Crate, with_hypemaster: bool) -> tuple[int, ...]:
    _check_box()
    grid, songs, sends = floor.grid, len(crate.songs), action_space(floor).all.index(SendOnBreak(floor.names[0]))
    no_ball, bonuses = ALL_CARDS & ~(1 << BALL), mask_of(BONUSES)
    t = [0] * at.TABLE
    for where, values in (
        (at.PLAYERS, (seats, grid.columns, grid.rows, grid.size, floor.all, with_hypemaster, songs)),
        (at.DECK_WORDS, (-(-songs // at.WORD), BOX.tokens, BOX.dancers_of_a_kind, BOX.rounds)),
        (at.MOST_ROUNDS, (MOST_ROUNDS, HYPE.bonus_from_round, BOX.changes_of_mind)),
        (at.SUPERFAN_POINTS, (BOX.superfan_points, BOX.quest_points, no_ball, no_ball & ~bonuses)),
        (at.PAIR_FROM, (_starts(floor, 1, 0), len(PAIRS) + at.SETLIST_SIZE, sends)),
        (at.LINE_STEP, (1, grid.columns, grid.columns + 1, grid.columns - 1)),
        (at.LINE_FROM, (_starts(floor, *step) for step in ((2, 0), (0, 2), (2, 2), (-2, 2)))),
        (at.COLUMN, floor.column_masks),
        (at.BY_ROUND, map(mask_of, BY_ROUND)),
        (at.MATCHING, (word for quest in range(at.QUESTS) for word in _dancers(_asked_for(quest)))),
        (at.SWAP, _swaps(floor, action_space(floor))),
        (at.BENDS, (value for bends in (BENDS[NONE], *BENDS[:NONE]) for value in _bends(floor, bends))),
        (at.SONG, (_song(crate, song) for song in range(songs))),
    ):
        for number, value in enumerate(values):
            t[where + number] = int(value)
    for corner, hops in floor.hops.items():
        t[at.HOPS + at.ARROWS * corner : at.HOPS + at.ARROWS * (corner + 1)] = hops
    weigh_by(t, "greedy")
    return tuple(t)


def weigh_by(t: MutableSequence[int], name: str) -> None:
    """Write the weights of that name into a table, for the greedy players on all seats."""
    weights = astuple(WEIGHTS[name])
    assert len(weights) == at.WEIGHED
    t[at.WEIGHTS :] = weights * at.SEATS


@lru_cache
def _check_box() -> None:
    """Check that the components of the box fit into a row."""
    shape = (len(COLOURS), len(ARROWS), len(QUESTS), len(CARDS), len(DANCERS), BOX.dancers_of_a_kind, BOX.line)
    assert shape == (at.COLOURS, at.ARROWS, at.QUESTS, at.CARDS, at.KINDS, at.KIND_BITS, at.LINE)
    assert (BOX.songs_dealt, BOX.songs_discarded, BOX.rounds, MOST_SONGS) == (10, 2, 8, at.MOST_SONGS)
    assert set(COUNTS) == {1} and all(bends.row_line in (2, 3) for bends in BENDS)


def _starts(floor: Room, columns: int, rows: int) -> int:
    """Return the set of cells from which a step of that size stays on the floor."""
    grid = floor.grid
    cells = ((cell, grid.column(cell) + columns, grid.row(cell) + rows) for cell in range(grid.size))
    return mask_of(cell for cell, column, row in cells if grid.holds(column, row))


def _swaps(floor: Room, every: BpmActionSpace) -> Iterable[int]:
    """Yield for each movement, near and far, the distance, the starting cells, and the id of its first swap."""
    for kind in range(len(ACTIONS) - 1):
        distances = [(distance, starts) for distance, starts in floor.swaps[kind] if starts]
        for distance, starts in distances:
            first = next(bits(starts))
            swap = SwapDancers(floor.names[first], floor.names[first + distance])
            yield from (distance, starts, every.all.index(swap))
        yield from (0, 0, NEVER) * (2 - len(distances))


def _bends(floor: Room, bends: Bends) -> tuple[int, ...]:
    areas = [floor.areas[area] if area else 0 for area in (bends.welcome, bends.bonus)]
    before = (bends.order == "highest", bends.passed_left, SHIFTS.index(bends.shift), areas[0])
    songs = (bends.moves, bends.breaks, bends.placements, bends.any_colour, bends.only_moved)
    return (*before, *songs, areas[1], bends.row_line, bends.one_stays, bends.ball)


def _song(crate: Crate, song: int) -> int:
    kind = crate.colours[song] | crate.actions[song] << 2
    return kind | crate.rank["lowest"][song] << 4 | crate.rank["highest"][song] << 14


def _asked_for(quest: int) -> list[int]:
    return [at.KIND_BITS * fits(quest, dancer) for dancer in range(at.KINDS)]


def _dancers(counts: Sequence[int]) -> tuple[int, int]:
    """Return the counts of dancers as two words."""
    fields = [((1 << count) - 1) << at.KIND_BITS * (kind % at.WORD_KINDS) for kind, count in enumerate(counts)]
    return sum(fields[: at.WORD_KINDS]), sum(fields[at.WORD_KINDS :])


def _counts(m: Masks, where: int) -> list[int]:
    words = [(m[where + kind // at.WORD_KINDS], kind % at.WORD_KINDS) for kind in range(at.KINDS)]
    return [(word >> at.KIND_BITS * place & 31).bit_count() for word, place in words]


def row_of(state: State) -> tuple[Masks, Smalls]:
    """Return a state as a row."""
    m, s, seats = [0] * at.MASKS, [NONE] * at.SMALLS, state.seats
    top, under = _layers(state)
    deck = mask_of(song for song, count in enumerate(state.deck.counts) if count)
    for where, words in (
        (at.PRESENT, (state.present, state.taken, *state.colours, *state.fans)),
        (at.LIMIT, (state.limit,)),
        (at.PILE, _dancers(state.pile.counts)),
        (at.GONE, _dancers(state.gone)),
        (at.SUPERFANS, (word for counts in state.superfans for word in _dancers(counts))),
        (at.USED, (mask_of(state.used), top)),
        (at.DECK, (deck >> at.WORD * word & (1 << at.WORD) - 1 for word in range(at.DECK_MOST))),
    ):
        for number, word in enumerate(words):
            m[where + number] = word
    s[at.TOKENS : at.QUEST], s[at.CHANGES : at.HAND] = [0] * at.SEATS, [0] * (at.HAND - at.CHANGES)
    heading = (state.phase, state.round, state.first, state.turn, state.at, state.card, state.ball)
    for where, numbers in (
        (at.PHASE, (*heading, state.moves, state.places, state.open, *state.drawn)),
        (at.ORDER, state.order),
        (at.TOKENS, state.tokens),
        (at.QUEST, state.quests),
        (at.PLAYING, state.playing),
        (at.SEALED, state.sealed),
        (at.CHANGES, state.changes),
        (at.SONGS_HELD, map(len, state.hands)),
        (at.UNDER, under),
        (at.FLOOR, state.floor),
        *((at.HAND + at.HAND_MOST * seat, state.hands[seat]) for seat in range(seats)),
        *((at.ASIDE + at.DISCARDED * seat, state.aside[seat]) for seat in range(seats)),
    ):
        for number, value in enumerate(numbers):
            s[where + number] = value
    return m, s


def _layers(state: State) -> tuple[int, list[int]]:
    """Return the top layer of the Hype deck as a set, and the single cards under it; unseen ones are in the top
    layer."""
    if not state.hype.layers:
        return 0, []
    top, *under = state.hype.layers
    return _set_of(top), [layer.kind_at(0) if layer.total else UNSEEN for layer in under]


def _set_of(bag: Bag) -> int:
    return mask_of(kind for kind, count in enumerate(bag.counts) if count)


def state_of(m: Masks, s: Smalls, seats: int, options: Options) -> State:
    """Return a row as a state. What rows leave out gets defaults: played songs and used cards lie in the order of their
    numbers, and reshuffles are forgotten."""
    state = bare(seats, read(options.songs), options.hypemaster, room(*floor_size(seats)))
    heading = s[at.PHASE : at.DRAWN]
    state.phase, state.round, state.first, state.turn, state.at, state.card, state.ball = heading[: at.MOVES]
    state.moves, state.places, state.open = heading[at.MOVES :]
    state.present, state.taken, state.limit = m[at.PRESENT], m[at.TAKEN], m[at.LIMIT]
    state.colours, state.fans = m[at.COLOUR : at.FANS], m[at.FANS : at.FANS + seats]
    state.floor = s[at.FLOOR : at.FLOOR + state.room.grid.size]
    state.pile, state.gone = Bag.of(state.pile.kinds, _counts(m, at.PILE)), _counts(m, at.GONE)
    state.superfans = [_counts(m, at.SUPERFANS + 2 * seat) for seat in range(seats)]
    state.order = _numbers(s, at.ORDER, at.SEATS)
    for where, values in (
        (at.TOKENS, state.tokens),
        (at.QUEST, state.quests),
        (at.PLAYING, state.playing),
        (at.SEALED, state.sealed),
        (at.CHANGES, state.changes),
    ):
        values[:] = s[where : where + seats]
    for quest in state.quests:
        state.spare_quests.take(quest)
    state.hands = [_numbers(s, at.HAND + at.HAND_MOST * seat, at.HAND_MOST) for seat in range(seats)]
    state.aside = [_numbers(s, at.ASIDE + at.DISCARDED * seat, at.DISCARDED) for seat in range(seats)]
    _read_deck(state, m)
    _read_hype(state, m, s)
    return state


def _numbers(s: Smalls, where: int, most: int) -> tuple[int, ...]:
    return tuple(number for number in s[where : where + most] if number != NONE)


def _read_deck(state: State, m: Masks) -> None:
    deck = sum(m[at.DECK + word] << at.WORD * word for word in range(at.DECK_MOST))
    songs = range(len(state.crate.songs))
    held = {song for songs in (state.playing, *state.hands, *state.aside) for song in songs}
    state.deck = Bag.of(state.deck.kinds, [deck >> song & 1 for song in songs])
    state.played = tuple(song for song in songs if not deck >> song & 1 and song not in held)


def _read_hype(state: State, m: Masks, s: Smalls) -> None:
    state.used, state.drawn = tuple(bits(m[at.USED])), _numbers(s, at.DRAWN, 2)
    box = ALL_CARDS & ~m[at.USED]
    if state.hypemaster and state.round:
        under = _numbers(s, at.UNDER, at.UNDER_MOST)
        state.hype = Deck([of_cards(tuple(bits(m[at.HYPE_DECK]))), *(of_cards((card,)) for card in under)])
        now = hypemaster(state) - (len(under) if state.phase == at.HYPE else len(under) - 1)
        state.under_by = tuple((now + layer) % state.seats for layer in range(len(under)))
        if not state.is_extra:
            box &= ~(m[at.HYPE_DECK] | mask_of(under) | mask_of(state.drawn))
    state.hype_box = Bag.of(CARDS, [box >> card & 1 for card in range(len(CARDS))])


def unknown(view: View) -> tuple[list[int], Masks, Smalls, list[int]]:
    """Turn a view into a table, a row with the viewer's knowledge in it, and guesses: what `imagine` needs."""
    state = restore(view)
    unseen = mask_of(seat for seat, sealed in enumerate(view.sealed) if sealed.done and sealed.slots is None)
    known = mask_of({*state.recycled, *(number - 1 for number in view.returned)})
    m, s = row_of(state)
    recycled = [m[at.DECK + word] & known >> at.WORD * word for word in range(at.DECK_MOST)]
    return [*table_for(state)], m, s, [state.early, unseen, *recycled]
