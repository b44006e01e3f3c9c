"""The jump: all at once, face down, final. Then PULL, and what still arrives after it."""

from collections.abc import Sequence

from jamboree.core.chance import Chance
from jamboree.core.kit.events import EventSink
from jamboree.core.kit.rulebook import Continuation
from jamboree.core.offers import Block, Menu, Offer

from ..box.components import CARDS, NIBBLE, NUMBER, ONE, SURE
from ..box.jumps import Jump, layout
from ..box.odds import percent, weigh
from ..box.texts import refuse
from .actions import AnyAction, PlayCard, SayDone, action_space
from .events import AnyEvent, CardLaid, CardLate, OddsWeighed, SaidDone
from .phases import on_agreement
from .state import PULLED, State, play_code


def menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    """Offer every card on every jump where it can lie, and to be done."""
    actions, held = action_space(state.seats), state.held[seat]
    blocks = actions.character_blocks(seat, held, state.standing[seat])
    if state.opened:
        blocks.append(actions.jumpcard_block(held, state.opened, late=False))
    if not state.ready >> seat & 1:
        blocks.append(((actions.done,), 1))
    return Menu(blocks)


def late_menu(state: State, seat: int) -> Sequence[Offer[AnyAction]]:
    """Offer what can still be laid after PULL, and warn: it disqualifies."""
    if state.late >> seat & 1:
        return ()
    actions, held = action_space(state.seats), state.held[seat]
    blocks: list[Block[AnyAction]] = [actions.late_block(seat, held)]
    if state.opened:
        blocks.append(actions.jumpcard_block(held, state.opened, late=True))
    return Menu(blocks)


def play_card(state: State, seat: int, action: PlayCard, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Lay a card. What is impossible is refused; what is only not allowed has its consequence at the jury."""
    spot = action_space(state.seats).spots.get(action)
    if spot is None:
        raise unknown(action)
    jump, card = spot
    check_possible(state, seat, jump, card, action)
    if state.phase == PULLED:
        play_late(state, seat, jump, card, action, emit)
    elif action.after_pull:
        raise refuse("pull", "not-pulled")
    else:
        lay(state, seat, jump, card, action.jump, emit)


def unknown(action: PlayCard) -> Exception:
    if action.card not in NUMBER:
        return refuse("jump", "no-such-card")
    return refuse("formations", "no-such-jump")


def check_possible(state: State, seat: int, jump: int, card: int, action: PlayCard) -> None:
    if not state.held[seat] >> card & 1:
        raise refuse("jump", "not-in-hand")
    if card >= SURE:
        if jump < state.seats and jump != seat:
            raise refuse("jump", "solo-of-another")
    elif not state.opened >> jump & 1:  # a jumpcard needs a character card on that jump at the moment it is laid
        raise refuse("needs-character", "no-character")


def lay(state: State, seat: int, jump: int, card: int, where: Jump, emit: EventSink[AnyEvent]) -> None:
    """Put a card on a jump; laying another card withdraws one's "done"."""
    was_done = bool(state.ready >> seat & 1)
    state.ready &= ~(1 << seat)
    take(state, seat, card)
    state.plays.append(play_code(jump, seat, card))
    if card >= SURE:
        state.opened |= 1 << jump
        state.standing[seat] |= 1 << jump
    if emit.enabled:
        emit(CardLaid, seat, where, card >= SURE, CARDS[card], was_done)
        emit_odds(state, seat, jump, where, emit)


def take(state: State, seat: int, card: int) -> None:
    hand = state.hands[seat] = state.hands[seat] - ONE[card]
    if not hand >> NIBBLE * card & 15:
        state.held[seat] ^= 1 << card
        if not hand:
            state.spent |= 1 << seat


def emit_odds(state: State, seat: int, jump: int, where: Jump, emit: EventSink[AnyEvent]) -> None:
    """Tell a player what the own cards on a jump come to by themselves."""
    cards = (code & 15 for code in state.plays if code >> 8 == jump and code >> 4 & 7 == seat)
    dice, difficulty = weigh(cards, where.solo is not None)
    if dice:
        emit(OddsWeighed, seat, where, dice, difficulty, percent(dice, difficulty))


def play_late(state: State, seat: int, jump: int, card: int, action: PlayCard, emit: EventSink[AnyEvent]) -> None:
    """After PULL a play is late if its sender had been shown PULL; otherwise it is refused, and the card stays."""
    if state.late >> seat & 1:
        raise refuse("late-once", "late-already")
    if not action.after_pull:
        raise refuse("pull", "pulled")
    state.late |= 1 << seat
    take(state, seat, card)
    state.plays.append(play_code(jump, seat, card, late=True))
    emit(CardLate, seat, action.jump, card >= SURE, CARDS[card])


def say_done(
    state: State, seat: int, action: SayDone, chance: Chance, emit: EventSink[AnyEvent]
) -> Continuation[State, AnyEvent] | None:
    """Be done; when all are, the phase ends."""
    if state.ready >> seat & 1:
        raise refuse("done", "already-done")
    state.ready |= 1 << seat
    emit(SaidDone, seat)
    return on_agreement if state.ready == layout(state.seats).everyone else None
