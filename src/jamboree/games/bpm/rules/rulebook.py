"""What can be done in which phase, and what each action leads to."""

from collections.abc import Sequence
from typing import Any

from jamboree.core.chance import Chance
from jamboree.core.errors import Illegal
from jamboree.core.game import Actor
from jamboree.core.kit.events import EventSink
from jamboree.core.kit.rulebook import Rulebook, by_mask, nothing
from jamboree.core.offers import Menu, Offer

from ..box.components import PLAYER_COUNTS
from ..box.texts import refuse
from . import combos, hype, rounds, setlist, songs
from .actions import (
    AnyAction,
    ChooseHype,
    CueSong,
    Decline,
    DiscardSongs,
    FinishSong,
    KeepFan,
    MakeSuperfan,
    PlaceToken,
    RecoverToken,
    SendOnBreak,
    SwapDancers,
    action_space,
)
from .census import census
from .endgame import scores
from .events import AnyEvent, StepDeclined
from .setup import set_up
from .state import (
    BONUS,
    CUE,
    GIFT,
    HYPE,
    OVER,
    PHASES,
    RECOVER,
    SEALED_PHASES,
    SETLIST,
    SONG,
    STAY,
    WELCOME,
    State,
)

ACTORS = by_mask(max(PLAYER_COUNTS))


def to_act(state: State) -> frozenset[Actor]:
    if state.phase == CUE or state.phase == SETLIST:
        return ACTORS[state.open]
    return ACTORS[0] if state.phase == OVER else ACTORS[1 << state.turn]


def out_of_turn(state: State, actor: Actor, action: AnyAction) -> Illegal:
    """Refuse what is not asked now, or not asked of this player."""
    if state.phase == OVER:
        return refuse("ending", "over")
    if state.phase not in RULEBOOK.rules[type(action)][0]:
        return refuse("round", f"not-now.{PHASES[state.phase]}")
    return refuse("round", "not-your-turn")


def hype_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return action_space(state.room).hype


def welcome_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    actions = action_space(state.room)
    return Menu([(actions.place, rounds.welcome_spots(state, seat)), (actions.decline, 1)])


def bonus_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([(action_space(state.room).superfan, combos.bonus_fans(state, seat))])


def stay_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([(action_space(state.room).keep, state.in_lines(seat))])


def gift_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([(action_space(state.room).place, state.empty)])


def do_discard(state: State, seat: int, action: DiscardSongs, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    setlist.pick_setlist(state, seat, action, emit)
    if setlist.all_sealed(state):
        setlist.discard_songs(state, emit)
        return rounds.begin_round
    return None


def do_cue(state: State, seat: int, action: CueSong, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    setlist.cue(state, seat, action, emit)
    return rounds.drop if setlist.all_sealed(state) else None


def do_hype(state: State, seat: int, action: ChooseHype, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    hype.choose(state, action.place, emit)
    return rounds.await_cues


def do_recover(state: State, seat: int, action: RecoverToken, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    songs.recover(state, seat, action.cell, chance, emit)
    return rounds.ask_song


def do_swap(state: State, seat: int, action: SwapDancers, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    songs.swap(state, seat, action, emit)
    return rounds.ask_song


def do_break(state: State, seat: int, action: SendOnBreak, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    songs.send_on_break(state, seat, action.cell, chance, emit)
    return rounds.ask_song


def do_place(state: State, seat: int, action: PlaceToken, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    if state.phase == SONG:
        songs.place(state, seat, action.cell, emit)
        return rounds.ask_song
    if state.phase == GIFT:
        combos.give_token(state, seat, state.order[state.at], action.cell, emit)
        return rounds.after_gift
    rounds.place_welcome(state, seat, action.cell, emit)
    return rounds.welcome


def do_finish(state: State, seat: int, action: FinishSong, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    songs.finish(state, seat, emit)
    return rounds.end_song


def do_superfan(state: State, seat: int, action: MakeSuperfan, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    combos.make_superfan(state, seat, action.cell, chance, emit)
    state.at += 1
    return rounds.crowd_bonus


def do_keep(state: State, seat: int, action: KeepFan, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    combos.keep_fan(state, seat, action.cell, chance, emit)
    return rounds.ask_gift


def do_decline(state: State, seat: int, action: Decline, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    if state.phase in SEALED_PHASES:
        setlist.keep_sealed(state, seat, emit)
        return None
    emit(StepDeclined, seat, PHASES[state.phase])
    if state.phase == RECOVER:
        return rounds.ask_song
    state.at += 1
    return rounds.welcome


RULEBOOK: Rulebook[State, AnyAction, AnyEvent] = Rulebook(
    set_up=set_up,
    to_act=to_act,
    actions=lambda state: action_space(state.room).all,
    menus=(
        setlist.menu,
        hype_menu,
        setlist.menu,
        welcome_menu,
        songs.recover_menu,
        songs.menu,
        bonus_menu,
        stay_menu,
        gift_menu,
        nothing,
    ),
    rules={
        DiscardSongs: ((SETLIST,), do_discard),
        ChooseHype: ((HYPE,), do_hype),
        CueSong: ((CUE,), do_cue),
        RecoverToken: ((RECOVER,), do_recover),
        SwapDancers: ((SONG,), do_swap),
        SendOnBreak: ((SONG,), do_break),
        PlaceToken: ((WELCOME, SONG, GIFT), do_place),
        FinishSong: ((SONG,), do_finish),
        MakeSuperfan: ((BONUS,), do_superfan),
        KeepFan: ((STAY,), do_keep),
        Decline: ((SETLIST, CUE, WELCOME, RECOVER), do_decline),
    },
    out_of_turn=out_of_turn,
    together=SEALED_PHASES,
    scores=scores,
    census=census,
)
