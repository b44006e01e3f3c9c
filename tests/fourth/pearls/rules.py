"""The rules: what there is, what can be done, and what it leads to."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Annotated, Any, Literal

import msgspec

from jamboree.core.chance import Bag, Chance, Unseen, only
from jamboree.core.errors import Illegal
from jamboree.core.game import Actor
from jamboree.core.kit.events import EventSink
from jamboree.core.kit.rulebook import Rulebook, in_turn, leaders, nothing
from jamboree.core.offers import Offer, menu_of
from jamboree.core.seats import BySeat, Seat, SeatSet
from jamboree.core.words import Catalogue

refuse = Catalogue(f"{__package__}.words").refuse

Colour = Literal["aqua", "purple", "yellow"]
COLOURS: tuple[Colour, ...] = ("aqua", "purple", "yellow")
SEA, SHARK = (*COLOURS, "shark"), len(COLOURS)
IN_THE_SEA = (12, 9, 6, 4)
DIVING, OVER = 0, 1


class Options(msgspec.Struct, frozen=True):
    turns: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3


class Dive(msgspec.Struct, frozen=True, tag=True):
    pass


class BringUp(msgspec.Struct, frozen=True, tag=True):
    colour: Colour


class Dived(msgspec.Struct, frozen=True, tag=True):
    seat: Seat
    found: str


class PearlsSold(msgspec.Struct, frozen=True, tag=True):
    seat: Seat
    colour: Colour
    count: int


class GameEnded(msgspec.Struct, frozen=True, tag=True):
    buyers: BySeat[Colour | None]
    scores: BySeat[int]
    winners: SeatSet


AnyAction = Dive | BringUp
AnyEvent = Dived | PearlsSold | GameEnded
ACTIONS: tuple[AnyAction, ...] = (Dive(), *map(BringUp, COLOURS))


class State(msgspec.Struct):
    seats: int
    turn: int
    left: int  # turns, of all players together
    sea: list[int]  # by kind
    held: list[int]  # by colour, in the hands of the player whose turn it is
    chests: list[list[int]]  # by seat and colour
    buyers: list[Colour | None]  # by seat: the colour that pays double; None where it is not known
    phase: int = DIVING

    def clone(self) -> "State":
        return deepcopy(self)


def set_up(seats: int, options: Options, chance: Chance) -> State:
    first = chance.roll([f"seat {seat}" for seat in range(seats)])
    chests = [[0, 0, 0] for _ in range(seats)]
    state = State(seats, first, options.turns * seats, [*IN_THE_SEA], [0, 0, 0], chests, [None] * seats)
    for seat in (*range(first, seats), *range(first)):
        state.buyers[seat] = COLOURS[chance.roll(COLOURS, only(seat))]
    return state


def menu(state: State, seat: int) -> list[Offer[AnyAction]]:
    return menu_of(Dive(), *(BringUp(colour) for colour, held in zip(COLOURS, state.held, strict=True) if held))


def dive(state: State, seat: int, action: Dive, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    found = chance.pick(Bag.of(SEA, state.sea))
    emit(Dived, seat, SEA[found])
    if found == SHARK:  # it stays in the sea
        return end_turn
    state.sea[found] -= 1
    state.held[found] += 1
    return None


def bring_up(state: State, seat: int, action: BringUp, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    colour = COLOURS.index(action.colour)
    if not (count := state.held[colour]):
        raise refuse("bringing-up", "none-held")
    state.chests[seat][colour] += count
    state.held[colour] = 0
    emit(PearlsSold, seat, action.colour, count)
    return end_turn


def end_turn(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> Any:
    for colour in range(len(COLOURS)):  # what was not brought up sinks
        state.sea[colour] += state.held[colour]
    state.held, state.turn, state.left = [0, 0, 0], (state.turn + 1) % state.seats, state.left - 1
    return None if state.left else end


def end(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    if None in state.buyers:  # nobody can look ahead further than this
        raise Unseen
    state.phase = OVER
    emit(GameEnded, state.buyers[:], list(scores(state)), leaders(scores(state)))


def out_of_turn(state: State, actor: Actor, action: AnyAction) -> Illegal:
    return refuse("end", "over") if state.phase == OVER else refuse("turn", "not-your-turn")


def scores(state: State) -> tuple[int, ...]:
    """A pearl is worth 1, one of the buyer's colour 2."""
    double = [COLOURS.index(buyer) if buyer else SHARK for buyer in state.buyers]
    return tuple(sum(chest) + sum(chest[at : at + 1]) for chest, at in zip(state.chests, double, strict=True))


def census(state: State) -> Mapping[str, int]:
    places = [state.sea, [*state.held, 0], *([*chest, 0] for chest in state.chests)]
    return {kind: sum(place[at] for place in places) for at, kind in enumerate(SEA)}


RULEBOOK: Rulebook[State, AnyAction, AnyEvent] = Rulebook(
    set_up=set_up,
    to_act=in_turn(OVER),
    actions=lambda state: ACTIONS,
    menus=(menu, nothing),
    rules={Dive: ((DIVING,), dive), BringUp: ((DIVING,), bring_up)},
    out_of_turn=out_of_turn,
    scores=scores,
    census=census,
)
