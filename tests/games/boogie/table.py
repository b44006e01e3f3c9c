"""Positions for tests, written with the marks of drawn positions: `1@3:sure` is a ✓ of the first player on the 3."""

from typing import Any

import msgspec
import pytest

from jamboree.core.chance import Scripted
from jamboree.core.errors import Illegal
from jamboree.core.game import Eye, Nature
from jamboree.games import boogie
from jamboree.games.boogie.box.components import NUMBER, ONE, kinds_in
from jamboree.games.boogie.rules.actions import AskInExchange, PlayCard, Promise, PromiseTo, SayDone, SayReady, TimeUp
from jamboree.games.boogie.rules.setup import Options, bare
from jamboree.games.boogie.rules.state import JUMP, PHASES, State
from jamboree.games.boogie.words.parsing import read_jump_mark, read_term

BOOGIE: Any = boogie.game
CLOCK = Nature.CLOCK


def table(seats: int = 4, phase: str = "jump", timed: bool = False, promising: bool = True, **hands: str) -> State:
    """Lay out a table; `p1="1 2 +3"` gives the first player these jumpcards, taken from the deck."""
    plane, jump = (180, 60) if timed else (0, 0)
    state = bare(seats, plane, jump, promising)
    state.phase = PHASES.index(phase)
    state.spent = 0 if phase in ("plane", "jump", "pulled") else (1 << seats) - 1
    for player, cards in hands.items():
        seat = int(player[1:]) - 1
        for card in cards.split():
            state.deck.take(NUMBER[card])
            state.hands[seat] += ONE[NUMBER[card]]
        state.held[seat] = kinds_in(state.hands[seat])
    return state


def play(mark: str, after_pull: bool = False) -> tuple[int, PlayCard]:
    where, _, card = mark.partition(":")
    seat, _, jump = where.partition("@")
    return int(seat) - 1, PlayCard(card, read_jump_mark(jump), after_pull)


def lay(state: State, marks: str) -> None:
    """Lay cards, giving each player the jumpcards that are missing in hand."""
    for mark in marks.split():
        seat, action = play(mark)
        card = NUMBER[action.card]
        if not state.held[seat] >> card & 1:
            assert state.hands[seat] & ONE[card] * 15 == 0
            assert action.card not in ("sure", "maybe", "bluff"), f"no {action.card} left for seat {seat + 1}"
            state.deck.take(card)
            state.hands[seat] += ONE[card]
            state.held[seat] |= 1 << card
        BOOGIE.apply(state, seat, action, Scripted())


def finish(state: State, dice: str = "") -> list[Any]:
    """Let all be done, and hand the jury its dice; give the events from PULL on."""
    events: list[Any] = []
    chance = Scripted(*dice.split())
    for seat in range(state.seats):
        if state.phase == JUMP and not state.ready >> seat & 1:
            events.clear()
            BOOGIE.apply(state, seat, SayDone(), chance, events.append)
    assert not chance.values, f"the jury did not roll {chance.values}"
    return events[1:]


def jury(marks: str, dice: str = "", seats: int = 4) -> list[Any]:
    """Lay cards on an empty table and hold the jury."""
    state = table(seats)
    lay(state, marks)
    return finish(state, dice)


def told(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def promise(state: State, mark: str) -> None:
    """Make a promise, such as `1>all sure@3` or `1>2 figures5@3 for sure@3`."""
    who, _, what = mark.partition(" ")
    seat, _, to = who.partition(">")
    term, _, asked = what.partition(" for ")
    BOOGIE.apply(state, int(seat) - 1, PromiseTo(None if to == "all" else int(to) - 1), Scripted())
    if asked:
        BOOGIE.apply(state, int(seat) - 1, AskInExchange(read_term(asked)), Scripted())
    BOOGIE.apply(state, int(seat) - 1, Promise(read_term(term)), Scripted())


def all_ready(state: State, *values: str) -> list[Any]:
    """Let everybody say ready, in the order of the seats; deal these cards."""
    events: list[Any] = []
    chance = Scripted(*values)
    for seat in range(state.seats):
        if not state.ready >> seat & 1:
            BOOGIE.apply(state, seat, SayReady(), chance, events.append)
    return events


def time_up(state: State, *values: str) -> list[Any]:
    events: list[Any] = []
    BOOGIE.apply(state, CLOCK, TimeUp(), Scripted(*values), events.append)
    return events


def refused(state: State, seat: int, action: object) -> str:
    with pytest.raises(Illegal) as refusal:
        BOOGIE.apply(state, seat, action, Scripted())
    return str(refusal.value.key)


def offers(state: State, seat: int) -> dict[Any, Any]:
    return {offer.action: offer.cautions for offer in BOOGIE.legal(state, seat)}


def picture(state: State) -> str:
    return str(BOOGIE.words.draw(BOOGIE.view(state, Eye.ALL)))


def same(one: State, other: State) -> bool:
    return msgspec.json.encode(one) == msgspec.json.encode(other)


__all__ = ["BOOGIE", "CLOCK", "Options"]
