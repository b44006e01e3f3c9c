"""A game's greedy player: its twin's decision function, run as plain Python on what a seat sees."""

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from jamboree.core.offers import Offer
from jamboree.core.play import WAIT

from .bits import Reals, Row
from .chance import CHANCE, seed

Offers = Sequence[Offer[Any]]
Choose = Callable[[Row, Row, Row, Row, int, Reals], int]
Weigh = Callable[[list[int]], None]


def only_offer(view: Any, offers: Offers) -> Any:
    """Choose at once where there is nothing to choose from."""
    return offers[0].action if len(offers) == 1 else None


class Rows(NamedTuple):
    """A twin as far as a player needs it: a position in numbers, and what to do there."""

    table: Callable[[Any], Sequence[int]]  # of a state's set-up: the same object for the same set-up
    row_of: Callable[[Any], tuple[list[int], list[int]]]
    choose: Choose  # gives the id of an action, or a negative number to wait
    scratch: int
    memory: int | None = None  # from here on small numbers are what players keep in mind


class Decider(NamedTuple):
    """How a game's twin is asked what a seat does: from a view to rows, and from an action's id to the action."""

    restore: Callable[[Any], Any]
    rows: Callable[[Any], Rows]  # those that have room for a state
    actions: Callable[[Any], Sequence[Any]]  # by id
    at_once: Callable[[Any, Offers], Any] = only_offer  # what to answer without a thought, if there is something


class TwinPlayer:
    """A player that chooses as greedy players do in its game's twin."""

    def __init__(self, decider: Decider, number: int | None = None, weigh: Weigh | None = None) -> None:
        self.decider, self.weigh = decider, weigh
        self.chance = [0] * CHANCE
        seed(self.chance, random.getrandbits(64) if number is None else number, 0)
        self.memory: list[int] = []
        self._plain: Sequence[int] = ()
        self._table: list[int] = []

    def choose(self, view: Any, offers: Offers) -> Any:
        found = self.decider.at_once(view, offers)
        return self.think(view) if found is None else found

    def think(self, view: Any) -> Any:
        state = self.decider.restore(view)
        rows = self.decider.rows(state)
        masks, smalls = rows.row_of(state)
        if self.memory:
            smalls[rows.memory :] = self.memory
        scratch = [0.0] * rows.scratch
        action = self.decide(rows, masks, smalls, self.table(rows.table(state)), view.viewer, scratch)
        if rows.memory is not None:
            self.memory = smalls[rows.memory :]
        return WAIT if action < 0 else self.decider.actions(state)[action]

    def decide(self, rows: Rows, m: Row, s: Row, t: Row, seat: int, scratch: Reals) -> int:
        return rows.choose(m, s, self.chance, t, seat, scratch)

    def table(self, plain: Sequence[int]) -> list[int]:
        """Give a set-up's table with the player's own weights in it."""
        if plain is not self._plain:
            self._plain, self._table = plain, list(plain)
            if self.weigh:
                self.weigh(self._table)
        return self._table
