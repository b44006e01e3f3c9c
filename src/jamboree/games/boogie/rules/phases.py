"""The phases of a jumprun: each ends when all agree or when its time is up."""

from jamboree.core.chance import Chance
from jamboree.core.geometry import bits
from jamboree.core.kit.events import EventSink
from jamboree.core.seats import Seat

from . import jury
from .events import AnyEvent, JumpCalled, PullCalled
from .setup import board_plane
from .state import JUMP, PLANE, PREPARATION, PULLED, State


def on_agreement(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    end_phase(state, False, chance, emit)


def on_timeout(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    end_phase(state, True, chance, emit)


def agreed(state: State) -> frozenset[Seat]:
    """Return the players who wait for the others to say ready."""
    return frozenset(bits(state.ready)) if state.phase in (PREPARATION, PLANE) else frozenset()


def end_phase(state: State, by_clock: bool, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Begin the next phase; PULL by the clock leaves a moment for cards that arrive too late."""
    if state.phase == PREPARATION:
        board_plane(state, chance, emit)
    elif state.phase == PLANE:
        call_jump(state, by_clock, emit)
    elif state.phase == JUMP:
        emit(PullCalled, by_clock)
        if by_clock:
            state.phase = PULLED
        else:
            jury.hold_jury(state, chance, emit)
    else:
        jury.hold_jury(state, chance, emit)


def call_jump(state: State, by_clock: bool, emit: EventSink[AnyEvent]) -> None:
    state.phase = JUMP
    state.ready = 0
    state.spent = 0
    state.drafts = [None] * state.seats
    emit(JumpCalled, by_clock)
