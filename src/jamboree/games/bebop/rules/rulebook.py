"""The phase machine: the menu of each phase and the rule of each action."""

from collections.abc import Sequence

from jamboree.core.chance import Chance
from jamboree.core.errors import Illegal
from jamboree.core.game import Actor
from jamboree.core.geometry import bits
from jamboree.core.kit.events import EventSink
from jamboree.core.kit.rulebook import Rulebook, in_turn, nothing
from jamboree.core.offers import Menu, Offer

from ..box.components import PLAYER_COUNTS
from ..box.texts import refuse
from . import booking, claim
from .actions import (
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
)
from .census import census
from .endgame import outcome, scores
from .events import AnyEvent
from .setup import set_up
from .stages import perform
from .state import BOOK_THIS, CLAIM_AGAIN, OVER, PERFORM, PHASES, REROLL, TAKE, TURN, State
from .turn import after_claim, keep, pass_turn, reroll


def out_of_turn(state: State, actor: Actor, action: AnyAction) -> Illegal:
    """Return why the action is not possible now."""
    if state.phase == OVER:
        return refuse("end", "over")
    if actor != state.turn:
        return refuse("turn", "not-your-turn")
    return refuse("turn", f"not-now.{PHASES[state.phase]}")


def turn_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    """On their turn, players must claim a seat or book one; they pass if neither is possible."""
    blocks = claim.blocks(state, seat)
    blocks.append(booking.block(state, seat))
    menu = Menu(blocks)
    return menu if menu.length else state.ground.action_space.passing


def claim_again_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([*claim.blocks(state, seat), (state.ground.action_space.decline_claim, 1)])


def book_this_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([booking.block(state, seat), (state.ground.action_space.decline_booking, 1)])


def perform_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return Menu([(state.ground.action_space.perform, state.complete)])


def reroll_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return state.ground.action_space.reroll[len(state.hands[seat])]


def do_book(state: State, seat: int, action: BookSeat, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    booking.place_die(state, seat, action, emit)
    score_stages(state, seat, emit)


def do_perform(state: State, seat: int, action: PerformStage, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    chosen = next((at for at in bits(state.complete) if state.ground.stages[at].letter == action.stage), None)
    if chosen is None:
        raise refuse("stage", "not-complete", stage=action.stage)
    perform(state, seat, chosen, emit)
    score_stages(state, seat, emit)


def score_stages(state: State, seat: int, emit: EventSink[AnyEvent]) -> None:
    """Let a completed stage perform; of several the active player picks the order. Then a new die is taken."""
    if state.complete.bit_count() > 1:
        state.phase = PERFORM
        return
    if state.complete:
        perform(state, seat, state.complete.bit_length() - 1, emit)
    if booking.takes_a_die(state, seat):
        state.phase = TAKE
    else:
        after_claim(state, seat, emit)


def do_take(state: State, seat: int, action: TakeFromQueue, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    booking.take_from_queue(state, seat, action.place, chance, emit)
    after_claim(state, seat, emit)


def do_draw(state: State, seat: int, action: DrawFromBag, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    booking.draw_from_bag(state, seat, chance, emit)
    after_claim(state, seat, emit)


def do_pass(state: State, seat: int, action: Pass, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    if claim.can_claim(state, seat):
        raise refuse("pass", "can-claim")
    if state.open[seat] and state.hands[seat]:
        raise refuse("pass", "can-book")
    pass_turn(state, seat, emit)


RULEBOOK: Rulebook[State, AnyAction, AnyEvent] = Rulebook(
    set_up=set_up,
    to_act=in_turn(OVER, max(PLAYER_COUNTS)),
    actions=lambda state: state.ground.action_space.all,
    menus=(turn_menu, claim_again_menu, book_this_menu, perform_menu, booking.new_dice, reroll_menu, nothing),
    rules={
        ClaimSeat: ((TURN, CLAIM_AGAIN), claim.claim),
        DeclineClaim: ((CLAIM_AGAIN,), claim.decline_claim),
        BookSeat: ((TURN, BOOK_THIS), do_book),
        DeclineBooking: ((BOOK_THIS,), claim.decline_booking),
        PerformStage: ((PERFORM,), do_perform),
        TakeFromQueue: ((TAKE,), do_take),
        DrawFromBag: ((TAKE,), do_draw),
        RerollDie: ((REROLL,), reroll),
        KeepDice: ((REROLL,), keep),
        Pass: ((TURN,), do_pass),
    },
    in_move=(CLAIM_AGAIN, BOOK_THIS, PERFORM, TAKE, REROLL),
    out_of_turn=out_of_turn,
    scores=scores,
    outcome=outcome,
    census=census,
)
