"""Bebop as a game of the protocol: which chapter of the rules an action belongs to, and what comes after it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from jamboree.core.chance import Chance
from jamboree.core.errors import BadOptions, Illegal
from jamboree.core.game import Actor, GameInfo, Outcome, Preview, Tell, Viewer, quiet
from jamboree.core.geometry import bits
from jamboree.core.offers import Menu, Offer

from . import book, census, claim, endgame, restore, text, views
from .actions import (
    DOUBLE,
    INSTA,
    AnyAction,
    BookSeat,
    ClaimSeat,
    DeclineBooking,
    DeclineClaim,
    DrawFromBag,
    KeepDice,
    Pass,
    PerformStage,
    RerollDie,
    TakeFromQueue,
    repertoire,
)
from .board import BadBoard, festivals, load
from .bots import BOTS
from .components import PLAYER_COUNTS
from .events import AnyEvent
from .setup import Options, playable, set_up
from .speech import refuse
from .stages import perform
from .state import BOOK_THIS, CLAIM_AGAIN, OVER, PERFORM, PHASES, REROLL, TAKE, TURN, State
from .turn import after_claim, keep, pass_turn, reroll
from .views import View

PHASES_OF: Mapping[type, tuple[int, ...]] = {
    ClaimSeat: (TURN, CLAIM_AGAIN),
    DeclineClaim: (CLAIM_AGAIN,),
    BookSeat: (TURN, BOOK_THIS),
    DeclineBooking: (BOOK_THIS,),
    PerformStage: (PERFORM,),
    TakeFromQueue: (TAKE,),
    DrawFromBag: (TAKE,),
    RerollDie: (REROLL,),
    KeepDice: (REROLL,),
    Pass: (TURN,),
}
NOBODY: frozenset[Actor] = frozenset()
ONLY: tuple[frozenset[Actor], ...] = tuple(frozenset({seat}) for seat in range(max(PLAYER_COUNTS)))


class Bebop:
    info = GameInfo(
        key="bebop",
        title="Bebop",
        rules_version=1,
        seats=(min(PLAYER_COUNTS), max(PLAYER_COUNTS)),
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
            raise BadOptions(f"the board can't be read: {error.mistakes[0]}") from None
        return set_up(ground, options.star, options.hidden_hands, chance)

    def to_act(self, state: State) -> frozenset[Actor]:
        return NOBODY if state.phase == OVER else ONLY[state.turn]

    def legal(self, state: State, actor: Actor) -> Sequence[Offer[AnyAction]]:
        if actor != state.turn:
            return ()
        return LEGAL[state.phase](state, state.turn)

    def actions(self, state: State) -> Sequence[AnyAction]:
        return repertoire(state.ground).all

    def apply(
        self, state: State, actor: Actor, action: AnyAction, chance: Chance, tell: Tell[AnyEvent] = quiet
    ) -> None:
        check_turn(state, actor, action)
        APPLY[type(action)](state, state.turn, action, chance, tell)

    def seconds(self, state: State) -> float | None:
        return None

    def view(self, state: State, viewer: Viewer) -> View:
        return views.view(state, viewer)

    def witness(self, event: AnyEvent, viewer: Viewer) -> AnyEvent | None:
        return views.witness(event, viewer)

    def preview(self, view: View, action: AnyAction) -> Preview:
        """Play the action on what the viewer knows, up to the first thing left to chance."""
        state, events = restore.restore(view), list[AnyEvent]()
        before = self.scores(state)
        chance = restore.Untold()
        with suppress(restore.LeftToChance):
            self.apply(state, state.turn, action, chance, events.append)
        points = [after - earlier for after, earlier in zip(self.scores(state), before, strict=True)]
        return Preview(events, points, chance.asked)

    def why_not(self, view: View, action: AnyAction) -> Illegal | None:
        if not isinstance(view.viewer, int):
            return refuse("turn", "only-watching")
        try:
            self.apply(restore.restore(view), view.viewer, action, restore.Untold())
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


def check_turn(state: State, actor: Actor, action: AnyAction) -> None:
    if state.phase == OVER:
        raise refuse("end", "over")
    if actor != state.turn:
        raise refuse("turn", "not-your-turn")
    if state.phase not in PHASES_OF[type(action)]:
        raise refuse("turn", "not-now", phase=PHASES[state.phase])


def turn_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    """On a turn a player must either claim a seat or book a seat; who can do neither passes."""
    menu = Menu(claim.blocks(state, seat) + book.blocks(state, seat))
    return menu if len(menu) else repertoire(state.ground).passing


def claim_again_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([*claim.blocks(state, seat), (repertoire(state.ground).decline_claim, 1)])


def book_this_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([*book.blocks(state, seat), (repertoire(state.ground).decline_booking, 1)])


def perform_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([(repertoire(state.ground).perform, state.complete)])


def reroll_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return repertoire(state.ground).reroll[len(state.hands[seat])]


LEGAL = (
    turn_menu,
    claim_again_menu,
    book_this_menu,
    perform_menu,
    book.new_dice,
    reroll_menu,
    lambda _, __: (),
)


def do_claim(state: State, seat: int, action: ClaimSeat, chance: Chance, tell: Tell[AnyEvent]) -> None:
    claim.claim(state, seat, action, tell)


def do_book(state: State, seat: int, action: BookSeat, chance: Chance, tell: Tell[AnyEvent]) -> None:
    book.place_die(state, seat, action, tell)
    score_stages(state, seat, tell)


def do_perform(state: State, seat: int, action: PerformStage, chance: Chance, tell: Tell[AnyEvent]) -> None:
    chosen = next((at for at in bits(state.complete) if state.ground.stages[at].letter == action.stage), None)
    if chosen is None:
        raise refuse("stage", "not-complete", stage=action.stage)
    perform(state, seat, chosen, tell)
    score_stages(state, seat, tell)


def score_stages(state: State, seat: int, tell: Tell[AnyEvent]) -> None:
    """Let a completed stage perform; of several the active player picks the order. Then a new die is taken."""
    if state.complete.bit_count() > 1:
        state.phase = PERFORM
        return
    if state.complete:
        perform(state, seat, state.complete.bit_length() - 1, tell)
    if book.new_dice(state, seat):
        state.phase = TAKE
    else:
        after_claim(state, seat, tell)


def do_take(state: State, seat: int, action: TakeFromQueue, chance: Chance, tell: Tell[AnyEvent]) -> None:
    book.take_from_queue(state, seat, action.place, chance, tell)
    after_claim(state, seat, tell)


def do_draw(state: State, seat: int, action: DrawFromBag, chance: Chance, tell: Tell[AnyEvent]) -> None:
    book.draw_from_bag(state, seat, chance, tell)
    after_claim(state, seat, tell)


def do_reroll(state: State, seat: int, action: RerollDie, chance: Chance, tell: Tell[AnyEvent]) -> None:
    reroll(state, seat, action.die, chance, tell)


def do_pass(state: State, seat: int, action: Pass, chance: Chance, tell: Tell[AnyEvent]) -> None:
    if claim.can_claim(state, seat):
        raise refuse("pass", "can-claim")
    if state.open[seat] and state.hands[seat]:
        raise refuse("pass", "can-book")
    pass_turn(state, seat, tell)


APPLY: Mapping[type, Callable[..., None]] = {
    ClaimSeat: do_claim,
    DeclineClaim: lambda state, seat, _, __, tell: claim.decline(state, seat, DOUBLE, tell),
    BookSeat: do_book,
    DeclineBooking: lambda state, seat, _, __, tell: claim.decline(state, seat, INSTA, tell),
    PerformStage: do_perform,
    TakeFromQueue: do_take,
    DrawFromBag: do_draw,
    RerollDie: do_reroll,
    KeepDice: lambda state, seat, _, __, tell: keep(state, seat, tell),
    Pass: do_pass,
}
