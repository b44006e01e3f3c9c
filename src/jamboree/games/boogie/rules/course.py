"""The course of a jumprun: which phase follows which, when all agree and when time is up."""

from jamboree.core.chance import Chance
from jamboree.core.kit.telling import Telling

from . import jury
from .events import AnyEvent, JumpCalled, PullCalled
from .setup import board_plane
from .state import JUMP, PLANE, PREPARATION, PULLED, State


def all_agree(state: State, chance: Chance, tell: Telling[AnyEvent]) -> None:
    end_phase(state, False, chance, tell)


def time_is_up(state: State, chance: Chance, tell: Telling[AnyEvent]) -> None:
    end_phase(state, True, chance, tell)


def end_phase(state: State, by_clock: bool, chance: Chance, tell: Telling[AnyEvent]) -> None:
    """Begin the phase that follows; PULL by the clock leaves a moment for cards that arrive too late."""
    if state.phase == PREPARATION:
        board_plane(state, chance, tell)
    elif state.phase == PLANE:
        call_jump(state, by_clock, tell)
    elif state.phase == JUMP:
        tell(PullCalled, by_clock)
        if by_clock:
            state.phase = PULLED
        else:
            jury.hold_jury(state, chance, tell)
    else:
        jury.hold_jury(state, chance, tell)


def call_jump(state: State, by_clock: bool, tell: Telling[AnyEvent]) -> None:
    state.phase, state.ready, state.spent = JUMP, 0, 0
    state.drafts = [None] * state.seats
    tell(JumpCalled, by_clock)
