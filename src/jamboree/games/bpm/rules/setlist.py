"""Picking songs in secret: the setlist before the game, the cue in every round, and the Drop."""

from collections.abc import Sequence

from jamboree.core.chance import Chance, Unseen, only
from jamboree.core.kit.events import EventSink
from jamboree.core.offers import Offer

from ..box.components import BOX
from ..box.texts import refuse
from .actions import PAIR_NUMBER, PAIRS, AnyAction, CueSong, DiscardSongs, action_space
from .events import (
    AnyEvent,
    SetlistSealed,
    SetlistsPicked,
    SongCued,
    SongDealt,
    SongsDropped,
    SongsReshuffled,
    StepDeclined,
)
from .state import NONE, PHASES, SETLIST, UNSEEN, State


def close_if_final(state: State, seat: int) -> None:
    """Close a seat of a restored position whose choice is sealed for good; all others may act."""
    can_replace = state.changes[seat] and len(state.hands[seat]) > 1
    if state.sealed[seat] != NONE and not can_replace:
        state.open &= ~(1 << seat)


def menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    """Offer every choice but the one that is sealed, and to let that stand."""
    choice, actions = state.sealed[seat], action_space(state.room)
    if not state.open >> seat & 1:
        return ()
    return (actions.discards if state.phase == SETLIST else actions.cues[len(state.hands[seat])])[choice]


def seal(state: State, seat: int, choice: int) -> bool:
    """Seal a choice, or replace it, until the last one is in and a few times at most; tell whether it was replaced."""
    before = state.sealed[seat]
    if before == choice:
        raise refuse("sealed", "same-choice")
    if before != NONE:
        if not state.changes[seat]:
            raise refuse("sealed", "no-more-changes", most=BOX.changes_of_mind)
        state.changes[seat] -= 1
    state.sealed[seat] = choice
    if not state.changes[seat] or len(state.hands[seat]) == 1:
        state.open &= ~(1 << seat)
    return before != NONE


def keep_sealed(state: State, seat: int, emit: EventSink[AnyEvent]) -> None:
    """Let a sealed choice stand for good."""
    if state.sealed[seat] == NONE:
        raise refuse("sealed", "nothing-sealed")
    if not state.open >> seat & 1:
        raise refuse("sealed", "no-more-changes", most=BOX.changes_of_mind)
    state.changes[seat] = 0
    state.open &= ~(1 << seat)
    emit(StepDeclined, seat, PHASES[state.phase])


def emit_if_final(state: State, seat: int, emit: EventSink[AnyEvent]) -> None:
    """Tell that a choice can't be replaced any more, unless it was the last to come in."""
    if not state.changes[seat] and not all_sealed(state):
        emit(StepDeclined, seat, PHASES[state.phase])


def all_sealed(state: State) -> bool:
    return NONE not in state.sealed


def reset_choices(state: State) -> None:
    state.sealed = [NONE] * state.seats
    state.changes = [BOX.changes_of_mind] * state.seats
    state.open = (1 << state.seats) - 1


def pick_setlist(state: State, seat: int, action: DiscardSongs, emit: EventSink[AnyEvent]) -> None:
    """Seal which two of the ten songs go."""
    choice = PAIR_NUMBER.get((action.first, action.second), NONE)
    if choice == NONE:
        raise refuse("setlist", "no-such-pair", count=BOX.songs_dealt)
    again = seal(state, seat, choice)
    if emit.enabled:
        songs = [state.crate.songs[state.hands[seat][slot]] for slot in PAIRS[choice]]
        emit(SetlistSealed, seat, songs, again)
        emit_if_final(state, seat, emit)


def discard_songs(state: State, emit: EventSink[AnyEvent]) -> None:
    """Let everybody's two songs go, unseen by the others."""
    for seat, choice in enumerate(state.sealed):
        hand, gone = state.hands[seat], PAIRS[choice]
        state.aside[seat] = tuple(hand[slot] for slot in gone)
        state.hands[seat] = tuple(song for slot, song in enumerate(hand) if slot not in gone)
    reset_choices(state)
    emit(SetlistsPicked)


def cue(state: State, seat: int, action: CueSong, emit: EventSink[AnyEvent]) -> None:
    """Seal which song is played this round."""
    if action.slot not in range(len(state.hands[seat])):
        raise refuse("cue", "no-such-song", count=len(state.hands[seat]))
    again = seal(state, seat, action.slot)
    if emit.enabled:
        emit(SongCued, seat, state.crate.songs[state.hands[seat][action.slot]], again)
        emit_if_final(state, seat, emit)


def drop(state: State, emit: EventSink[AnyEvent]) -> None:
    """Reveal all cued songs at once."""
    for seat, slot in enumerate(state.sealed):
        hand = state.hands[seat]
        if hand[slot] == UNSEEN:
            raise Unseen
        state.playing[seat] = hand[slot]
        state.hands[seat] = hand[:slot] + hand[slot + 1 :]
    reset_choices(state)
    state.early, state.recycled, state.returned = 0, (), [()] * state.seats
    if emit.enabled:
        emit(SongsDropped, [state.crate.songs[song] for song in state.playing])


def deal_one_each(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Deal all players one song for an extra round."""
    dealt = 0
    for seat in state.from_first():
        if not state.deck.total:  # also in mid-deal
            reshuffle(state, dealt, emit)
        song = chance.draw(state.deck, only(seat))
        state.hands[seat] += (song,)
        dealt |= 1 << seat
        emit(SongDealt, seat, state.crate.songs[song])


def reshuffle(state: State, dealt: int, emit: EventSink[AnyEvent]) -> None:
    """Put the played and discarded songs into the empty deck; remember who got a song before."""
    state.early, state.recycled, state.returned = dealt, state.played, state.aside
    for song in (*state.played, *(song for songs in state.aside for song in songs)):
        state.deck.put(song)
    state.played, state.aside = (), [()] * state.seats
    emit(SongsReshuffled, state.deck.total)
