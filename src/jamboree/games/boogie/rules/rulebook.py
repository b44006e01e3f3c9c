"""What can be done in which phase, by whom, and what each action leads to."""

from collections.abc import Sequence

from jamboree.core.chance import Chance
from jamboree.core.errors import Illegal
from jamboree.core.game import Actor, Nature, Timer
from jamboree.core.kit.events import EventSink
from jamboree.core.kit.rulebook import Continuation, Rulebook, by_mask, nothing
from jamboree.core.offers import Offer

from ..box.components import BOX, MOST
from ..box.texts import refuse
from . import jump, plane
from .actions import (
    TIME_UP,
    AnyAction,
    AskInExchange,
    PlayCard,
    Promise,
    PromiseTo,
    SayDone,
    SayReady,
    TimeUp,
    WithdrawReady,
    action_space,
)
from .census import census
from .events import AnyEvent
from .phases import on_timeout
from .setup import set_up
from .state import JUMP, OVER, PHASES, PLANE, PREPARATION, PULLED, JuryReport, State

NOBODY: frozenset[Actor] = frozenset()
ACTORS = (by_mask(MOST), by_mask(MOST, Nature.CLOCK))  # without a clock, and with it


def to_act(state: State) -> frozenset[Actor]:
    """List who may act at this moment: all at once, and the clock."""
    if state.phase == OVER:
        return NOBODY
    resting = state.late | state.spent if state.phase == PULLED else state.ready & state.spent
    return ACTORS[state.plane_seconds > 0][~resting & (1 << state.seats) - 1]


def timer(state: State) -> Timer | None:
    if not state.timed or state.phase == OVER:
        return None
    pause = BOX.limits.pause + announcement_seconds(state.report)
    lengths = (pause, state.plane_seconds, state.jump_seconds, BOX.limits.pulled)
    return Timer(state.jumprun * len(lengths) + state.phase, float(lengths[state.phase]))


def announcement_seconds(report: JuryReport) -> float:
    """Say how many seconds the last jury takes to be told: the minute to the next plane begins after it."""
    cards = sum(len(jump.cards) for jump in report.jumps)
    return min(BOX.limits.told_most, cards * BOX.limits.told_card + len(report.jumps) * BOX.limits.told_jump)


def out_of_turn(state: State, actor: Actor, action: AnyAction) -> Illegal | None:
    """Refuse what is not for this actor or this phase; a player with nothing left to do is refused by the rule."""
    if state.phase == OVER:
        return refuse("winning", "over")
    if isinstance(actor, Nature):
        return not_by_the_clock(state, action)
    if not 0 <= actor < state.seats:
        return refuse("players", "only-watching")
    return None if state.phase in RULEBOOK.rules[type(action)][0] else not_now(state, action)


def not_by_the_clock(state: State, action: AnyAction) -> Illegal | None:
    if not isinstance(action, TimeUp):
        return refuse("time", "clock-only-expires")
    if not state.timed:
        return refuse("time", "untimed")
    return None


def not_now(state: State, action: AnyAction) -> Illegal:
    match action:
        case SayReady():
            return refuse("jump", "say-done")
        case WithdrawReady():
            return refuse("plane", "only-in-plane")
        case SayDone() if state.phase == PULLED:
            return refuse("jump", "pulled")
        case PlayCard() | SayDone():
            return refuse("jump", "no-cards-now")
    return refuse("promises", "only-in-plane")


def preparation_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    return () if state.ready >> seat & 1 else action_space(state.seats).ready


def time_up(
    state: State, actor: Actor, action: TimeUp, chance: Chance, emit: EventSink[AnyEvent]
) -> Continuation[State, AnyEvent]:
    if actor is not Nature.CLOCK:
        raise refuse("time", "clock-only")
    return on_timeout


RULEBOOK: Rulebook[State, AnyAction, AnyEvent] = Rulebook(
    set_up=set_up,
    to_act=to_act,
    actions=lambda state: action_space(state.seats).all,
    menus=(preparation_menu, plane.menu, jump.menu, jump.late_menu, nothing),
    rules={
        SayReady: ((PREPARATION, PLANE), plane.say_ready),
        WithdrawReady: ((PLANE,), plane.withdraw_ready),
        PromiseTo: ((PLANE,), plane.begin_promise),
        AskInExchange: ((PLANE,), plane.ask_in_exchange),
        Promise: ((PLANE,), plane.promise),
        PlayCard: ((JUMP, PULLED), jump.play_card),
        SayDone: ((JUMP,), jump.say_done),
        TimeUp: ((PREPARATION, PLANE, JUMP, PULLED), time_up),
    },
    out_of_turn=out_of_turn,
    together=frozenset(range(len(PHASES))),
    timer=timer,
    expiry=TIME_UP,
    scores=State.scores,
    census=census,
)
