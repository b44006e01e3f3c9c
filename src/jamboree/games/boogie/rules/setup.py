"""Preparation: set up the table, and deal jumpcards when the plane leaves."""

from typing import Annotated, Literal

import msgspec

from jamboree.core.chance import Bag, Chance, only
from jamboree.core.errors import BadOptions
from jamboree.core.kit.events import EventSink

from ..box.components import (
    ALL_CHARACTERS,
    BOX,
    CARDS,
    COPIES,
    JUMPCARD_BITS,
    JUMPCARDS,
    MOST,
    ONE,
    hand_of,
    kinds_in,
    size_of,
)
from .events import AnyEvent, CardsDealt, DeckReshuffled, PlaneBoarded
from .state import PLANE, PREPARATION, JuryReport, State

SEAT_LABELS = tuple(f"seat {seat}" for seat in range(MOST))
PACES = {"standard": (180, 60), "relaxed": (360, 120), "untimed": (0, 0)}
SHORTEST, LONGEST = 5, 3600

Seconds = Annotated[int, msgspec.Meta(ge=SHORTEST, le=LONGEST)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table can choose before the game. The seconds count when the pace is "own"."""

    pace: Literal["untimed", "standard", "relaxed", "own"] = "untimed"
    plane_seconds: Seconds = 180
    jump_seconds: Seconds = 60
    promises: bool = True

    def seconds(self) -> tuple[int, int]:
        """Give the length of the plane and of the jump; 0: untimed."""
        return PACES.get(self.pace, (self.plane_seconds, self.jump_seconds))


def set_up(seats: int, options: Options, chance: Chance) -> State:
    """Give every player an animal; the first jumpmaster is random."""
    if options.pace not in (*PACES, "own"):
        raise BadOptions(f"there is no pace called {options.pace!r}; there are: {', '.join(PACES)}, own")
    plane, jump = options.seconds()
    if options.pace == "own" and not (SHORTEST <= plane <= LONGEST and SHORTEST <= jump <= LONGEST):
        raise BadOptions(f"a timer runs for {SHORTEST} to {LONGEST} seconds")
    state = bare(seats, plane, jump, options.promises)
    state.jumpmaster = chance.roll(SEAT_LABELS[:seats])
    return state


def bare(seats: int, plane_seconds: int, jump_seconds: int, promising: bool) -> State:
    """Lay out a table before anything is drawn."""
    return State(
        seats=seats, plane_seconds=plane_seconds, jump_seconds=jump_seconds, promising=promising,
        phase=PREPARATION, jumprun=0, jumpmaster=0, ready=0, spent=(1 << seats) - 1, withdrawn=[0] * seats, late=0,
        hands=[ALL_CHARACTERS] * seats, held=[kinds_in(ALL_CHARACTERS)] * seats,
        opened=0, standing=[0] * seats, plays=[],
        deck=Bag.of(JUMPCARDS, COPIES), discard=Bag.of(JUMPCARDS, [0] * len(JUMPCARDS)),
        begun=[0] * seats, drafts=[None] * seats, promises=[],
        points=[], report=JuryReport(), told_all=[(0, 0, 0)] * seats, told_one=[(0, 0, 0)] * seats * seats,
        era_deck=hand_of(COPIES), era_hands=[0] * seats, shown=[0] * seats,
    )  # fmt: skip


def board_plane(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Deal from the jumpmaster leftwards; the players look at their new cards now, for the plane has left."""
    for turn in range(state.seats):
        deal(state, (state.jumpmaster + turn) % state.seats, chance, emit)
    state.phase, state.ready, state.spent = PLANE, 0, 0
    state.withdrawn = [0] * state.seats
    emit(PlaneBoarded, state.jumprun + 1, state.jumpmaster)


def new_cards(in_hand: int) -> int:
    """Six new jumpcards, up to the hand maximum of eight; none for a player with six or more."""
    return 0 if in_hand >= BOX.full_hand else min(BOX.dealt, BOX.hand_max - in_hand)


def deal(state: State, seat: int, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    dealt = []
    for _ in range(new_cards(size_of(state.hands[seat]))):
        if not state.deck.total:  # the discard pile is shuffled in only when a card is needed
            reshuffle(state, emit)
        card = chance.draw(state.deck, only(seat))
        state.hands[seat] += ONE[card]
        state.held[seat] |= 1 << card
        dealt.append(card)
    if emit.enabled:
        emit(CardsDealt, seat, len(dealt), [CARDS[card] for card in sorted(dealt)])


def reshuffle(state: State, emit: EventSink[AnyEvent]) -> None:
    """Make the discard pile the new deck; hands stay, and everybody knows what was in the pile."""
    state.deck, state.discard = state.discard, state.deck
    state.era_deck = hand_of(state.deck.counts)
    state.era_hands = [hand & JUMPCARD_BITS for hand in state.hands]
    state.shown = [0] * state.seats
    emit(DeckReshuffled, state.deck.total)
