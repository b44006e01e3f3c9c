"""Set-up: the floor, the decks, the players."""

import msgspec

from jamboree.core.chance import Bag, Chance, Deck, only

from ..box.cards import CARDS, COUNTS
from ..box.components import BOX, PLAYER_COUNTS, QUESTS, floor_size
from ..box.crate import Crate, house_source
from ..box.crate_csv import read
from ..box.dancers import DANCERS, all_dancers
from ..box.room import Room, room
from .floor import enter
from .state import NONE, SETLIST, State

SEAT_LABELS = tuple(f"seat {seat}" for seat in range(max(PLAYER_COUNTS)))
QUEST_LABELS = tuple(f"{quest} quest" for quest in QUESTS)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a table."""

    songs: str = msgspec.field(default_factory=house_source)
    hypemaster: bool = False


def set_up(seats: int, options: Options, chance: Chance) -> State:
    """Set up a table. The first seat is picked at random; quests and songs are dealt from it on."""
    state = bare(seats, read(options.songs), options.hypemaster, room(*floor_size(seats)))
    state.first = state.turn = chance.roll(SEAT_LABELS[:seats])
    for cell in range(state.room.grid.size):
        enter(state, cell, chance.draw(state.pile))
    for seat in state.from_first():
        state.quests[seat] = chance.draw(state.spare_quests, only(seat))
    for seat in state.from_first():
        state.hands[seat] = tuple(chance.draw(state.deck, only(seat)) for _ in range(BOX.songs_dealt))
    return state


def bare(seats: int, songs: Crate, hypemaster: bool, floor: Room) -> State:
    """Build the state with an empty floor and full supplies, before anything is drawn."""
    return State(
        room=floor,
        crate=songs,
        hypemaster=hypemaster,
        round=0,
        phase=SETLIST,
        first=0,
        turn=0,
        order=(),
        at=0,
        card=NONE,
        drawn=(),
        used=(),
        hype=Deck([]),
        under_by=(),
        hype_box=Bag.of(CARDS, COUNTS),
        floor=[NONE] * floor.grid.size,
        present=0,
        colours=[0] * 4,
        fans=[0] * seats,
        taken=0,
        pile=all_dancers(),
        gone=[0] * len(DANCERS),
        ball=NONE,
        tokens=[BOX.tokens] * seats,
        superfans=[[0] * len(DANCERS) for _ in range(seats)],
        quests=[NONE] * seats,
        spare_quests=Bag.of(QUEST_LABELS, [1] * len(QUESTS)),
        deck=Bag.of(songs.labels, [1] * len(songs.songs)),
        hands=[()] * seats,
        aside=[()] * seats,
        played=(),
        playing=[NONE] * seats,
        sealed=[NONE] * seats,
        changes=[BOX.changes_of_mind] * seats,
        open=(1 << seats) - 1,
        early=0,
        recycled=(),
        returned=[()] * seats,
        moves=0,
        places=0,
        limit=0,
    )
