"""The course of a round: each step returns the next one, or None when a player has to decide."""

from jamboree.core.chance import Chance
from jamboree.core.kit.events import EventSink
from jamboree.core.kit.rulebook import Continuation

from ..box.components import BOX
from ..box.texts import refuse
from . import combos, endgame, floor, hype, setlist, songs
from .events import AnyEvent, OrderFound, RoundBegan, SongsPassed
from .state import BONUS, CUE, GIFT, NONE, RECOVER, SONG, STAY, WELCOME, State


def begin_round(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent] | None:
    """Move the Beachball, then reveal the Hype card."""
    state.round += 1
    state.card = NONE
    state.order = ()
    state.at = 0
    emit(RoundBegan, state.round, state.is_extra)
    if state.is_extra:
        setlist.deal_one_each(state, chance, emit)
    if state.ball != NONE:
        hype.move_ball(state, emit)
    elif state.hypemaster:  # the ball is in play from round 1
        hype.place_ball(state, emit)
    if state.hypemaster:
        hype.draw_two(state, chance, emit)
        return None
    hype.reveal_top(state, chance, emit)
    return await_cues


def await_cues(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    state.phase = CUE


def drop(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent]:
    """Reveal the songs, determine their order, and apply the Hype card's shift of the floor."""
    setlist.drop(state, emit)
    bends = state.bends
    if bends.passed_left:
        state.playing = [state.playing[(seat - bends.passed_left) % state.seats] for seat in range(state.seats)]
        if emit.enabled:
            emit(SongsPassed, [state.crate.songs[song] for song in state.playing])
    rank = state.crate.rank[bends.order]
    state.order, state.at = tuple(sorted(range(state.seats), key=lambda seat: rank[state.playing[seat]])), 0
    if emit.enabled:
        emit(OrderFound, list(state.order))
    if bends.shift:
        floor.shift(state, bends.shift, emit)
    return welcome if bends.welcome else play_song


def next_seat(state: State) -> int:
    """Return the next player in song order, or NONE after the last."""
    if state.at == len(state.order):
        state.at = 0
        return NONE
    return state.order[state.at]


def welcome_spots(state: State, seat: int) -> int:
    area = state.bends.welcome
    return state.empty & state.room.areas[area] if area and state.tokens[seat] else 0


def welcome(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent] | None:
    """Each player who can may place a token before the songs."""
    seat = next_seat(state)
    if seat == NONE:
        return play_song
    if not welcome_spots(state, seat):
        state.at += 1
        return welcome
    state.turn, state.phase = seat, WELCOME
    return None


def place_welcome(state: State, seat: int, name: str, emit: EventSink[AnyEvent]) -> None:
    """Put a token on an empty dancer of the area, whatever its colour."""
    cell = songs.cell_of(state, name)
    songs.check_empty(state, cell, "placing")
    if not welcome_spots(state, seat) >> cell & 1:
        raise refuse("hype", "not-welcome", cell=name)
    songs.put_token(state, seat, seat, cell, emit)
    state.at += 1


def play_song(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent] | None:
    seat = next_seat(state)
    if seat == NONE:
        return after_songs
    songs.start(state, seat, emit)
    return None if state.phase == RECOVER else ask_song


def ask_song(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent] | None:
    """Wait for the player's next action in a song, unless there is nothing left to do."""
    state.phase = SONG
    if songs.has_choice(state, state.turn):
        return None
    return end_song


def end_song(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent]:
    state.at += 1
    state.moves = state.places = state.limit = 0
    return play_song


def after_songs(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent]:
    if state.ball != NONE:
        combos.ball_bonus(state, chance, emit)
    return crowd_bonus if state.bends.bonus else check_combos


def crowd_bonus(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent] | None:
    """Each player with fans in the area turns one of them into a superfan."""
    seat = next_seat(state)
    if seat == NONE:
        return check_combos
    fans = combos.bonus_fans(state, seat)
    if fans.bit_count() > 1:
        state.turn, state.phase = seat, BONUS
        return None
    state.at += 1
    if fans:
        combos.score_bonus(state, seat, fans.bit_length() - 1, chance, emit)
    return crowd_bonus


def check_combos(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent] | None:
    """Award combos in the order songs were played."""
    seat = next_seat(state)
    if seat == NONE:
        return end_round
    if not state.in_lines(seat):
        state.at += 1
        return check_combos
    if state.bends.one_stays:
        state.turn, state.phase = seat, STAY
        return None
    combos.score_combo(state, seat, NONE, chance, emit)
    return ask_gift


def ask_gift(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent] | None:
    """The player on the left places one of the scorer's tokens, if that is possible."""
    owner = state.order[state.at]
    if not combos.can_give(state, owner):
        return after_gift
    state.turn, state.phase = state.left_of(owner), GIFT
    return None


def after_gift(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent]:
    state.at += 1
    return check_combos


def end_round(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Continuation[State, AnyEvent] | None:
    state.played += tuple(state.playing[seat] for seat in state.order)
    state.playing = [NONE] * state.seats
    if state.round >= BOX.rounds and endgame.is_decided(state, emit):
        return None
    return begin_round
