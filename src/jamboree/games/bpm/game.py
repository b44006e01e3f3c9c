"""BPMs Per Minute as a game of the protocol: which chapter of the rules an action belongs to, and what follows it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from jamboree.core.chance import Chance
from jamboree.core.errors import BadOptions, Illegal
from jamboree.core.game import Actor, GameInfo, Outcome, Preview, Tell, Timer, Viewer, quiet
from jamboree.core.offers import Menu, Offer

from .bots.greedy import BOTS
from .box import crate_csv
from .box.components import BOX, PLAYER_COUNTS
from .box.samples import own_crate
from .rules import census, combos, endgame, hype, rounds, setlist, songs
from .rules.actions import (
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
    repertoire,
)
from .rules.events import REVEALING, AnyEvent, HypeRevealed, StepDeclined
from .rules.setup import Options, set_up
from .rules.state import (
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
    Unseen,
)
from .seen import restore, views
from .seen.views import View
from .words import text
from .words.speech import refuse

PHASES_OF: Mapping[type, tuple[int, ...]] = {
    DiscardSongs: (SETLIST,),
    ChooseHype: (HYPE,),
    CueSong: (CUE,),
    RecoverToken: (RECOVER,),
    SwapDancers: (SONG,),
    SendOnBreak: (SONG,),
    PlaceToken: (WELCOME, SONG, GIFT),
    FinishSong: (SONG,),
    MakeSuperfan: (BONUS,),
    KeepFan: (STAY,),
    Decline: (SETLIST, CUE, WELCOME, RECOVER),
}
ACTORS: tuple[frozenset[Actor], ...] = tuple(
    frozenset(seat for seat in range(max(PLAYER_COUNTS)) if mask >> seat & 1) for mask in range(1 << max(PLAYER_COUNTS))
)
"""The seats of every mask."""


class BpmsPerMinute:
    info = GameInfo(
        key="bpm",
        title="BPMs Per Minute",
        rules_version=1,
        seats=(min(PLAYER_COUNTS), max(PLAYER_COUNTS)),
        minutes=BOX.minutes,
        options=Options,
        action=AnyAction,
        event=AnyEvent,
        view=View,
        samples=(Options(), Options(hypemaster=True), Options(songs=own_crate())),
    )
    words = text

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        if seats not in PLAYER_COUNTS:
            raise BadOptions(
                f"BPMs Per Minute is for {min(PLAYER_COUNTS)} to {max(PLAYER_COUNTS)} players, not {seats}"
            )
        return set_up(seats, crate_csv.read(options.songs), options.hypemaster, chance)

    def to_act(self, state: State) -> frozenset[Actor]:
        if state.phase == CUE or state.phase == SETLIST:
            return ACTORS[state.open]
        return ACTORS[0] if state.phase == OVER else ACTORS[1 << state.turn]

    def legal(self, state: State, actor: Actor) -> Sequence[Offer[AnyAction]]:
        if state.phase == CUE or state.phase == SETLIST:
            return setlist.menu(state, actor) if isinstance(actor, int) else ()
        if actor != state.turn:
            return ()
        return LEGAL[state.phase](state, state.turn)

    def actions(self, state: State) -> Sequence[AnyAction]:
        return repertoire(state.room).all

    def apply(
        self, state: State, actor: Actor, action: AnyAction, chance: Chance, tell: Tell[AnyEvent] = quiet
    ) -> None:
        kind = type(action)
        if state.phase not in PHASES_OF[kind] or actor != state.turn:
            check_turn(state, actor, kind)
        step = APPLY[kind](state, actor, action, chance, tell)
        while step:
            step = step(state, chance, tell)

    def timer(self, state: State) -> Timer | None:
        return None

    def view(self, state: State, viewer: Viewer) -> View:
        return views.view(state, viewer)

    def witness(self, event: AnyEvent, viewer: Viewer) -> AnyEvent | None:
        return views.witness(event, viewer)

    def reveals(self, state: State, event: AnyEvent) -> bool:
        if isinstance(event, HypeRevealed):
            return event.seat is not None  # the Hypemaster had seen it before the others
        return isinstance(event, REVEALING)

    def preview(self, view: View, action: AnyAction) -> Preview:
        """Play the action on what the viewer knows, up to the first thing left to chance or hidden."""
        state, events = restore.restore(view), list[AnyEvent]()
        before, certain = views.known_points(state), False
        with suppress(restore.LeftToChance, Unseen):
            self.apply(state, restore.actor(view), action, restore.Untold(), events.append)
            certain = True
        points = [after - earlier for after, earlier in zip(views.known_points(state), before, strict=True)]
        return Preview(events, points, not certain)

    def why_not(self, view: View, action: AnyAction) -> Illegal | None:
        if not isinstance(view.viewer, int):
            return refuse("round", "only-watching")
        try:
            self.apply(restore.restore(view), view.viewer, action, restore.Untold())
        except Illegal as refusal:
            return refusal
        except (restore.LeftToChance, Unseen):
            pass
        return None

    def imagine(self, view: View, chance: Chance) -> State:
        return restore.imagine(view, chance)

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(endgame.scores(state))

    def outcome(self, state: State) -> Outcome | None:
        return endgame.outcome(state)

    def census(self, state: State) -> Mapping[str, int]:
        return census.census(state)

    def bots(self) -> Mapping[str, Callable[[int | None], Any]]:
        return BOTS


def check_turn(state: State, actor: Actor, kind: type) -> None:
    """Refuse what is not asked now, or not asked of this player."""
    if state.phase == OVER:
        raise refuse("ending", "over")
    if state.phase not in PHASES_OF[kind]:
        raise refuse("round", f"not-now.{PHASES[state.phase]}")
    if actor != state.turn and not (state.phase in SEALED_PHASES and actor in range(state.seats)):
        raise refuse("round", "not-your-turn")


def hype_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return repertoire(state.room).hype


def welcome_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    all_of = repertoire(state.room)
    return Menu([(all_of.place, rounds.welcome_spots(state, seat)), (all_of.decline, 1)])


def bonus_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([(repertoire(state.room).superfan, combos.bonus_fans(state, seat))])


def stay_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([(repertoire(state.room).keep, state.in_lines(seat))])


def gift_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([(repertoire(state.room).place, state.empty)])


LEGAL: Mapping[int, Callable[[State, int], Sequence[Offer[AnyAction]]]] = {
    HYPE: hype_menu,
    WELCOME: welcome_menu,
    RECOVER: songs.recover_menu,
    SONG: songs.menu,
    BONUS: bonus_menu,
    STAY: stay_menu,
    GIFT: gift_menu,
    OVER: lambda _, __: (),
}


def do_discard(state: State, seat: int, action: DiscardSongs, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    setlist.pick_setlist(state, seat, action, tell)
    if setlist.all_sealed(state):
        setlist.discard_songs(state, tell)
        return rounds.begin_round
    return None


def do_cue(state: State, seat: int, action: CueSong, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    setlist.cue(state, seat, action, tell)
    return rounds.drop if setlist.all_sealed(state) else None


def do_hype(state: State, seat: int, action: ChooseHype, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    hype.choose(state, action.place, tell)
    return rounds.await_cues


def do_recover(state: State, seat: int, action: RecoverToken, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    songs.recover(state, seat, action.cell, chance, tell)
    return rounds.ask_song


def do_swap(state: State, seat: int, action: SwapDancers, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    songs.swap(state, seat, action, tell)
    return rounds.ask_song


def do_break(state: State, seat: int, action: SendOnBreak, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    songs.send_on_break(state, seat, action.cell, chance, tell)
    return rounds.ask_song


def do_place(state: State, seat: int, action: PlaceToken, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    if state.phase == SONG:
        songs.place(state, seat, action.cell, tell)
        return rounds.ask_song
    if state.phase == GIFT:
        combos.give_token(state, seat, state.order[state.at], action.cell, tell)
        return rounds.after_gift
    rounds.place_welcome(state, seat, action.cell, tell)
    return rounds.welcome


def do_finish(state: State, seat: int, action: FinishSong, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    songs.finish(state, seat, tell)
    return rounds.end_song


def do_superfan(state: State, seat: int, action: MakeSuperfan, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    combos.make_superfan(state, seat, action.cell, chance, tell)
    state.at += 1
    return rounds.crowd_bonus


def do_keep(state: State, seat: int, action: KeepFan, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    combos.keep_fan(state, seat, action.cell, chance, tell)
    return rounds.ask_gift


def do_decline(state: State, seat: int, action: Decline, chance: Chance, tell: Tell[AnyEvent]) -> Any:
    if state.phase in SEALED_PHASES:
        setlist.leave_sealed(state, seat, tell)
        return None
    if tell is not quiet:
        tell(StepDeclined(seat, PHASES[state.phase]))
    if state.phase == RECOVER:
        return rounds.ask_song
    state.at += 1
    return rounds.welcome


APPLY: Mapping[type, Callable[..., Any]] = {
    DiscardSongs: do_discard,
    ChooseHype: do_hype,
    CueSong: do_cue,
    RecoverToken: do_recover,
    SwapDancers: do_swap,
    SendOnBreak: do_break,
    PlaceToken: do_place,
    FinishSong: do_finish,
    MakeSuperfan: do_superfan,
    KeepFan: do_keep,
    Decline: do_decline,
}
