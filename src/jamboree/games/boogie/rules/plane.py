"""The plane: plan together, promise, and say when you are ready to jump."""

from collections.abc import Sequence

from jamboree.core.chance import Chance
from jamboree.core.kit.events import EventSink
from jamboree.core.kit.rulebook import Continuation
from jamboree.core.offers import Block, Menu, Offer

from ..box.components import BOX
from ..box.jumps import layout
from ..box.texts import refuse
from .actions import (
    AnyAction,
    AskInExchange,
    BoogieActionSpace,
    Promise,
    PromiseTo,
    SayReady,
    WithdrawReady,
    action_space,
)
from .events import AnyEvent, ExchangeAsked, PromiseBegun, PromiseMade, ReadyWithdrawn, SaidReady
from .phases import on_agreement
from .state import NO_DRAFT, NO_TERM, TO_ALL, PromiseRecord, State


def menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    """Offer what a seat can say; a player who is ready can only take that back."""
    ready = bool(state.ready >> seat & 1)
    may_withdraw = state.withdrawn[seat] < BOX.limits.withdrawals
    may_begin = state.promising and state.begun[seat] < BOX.limits.promises
    draft = state.drafts[seat]
    code = NO_DRAFT if draft is None else (draft[0] + 1) << 1 | (draft[1] != NO_TERM)
    key = (seat, ready, may_withdraw, may_begin, code)
    actions = action_space(state.seats)
    cached = actions.plane_menus.get(key)
    if cached is None:
        taking_back: list[Block[AnyAction]] = [((actions.unready,), int(may_withdraw))]
        cached = Menu(taking_back if ready else unready_blocks(actions, seat, may_begin, draft))
        actions.plane_menus[key] = cached
    return cached


def unready_blocks(
    actions: BoogieActionSpace, seat: int, may_begin: bool, draft: tuple[int, int] | None
) -> list[Block[AnyAction]]:
    blocks: list[Block[AnyAction]] = [((actions.ready,), 1)]
    if may_begin:
        blocks.append(((actions.addresses,), (1 << actions.layout.seats + 1) - 1 - (1 << seat)))
    if draft:
        blocks.append(((actions.promises,), actions.own_terms[seat]))
        if draft[0] != TO_ALL and draft[1] == NO_TERM:
            blocks.append(((actions.asks,), actions.own_terms[draft[0]]))
    return blocks


def say_ready(
    state: State, seat: int, action: SayReady, chance: Chance, emit: EventSink[AnyEvent]
) -> Continuation[State, AnyEvent] | None:
    """Agree to go on; when all do, the phase ends. A promise that was only begun is forgotten."""
    if state.ready >> seat & 1:
        raise refuse("plane", "already-ready")
    state.ready |= 1 << seat
    state.drafts[seat] = None
    emit(SaidReady, seat)
    return on_agreement if state.ready == layout(state.seats).everyone else None


def withdraw_ready(state: State, seat: int, action: WithdrawReady, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Take back "ready", twice at most."""
    if not state.ready >> seat & 1:
        raise refuse("ready-twice", "not-ready")
    if state.withdrawn[seat] == BOX.limits.withdrawals:
        raise refuse("ready-twice", "withdrawn-twice")
    state.withdrawn[seat] += 1
    state.ready ^= 1 << seat
    if state.withdrawn[seat] == BOX.limits.withdrawals:
        state.spent |= 1 << seat
    emit(ReadyWithdrawn, seat, BOX.limits.withdrawals - state.withdrawn[seat])


def check_promising(state: State, seat: int) -> None:
    if not state.promising:
        raise refuse("promises", "no-promises")
    if state.ready >> seat & 1:
        raise refuse("ready-is-silent", "ready-is-silent")


def begin_promise(state: State, seat: int, action: PromiseTo, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Turn to one player or to all; what was begun before and not finished is dropped, and has counted."""
    check_promising(state, seat)
    if state.begun[seat] == BOX.limits.promises:
        raise refuse("six-promises", "six-promises")
    if action.to is not None and action.to not in range(state.seats):
        raise refuse("promises", "nobody-there")
    if action.to == seat:
        raise refuse("promises", "to-yourself")
    state.begun[seat] += 1
    state.drafts[seat] = (TO_ALL if action.to is None else action.to, NO_TERM)
    emit(PromiseBegun, seat, action.to, BOX.limits.promises - state.begun[seat])


def ask_in_exchange(state: State, seat: int, action: AskInExchange, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    check_promising(state, seat)
    draft, actions = state.drafts[seat], action_space(state.seats)
    if draft is None:
        raise refuse("promises", "nothing-begun")
    if draft[0] == TO_ALL:
        raise refuse("exchange-one", "exchange-with-all")
    if draft[1] != NO_TERM:
        raise refuse("exchange-one", "asked-already")
    term = actions.term_number.get(action.term, NO_TERM)
    if term == NO_TERM or not actions.own_terms[draft[0]] >> term & 1:
        raise refuse("promises", "no-such-term")
    state.drafts[seat] = (draft[0], term)
    emit(ExchangeAsked, seat, draft[0], action.term)


def promise(state: State, seat: int, action: Promise, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    check_promising(state, seat)
    draft, actions = state.drafts[seat], action_space(state.seats)
    if draft is None:
        raise refuse("promises", "nothing-begun")
    term = actions.term_number.get(action.term, NO_TERM)
    if term == NO_TERM or not actions.own_terms[seat] >> term & 1:
        raise refuse("promises", "no-such-term")
    made = PromiseRecord(seat, draft[0], term, draft[1])
    state.promises.append(made)
    state.drafts[seat] = None
    if emit.enabled:
        to = None if made.to == TO_ALL else made.to
        emit(PromiseMade, seat, to, action.term, None if made.asked == NO_TERM else actions.terms[made.asked])
