"""The course of a jumprun: which phase follows which, when all agree and when time is up."""

from jamboree.core.chance import Chance
from jamboree.core.kit.events import EventSink

from . import jury
from .events import AnyEvent, JumpCalled, PullCalled
from .setup import board_plane
from .state import JUMP, PLANE, PREPARATION, PULLED, State


def on_agreement(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    end_phase(state, False, chance, emit)


def on_timeout(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    end_phase(state, True, chance, emit)


def end_phase(state: State, by_clock: bool, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Begin the phase that follows; PULL by the clock leaves a moment for cards that arrive too late."""
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
    state.phase, state.ready, state.spent = JUMP, 0, 0
    state.drafts = [None] * state.seats
    emit(JumpCalled, by_clock)
