"""Boogie Beasts as a game of the protocol: which chapter of the rules an action belongs to, and what comes after it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jamboree.core.chance import Chance
from jamboree.core.errors import Illegal
from jamboree.core.game import Actor, GameInfo, Nature, Outcome, Preview, Tell, Timer, Viewer, quiet
from jamboree.core.offers import Offer

from .bots.greedy import BOTS
from .box.components import BOX, FEWEST, MOST
from .rules import census, jump, jury, plane
from .rules.actions import (
    AnyAction,
    AskInExchange,
    PlayCard,
    Promise,
    PromiseTo,
    SayDone,
    SayReady,
    TimeUp,
    WithdrawReady,
    repertoire,
)
from .rules.events import REVEALING, AnyEvent, JumpCalled, PullCalled
from .rules.setup import Options, board_plane, set_up
from .rules.state import JUMP, OVER, PLANE, PREPARATION, PULLED, State
from .seen import restore, views
from .seen.views import View
from .words import text
from .words.speech import refuse

Acting = Callable[[State, int, Any, Tell[AnyEvent]], bool]
"""Does what an action says, and tells whether that ends the phase."""

ACTORS: tuple[tuple[frozenset[Actor], ...], ...] = tuple(
    tuple(
        frozenset([*(seat for seat in range(MOST) if mask >> seat & 1), *([Nature.CLOCK] if timed else [])])
        for mask in range(1 << MOST)
    )
    for timed in (False, True)
)
NOBODY: frozenset[Actor] = frozenset()


class Boogie:
    info = GameInfo(
        key="boogie",
        title="Boogie Beasts",
        rules_version=1,
        seats=(FEWEST, MOST),
        minutes=BOX.minutes,
        options=Options,
        action=AnyAction,
        event=AnyEvent,
        view=View,
        samples=(
            Options(),
            Options(pace="standard"),
            Options(pace="own", plane_seconds=30, jump_seconds=20, promises=False),
        ),
        undo=False,  # a word that was said and a card that was laid are final
    )
    words = text

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        return set_up(seats, options, chance)

    def to_act(self, state: State) -> frozenset[Actor]:
        """List who may act at this moment: all at once, and the clock."""
        if state.phase == OVER:
            return NOBODY
        resting = state.late | state.spent if state.phase == PULLED else state.ready & state.spent
        return ACTORS[state.plane_seconds > 0][~resting & (1 << state.seats) - 1]

    def legal(self, state: State, actor: Actor) -> Sequence[Offer[AnyAction]]:
        if isinstance(actor, Nature):
            return repertoire(state.seats).time_up if state.timed and state.phase != OVER else ()
        return LEGAL[state.phase](state, actor) if 0 <= actor < state.seats else ()

    def actions(self, state: State) -> Sequence[AnyAction]:
        return repertoire(state.seats).all

    def apply(
        self, state: State, actor: Actor, action: AnyAction, chance: Chance, tell: Tell[AnyEvent] = quiet
    ) -> None:
        if act(state, actor, action, tell):
            go_on(state, actor is Nature.CLOCK, chance, tell)

    def timer(self, state: State) -> Timer | None:
        if not state.timed or state.phase == OVER:
            return None
        lengths = (BOX.table.pause, state.plane_seconds, state.jump_seconds, BOX.table.pulled)
        return Timer(state.jumprun * len(lengths) + state.phase, float(lengths[state.phase]))

    def view(self, state: State, viewer: Viewer) -> View:
        return views.view(state, viewer)

    def witness(self, event: AnyEvent, viewer: Viewer) -> AnyEvent | None:
        return views.witness(event, viewer)

    def reveals(self, state: State, event: AnyEvent) -> bool:
        return isinstance(event, REVEALING)

    def preview(self, view: View, action: AnyAction) -> Preview:
        """Do what the action says, up to the end of the phase: dealing and the jury are not certain."""
        assert isinstance(view.viewer, int)
        events: list[AnyEvent] = []
        ended = act(restore.restore(view), view.viewer, action, events.append)
        return Preview(events, [0] * view.seats, chance_follows=ended)

    def why_not(self, view: View, action: AnyAction) -> Illegal | None:
        if not isinstance(view.viewer, int):
            return refuse("players", "only-watching")
        try:
            act(restore.restore(view), view.viewer, action, quiet)
        except Illegal as refusal:
            return refusal
        return None

    def imagine(self, view: View, chance: Chance) -> State:
        return restore.imagine(view, chance)

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(state.score(seat) for seat in range(state.seats))

    def outcome(self, state: State) -> Outcome | None:
        """Most points over four jumpruns win; a tie is shared."""
        if state.phase != OVER:
            return None
        scores = list(self.scores(state))
        return Outcome([seat for seat, score in enumerate(scores) if score == max(scores)], scores)

    def census(self, state: State) -> Mapping[str, int]:
        return census.census(state)

    def bots(self) -> Mapping[str, Callable[[int | None], Any]]:
        return BOTS


def act(state: State, actor: Actor, action: AnyAction, tell: Tell[AnyEvent]) -> bool:
    """Do what an action says, without what follows from it; tell whether the phase ends."""
    if state.phase == OVER:
        raise refuse("winning", "over")
    if isinstance(actor, Nature):
        if not isinstance(action, TimeUp):
            raise refuse("time", "clock-only-expires")
        if not state.timed:
            raise refuse("time", "untimed")
        return True
    if not 0 <= actor < state.seats:
        raise refuse("players", "only-watching")
    return ACT[type(action)](state, actor, action, tell)


def go_on(state: State, by_clock: bool, chance: Chance, tell: Tell[AnyEvent]) -> None:
    """Begin the phase that follows; PULL by the clock leaves a moment for cards that arrive too late."""
    if state.phase == PREPARATION:
        board_plane(state, chance, tell)
    elif state.phase == PLANE:
        call_jump(state, by_clock, tell)
    elif state.phase == JUMP:
        if tell is not quiet:
            tell(PullCalled(by_clock))
        if by_clock:
            state.phase = PULLED
        else:
            jury.hold_jury(state, chance, tell)
    else:
        jury.hold_jury(state, chance, tell)


def call_jump(state: State, by_clock: bool, tell: Tell[AnyEvent]) -> None:
    state.phase, state.ready, state.spent = JUMP, 0, 0
    state.drafts = [None] * state.seats
    if tell is not quiet:
        tell(JumpCalled(by_clock))


def preparation_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return () if state.ready >> seat & 1 else repertoire(state.seats).ready


LEGAL = (preparation_menu, plane.menu, jump.menu, jump.late_menu, lambda _, __: ())


def time_up(state: State, seat: int, action: TimeUp, tell: Tell[AnyEvent]) -> bool:
    raise refuse("time", "clock-only")


ACT: Mapping[type, Acting] = {
    SayReady: lambda state, seat, _, tell: plane.say_ready(state, seat, tell),
    WithdrawReady: lambda state, seat, _, tell: plane.withdraw_ready(state, seat, tell),
    PromiseTo: plane.begin_promise,
    AskInExchange: plane.ask_in_exchange,
    Promise: plane.promise,
    PlayCard: jump.play_card,
    SayDone: lambda state, seat, _, tell: jump.say_done(state, seat, tell),
    TimeUp: time_up,
}
