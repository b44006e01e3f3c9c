"""What a viewer sees, and what of an event a viewer witnesses."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import msgspec

from jamboree.core.game import Eye, SharedView, Viewer
from jamboree.core.geometry import bits
from jamboree.core.seats import BySeat, Seat, SeatSet

from ..box.cards import BENT, CARDS
from ..box.components import BOX, QUESTS
from ..box.crate import Song
from ..box.dancers import DANCERS, Dancer, listed
from ..rules import events as e
from ..rules.actions import PAIRS
from ..rules.combos import catchers
from ..rules.floor import next_hop, owner, prospects
from ..rules.state import NONE, OVER, PHASES, SEALED_PHASES, SETLIST, UNSEEN, State


class Spot(msgspec.Struct, frozen=True):
    """A dancer on the floor, and whose fan it is."""

    cell: str
    dancer: Dancer
    fan_of: Seat | None


class Songs(msgspec.Struct, frozen=True):
    count: int
    songs: list[Song] | None  # None: hidden from this viewer


class Sealed(msgspec.Struct, frozen=True):
    """A sealed choice: that there is one is seen by all, the rest by its owner."""

    done: bool
    slots: list[int] | None  # places in the hand
    changes: int | None  # how often it can still be replaced


class Under(msgspec.Struct, frozen=True):
    """A Hype card that a Hypemaster put under the deck, the highest first; only that player knows it."""

    seat: Seat
    card: str | None


class Points(msgspec.Struct, frozen=True):
    superfans: int
    quest: int  # 0 as long as the quest is hidden from this viewer


class View(msgspec.Struct, frozen=True):
    viewer: Seat | str | None
    seats: int
    crate: str
    hypemaster: bool
    columns: int
    rows: int
    round: int
    rounds: int  # of a game without extra rounds
    phase: str
    first: Seat
    turn: Seat | None  # who decides, where it is one player
    to_act: SeatSet
    order: list[Seat]
    at: int
    card: str | None
    bends: list[str]  # what the card bends
    area: list[str]  # the cells it speaks of
    drawn: list[str] | None  # the Hypemaster's two cards; None: hidden from this viewer
    used: list[str]
    under: list[Under]
    floor: list[Spot]
    pile: int
    gone: list[Dancer]
    ball: str | None  # the cell front-left of it
    hop: str | None  # where it would go next
    catching: SeatSet  # those with the most fans around it
    lines: BySeat[e.Prospect]
    tokens: BySeat[int]
    superfans: BySeat[list[Dancer]]
    quests: BySeat[str | None]
    points: BySeat[Points]
    deck: int
    hands: BySeat[Songs]
    aside: BySeat[Songs]
    played: list[int]  # numbers of songs
    playing: BySeat[Song | None]
    sealed: BySeat[Sealed]
    early: SeatSet  # those who hold a song from before the reshuffle of this deal
    recycled: list[int]
    returned: list[int]  # own songs that were put aside and went into that reshuffle
    moves: int
    places: int
    moved: list[str] | None  # where a token can go at all; None: anywhere


def view(state: State, viewer: Viewer) -> View:
    """Show a viewer what is named here, and nothing else."""
    return views(state)(viewer)


def views(state: State) -> SharedView[View]:
    """Show a position to any viewer; what all of them see is built once."""
    return SharedView(View, _shared_fields(state), PrivateFields(state).own)


class PrivateFields:
    """What each viewer sees besides what all see: a seat sees what spectators do, and what is its own."""

    def __init__(self, state: State) -> None:
        self.state = state

    @cached_property
    def spectator(self) -> dict[str, Any]:
        return _private_fields(self.state, None)

    def own(self, viewer: Viewer) -> dict[str, Any]:
        if viewer is None:
            return self.spectator
        if isinstance(viewer, Eye):
            return _private_fields(self.state, viewer)
        own_by_seat = {name: self._with_own(name, viewer) for name in OWNED}
        return {**self.spectator, **_own_knowledge(self.state, viewer), **own_by_seat}

    def _with_own(self, name: str, seat: int) -> list[Any]:
        """Give what spectators see of everybody, with what one seat has laid open; the very same if it is no more."""
        public, owned = self.spectator[name], OWNED[name](self.state, seat, seat)
        return public if public[seat] == owned else [*public[:seat], owned, *public[seat + 1 :]]


def _shared_fields(state: State) -> dict[str, Any]:
    names, songs = state.room.names, state.crate.songs
    alone = state.phase not in (*SEALED_PHASES, OVER)
    return {
        "crate": state.crate.source,
        "seats": state.seats,
        "hypemaster": state.hypemaster,
        "columns": state.room.grid.columns,
        "rows": state.room.grid.rows,
        "round": state.round,
        "rounds": BOX.rounds,
        "phase": PHASES[state.phase],
        "first": state.first,
        "turn": state.turn if alone else None,
        "to_act": _to_act(state),
        "order": list(state.order),
        "at": state.at,
        "card": None if state.card == NONE else CARDS[state.card],
        "bends": BENT[state.card],
        "area": _area(state),
        "used": [CARDS[card] for card in state.used],
        "floor": [_spot(state, cell) for cell in bits(state.present)],
        "pile": state.pile.total,
        "gone": listed(state.gone),
        "ball": None if state.ball == NONE else names[state.ball],
        "hop": next_hop(state),
        "catching": catchers(state),
        "lines": prospects(state),
        "tokens": list(state.tokens),
        "superfans": [listed(counts) for counts in state.superfans],
        "deck": state.deck.total,
        "played": [songs[song].number for song in state.played],
        "playing": [None if song == NONE else songs[song] for song in state.playing],
        "early": list(bits(state.early)),
        "recycled": [songs[song].number for song in state.recycled],
        "moves": state.moves,
        "places": state.places,
        "moved": None if state.limit == state.room.all else [names[cell] for cell in bits(state.limit)],
    }


def _private_fields(state: State, viewer: Viewer) -> dict[str, Any]:
    by_seat = {name: [show(state, seat, viewer) for seat in range(state.seats)] for name, show in OWNED.items()}
    return {**_own_knowledge(state, viewer), **by_seat}


def _own_knowledge(state: State, viewer: Viewer) -> dict[str, Any]:
    return {
        "viewer": viewer.value if isinstance(viewer, Eye) else viewer,
        "drawn": [CARDS[card] for card in state.drawn] if _sees(viewer, state.turn) or not state.drawn else None,
        "under": _under(state, viewer),
        "returned": _returned(state, viewer),
    }


def _sees(viewer: Viewer, seat: int) -> bool:
    return viewer == seat or viewer is Eye.ALL


def _to_act(state: State) -> list[int]:
    if state.phase in SEALED_PHASES:
        return list(bits(state.open))
    return [] if state.phase == OVER else [state.turn]


def _area(state: State) -> list[str]:
    area = state.bends.bonus or state.bends.welcome
    return [state.room.names[cell] for cell in bits(state.room.areas[area])] if area else []


def _under(state: State, viewer: Viewer) -> list[Under]:
    layers = state.hype.layers[len(state.hype.layers) - len(state.under_by) :]
    by = zip(state.under_by, layers, strict=True)
    return [Under(seat, CARDS[layer.kind_at(0)] if _sees(viewer, seat) else None) for seat, layer in by]


def _spot(state: State, cell: int) -> Spot:
    fan_of = owner(state, cell) if state.taken >> cell & 1 else None
    return Spot(state.room.names[cell], DANCERS[state.floor[cell]], fan_of)


def _quest(state: State, seat: int, viewer: Viewer) -> str | None:
    quest = state.quests[seat]
    shown = _sees(viewer, seat) or state.quests_open
    return QUESTS[quest] if shown and quest >= 0 else None


def _points(state: State, seat: int, viewer: Viewer) -> Points:
    shown = _quest(state, seat, viewer) is not None
    return Points(state.superfan_points(seat), state.quest_points(seat) if shown else 0)


def known_points(state: State) -> list[int]:
    """Count the points as far as the quests of a restored position are known."""
    return [
        state.superfan_points(seat) + (0 if quest == UNSEEN else state.quest_points(seat))
        for seat, quest in enumerate(state.quests)
    ]


def _songs(state: State, songs: tuple[int, ...], seat: int, viewer: Viewer) -> Songs:
    return Songs(len(songs), [state.crate.songs[song] for song in songs] if _sees(viewer, seat) else None)


def _sealed(state: State, seat: int, viewer: Viewer) -> Sealed:
    choice = state.sealed[seat]
    if not _sees(viewer, seat):
        return Sealed(choice != NONE, None, None)
    slots = [] if choice == NONE else list(PAIRS[choice]) if state.phase == SETLIST else [choice]
    return Sealed(choice != NONE, slots, state.changes[seat])


OWNED: Mapping[str, Callable[[State, int, Viewer], Any]] = {  # what each seat has, and shows of it
    "quests": _quest,
    "points": _points,
    "hands": lambda state, seat, viewer: _songs(state, state.hands[seat], seat, viewer),
    "aside": lambda state, seat, viewer: _songs(state, state.aside[seat], seat, viewer),
    "sealed": _sealed,
}


def _returned(state: State, viewer: Viewer) -> list[int]:
    """List what a viewer knows to have gone into the last reshuffle, besides the played songs."""
    songs = [song for seat, aside in enumerate(state.returned) if _sees(viewer, seat) for song in aside]
    return [state.crate.songs[song].number for song in songs]


def reveals(state: State, event: e.AnyEvent) -> bool:
    if isinstance(event, e.HypeRevealed):
        return event.seat is not None  # the Hypemaster had seen it before the others
    if isinstance(event, e.StepDeclined):  # a choice stands for good; others may replace theirs unseen
        return PHASES.index(event.step) in SEALED_PHASES
    return isinstance(event, e.REVEALING)


def witness(event: e.AnyEvent, viewer: Viewer) -> e.AnyEvent | None:
    """Take out of an event what this viewer may not see."""
    if not isinstance(event, SECRET) or event.seat is None or _sees(viewer, event.seat):
        return event
    match event:
        case e.SetlistSealed():
            return None if event.again else e.SetlistSealed(event.seat, None, False)
        case e.SongCued():
            return None if event.again else e.SongCued(event.seat, None, False)
        case e.SongDealt():
            return e.SongDealt(event.seat, None)
        case e.HypeDrawn():
            return e.HypeDrawn(event.seat, None)
        case e.HypeRevealed():
            return e.HypeRevealed(event.card, event.seat, None)


SECRET = (e.SetlistSealed, e.SongCued, e.SongDealt, e.HypeDrawn, e.HypeRevealed)
