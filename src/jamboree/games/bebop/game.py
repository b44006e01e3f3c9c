"""Bebop as a game of the protocol."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from jamboree.core.chance import Chance
from jamboree.core.errors import BadOptions, Illegal
from jamboree.core.game import Actor, GameInfo, Outcome, Preview, Tell, Timer, Viewer, quiet
from jamboree.core.offers import Offer

from .bots.greedy import BOTS
from .box.board import BadBoard, festivals, load
from .box.components import MINUTES, PLAYER_COUNTS
from .rules import census, endgame
from .rules.actions import AnyAction
from .rules.events import AnyEvent, SeatBooked
from .rules.phases import LEGAL, RULES, out_of_turn
from .rules.setup import Options, UnfitBoard, playable, set_up
from .rules.state import OVER, State
from .seen import restore, views
from .seen.views import View
from .words import text
from .words.speech import refuse

NOBODY: frozenset[Actor] = frozenset()
ONLY: tuple[frozenset[Actor], ...] = tuple(frozenset({seat}) for seat in range(max(PLAYER_COUNTS)))


class Bebop:
    info = GameInfo(
        key="bebop",
        title="Bebop",
        rules_version=1,
        seats=(min(PLAYER_COUNTS), max(PLAYER_COUNTS)),
        minutes=MINUTES,
        options=Options,
        action=AnyAction,
        event=AnyEvent,
        view=View,
        samples=(
            *(Options(board=load(festival).source) for festival in festivals()),
            Options(star=True),
            Options(hidden_hands=True),
        ),
    )
    words = text

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        if seats not in PLAYER_COUNTS:
            raise BadOptions(f"Bebop is for {min(PLAYER_COUNTS)} to {max(PLAYER_COUNTS)} players, not {seats}")
        try:
            ground = playable(options.board).ground(seats)
        except BadBoard as error:
            raise UnfitBoard("the board can't be read", error.mistakes) from None
        return set_up(ground, options.star, options.hidden_hands, chance)

    def to_act(self, state: State) -> frozenset[Actor]:
        return NOBODY if state.phase == OVER else ONLY[state.turn]

    def legal(self, state: State, actor: Actor) -> Sequence[Offer[AnyAction]]:
        if actor != state.turn:
            return ()
        return LEGAL[state.phase](state, state.turn)

    def actions(self, state: State) -> Sequence[AnyAction]:
        return state.ground.repertoire.all

    def apply(
        self, state: State, actor: Actor, action: AnyAction, chance: Chance, tell: Tell[AnyEvent] = quiet
    ) -> None:
        phases, carry_out = RULES[type(action)]
        if actor != state.turn or state.phase not in phases:
            raise out_of_turn(state, actor)
        carry_out(state, actor, action, chance, tell)

    def timer(self, state: State) -> Timer | None:
        return None

    def view(self, state: State, viewer: Viewer) -> View:
        return views.view(state, viewer)

    def witness(self, event: AnyEvent, viewer: Viewer) -> AnyEvent | None:
        return views.witness(event, viewer)

    def reveals(self, state: State, event: AnyEvent) -> bool:
        """Tell whether a die of a hidden hand was laid open."""
        return state.hidden and isinstance(event, SeatBooked)

    def preview(self, view: View, action: AnyAction) -> Preview:
        """Play the action on what the viewer knows, up to the first thing left to chance."""
        state, events = restore.restore(view), list[AnyEvent]()
        before = self.scores(state)
        chance = restore.Untold()
        with suppress(restore.LeftToChance):
            self.apply(state, player_of(view), action, chance, events.append)
        points = [after - earlier for after, earlier in zip(self.scores(state), before, strict=True)]
        return Preview(events, points, chance.asked)

    def why_not(self, view: View, action: AnyAction) -> Illegal | None:
        try:
            self.apply(restore.restore(view), player_of(view), action, restore.Untold())
        except Illegal as refusal:
            return refusal
        except restore.LeftToChance:
            pass
        return None

    def imagine(self, view: View, chance: Chance) -> State:
        return restore.imagine(view, chance)

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple(state.score(seat) for seat in range(state.seats))

    def outcome(self, state: State) -> Outcome | None:
        return endgame.outcome(state)

    def census(self, state: State) -> Mapping[str, int]:
        return census.census(state)

    def bots(self) -> Mapping[str, Callable[[int | None], Any]]:
        return BOTS


def player_of(view: View) -> int:
    """Give the seat a view belongs to; who only watches can't act."""
    if not isinstance(view.viewer, int):
        raise refuse("turn", "only-watching")
    return view.viewer
