"""The course of a turn: what follows a claim, a booking or a reroll, and who is next."""

from jamboree.core.chance import Chance
from jamboree.core.kit.events import EventSink

from ..box.components import FACES, PLAYER_COUNTS
from ..box.dice import DICE, face_of
from ..box.texts import refuse
from .actions import KeepDice, RerollDie
from .beliefs import forget_faces
from .endgame import end_game
from .events import AnyEvent, DiceKept, DieRerolled, SeatFinished, SeatPassed
from .setup import hand_seen_by
from .state import NOWHERE, REROLL, TURN, State

CLOCKWISE = [
    [[(seat + step) % seats for step in range(1, seats + 1)] for seat in range(seats)]
    for seats in range(max(PLAYER_COUNTS) + 1)
]
"""By number of players and seat: the others in order, then oneself."""


def after_claim(state: State, seat: int, emit: EventSink[AnyEvent]) -> None:
    """Go on once a claim's effect is over: its reroll, then those of the claims around it."""
    state.insta = NOWHERE
    if state.rerolls and state.hands[seat]:
        state.phase = REROLL
    else:
        end_turn(state, seat, emit)


def reroll(state: State, seat: int, action: RerollDie, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Roll one of your dice again; its colour never changes."""
    hand, slot = state.hands[seat], action.die
    if not 0 <= slot < len(hand):
        raise refuse("reroll", "no-such-die")
    die = hand[slot]
    rolled = die - face_of(die) + chance.roll(FACES, hand_seen_by(state, seat))
    state.hands[seat] = (*hand[:slot], rolled, *hand[slot + 1 :])
    if state.hidden:
        forget_faces(state, seat)
    emit(DieRerolled, seat, state.hidden, DICE[die], DICE[rolled])
    state.rerolls -= 1
    after_claim(state, seat, emit)


def keep(state: State, seat: int, action: KeepDice, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    emit(DiceKept, seat)
    state.rerolls -= 1
    after_claim(state, seat, emit)


def end_turn(state: State, seat: int, emit: EventSink[AnyEvent]) -> None:
    """Pass the turn to the next player who has not stopped; the game ends when there is none, or all of them passed."""
    if emit.enabled and state.has_finished(seat):
        emit(SeatFinished, seat)
    state.rerolls, state.phase = 0, TURN
    for following in CLOCKWISE[state.ground.players][seat]:
        if not (state.passed >> following & 1 or state.has_finished(following)):
            state.turn = following
            return
    end_game(state, emit)


def pass_turn(state: State, seat: int, emit: EventSink[AnyEvent]) -> None:
    """Pass, which only a player who can neither claim nor book does."""
    state.passed |= 1 << seat
    emit(SeatPassed, seat)
    end_turn(state, seat, emit)
