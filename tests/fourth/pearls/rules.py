"""The rules: what there is, who acts, what can be done, and what it leads to."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from jamboree.core.chance import Bag, Chance, Unseen, only
from jamboree.core.errors import Illegal
from jamboree.core.game import Actor, Outcome
from jamboree.core.kit.rulebook import Rulebook, nothing
from jamboree.core.kit.telling import Telling
from jamboree.core.offers import Offer, menu_of
from jamboree.core.seats import BySeat, Seat, SeatSet

from .texts import refuse

Colour = Literal["aqua", "purple", "yellow"]
COLOURS: tuple[Colour, ...] = ("aqua", "purple", "yellow")
SEA, SHARK = (*COLOURS, "shark"), len(COLOURS)
IN_THE_SEA, BUYERS_EACH = (12, 9, 6, 4), 2
DIVING, OVER = 0, 1
UNKNOWN = -1


class Options(msgspec.Struct, frozen=True):
    turns: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3


class Dive(msgspec.Struct, frozen=True, tag=True):
    pass


class BringUp(msgspec.Struct, frozen=True, tag=True):
    colour: Colour


class PearlFound(msgspec.Struct, frozen=True, tag=True):
    seat: Seat
    colour: Colour


class SharkMet(msgspec.Struct, frozen=True, tag=True):
    seat: Seat
    lost: int


class PearlsSold(msgspec.Struct, frozen=True, tag=True):
    seat: Seat
    colour: Colour
    count: int


class GameEnded(msgspec.Struct, frozen=True, tag=True):
    buyers: BySeat[Colour]
    scores: BySeat[int]
    winners: SeatSet


AnyAction = Dive | BringUp
AnyEvent = PearlFound | SharkMet | PearlsSold | GameEnded
ACTIONS: tuple[AnyAction, ...] = (Dive(), *map(BringUp, COLOURS))


class State(msgspec.Struct):
    turns: int
    turn: int
    left: int  # turns, of all players together
    sea: Bag
    held: list[int]  # by colour, in the hands of the player whose turn it is
    chests: list[list[int]]  # by seat and colour
    buyers: list[int]  # by seat: the colour that pays double
    deck: Bag  # buyers that nobody has
    phase: int = DIVING

    @property
    def seats(self) -> int:
        return len(self.chests)

    def clone(self) -> "State":
        chests = [chest[:] for chest in self.chests]
        rest = (self.buyers[:], self.deck.clone(), self.phase)
        return State(self.turns, self.turn, self.left, self.sea.clone(), self.held[:], chests, *rest)


def set_up(seats: int, options: Options, chance: Chance) -> State:
    first = chance.roll([f"seat {seat}" for seat in range(seats)])
    sea, deck = Bag.of(SEA, IN_THE_SEA), Bag.of(COLOURS, [BUYERS_EACH] * len(COLOURS))
    chests, buyers = [[0] * len(COLOURS) for _ in range(seats)], [UNKNOWN] * seats
    for seat in ((first + place) % seats for place in range(seats)):
        buyers[seat] = chance.draw(deck, only(seat))  # nobody else sees it
    return State(options.turns, first, options.turns * seats, sea, [0] * len(COLOURS), chests, buyers, deck)


def to_act(state: State) -> frozenset[Actor]:
    return frozenset() if state.phase == OVER else frozenset([state.turn])


def menu(state: State, seat: int) -> list[Offer[AnyAction]]:
    return menu_of(Dive(), *(BringUp(colour) for colour, held in zip(COLOURS, state.held, strict=True) if held))


def dive(state: State, seat: int, action: Dive, chance: Chance, tell: Telling[AnyEvent]) -> Any:
    found = chance.pick(state.sea)
    if found == SHARK:  # it takes everything, and stays in the sea
        tell(SharkMet, seat, sum(state.held))
        return end_turn
    state.sea.take(found)
    state.held[found] += 1
    return tell(PearlFound, seat, COLOURS[found])


def bring_up(state: State, seat: int, action: BringUp, chance: Chance, tell: Telling[AnyEvent]) -> Any:
    colour = COLOURS.index(action.colour)
    if not state.held[colour]:
        raise refuse("bringing-up", "none-held")
    state.chests[seat][colour] += state.held[colour]
    tell(PearlsSold, seat, action.colour, state.held[colour])
    state.held[colour] = 0
    return end_turn


def end_turn(state: State, chance: Chance, tell: Telling[AnyEvent]) -> Any:
    for colour, held in enumerate(state.held):  # what was not brought up sinks
        state.sea.put(colour, held)
    state.held, state.turn, state.left = [0] * len(COLOURS), (state.turn + 1) % state.seats, state.left - 1
    return None if state.left else end


def end(state: State, chance: Chance, tell: Telling[AnyEvent]) -> None:
    if UNKNOWN in state.buyers:  # nobody can look ahead further than this
        raise Unseen
    state.phase = OVER
    tell(GameEnded, [COLOURS[buyer] for buyer in state.buyers], list(scores(state)), winners(state))


def out_of_turn(state: State, actor: Actor, action: AnyAction) -> Illegal | None:
    return refuse("end", "over") if state.phase == OVER else refuse("turn", "not-your-turn")


def scores(state: State) -> tuple[int, ...]:
    """A pearl is worth 1, one of the buyer's colour 2."""
    return tuple(
        sum(count * (2 if colour == buyer else 1) for colour, count in enumerate(chest))
        for chest, buyer in zip(state.chests, state.buyers, strict=True)
    )


def winners(state: State) -> list[int]:
    return [seat for seat, score in enumerate(scores(state)) if score == max(scores(state))]


def outcome(state: State) -> Outcome | None:
    return Outcome(winners(state), list(scores(state))) if state.phase == OVER else None


def census(state: State) -> Mapping[str, int]:
    places = [state.sea.counts, [*state.held, 0], *([*chest, 0] for chest in state.chests)]
    pearls = {kind: sum(place[at] for place in places) for at, kind in enumerate(SEA)}
    buyers = {f"{colour} buyers": state.deck.counts[at] + state.buyers.count(at) for at, colour in enumerate(COLOURS)}
    return pearls | buyers


RULEBOOK: Rulebook[State, AnyAction, AnyEvent] = Rulebook(
    to_act=to_act,
    menus=(menu, nothing),
    rules={Dive: ((DIVING,), dive), BringUp: ((DIVING,), bring_up)},
    out_of_turn=out_of_turn,
)
