"""A game's greedy player: its twin's decision function, run as plain Python on what a seat sees."""

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from jamboree.core.offers import Offer
from jamboree.core.play import WAIT

from .bits import Reals, Row
from .chance import CHANCE, seed

Choose = Callable[[Row, Row, Row, Row, int, Reals], int]
Weigh = Callable[[list[int]], None]


class Rows(NamedTuple):
    """A twin as far as a player needs it: a position in numbers, and what to do there."""

    table: Callable[[Any], Sequence[int]]  # of a state's set-up: the same object for the same set-up
    row_of: Callable[[Any], tuple[list[int], list[int]]]
    choose: Choose  # one of several legal actions; a negative id to wait
    scratch: int


class Decider(NamedTuple):
    """How a game's twin is asked what a seat does: from a view to rows, and from an action's id to the action."""

    restore: Callable[[Any], Any]
    rows: Callable[[Any], Rows]  # those that have room for a state
    actions: Callable[[Any], Sequence[Any]]  # by id
    waits: Callable[[Any], bool] = lambda view: False  # whether a player leaves everything as it is for now


class TwinPlayer:
    """A player that chooses as greedy players do in its game's twin."""

    def __init__(self, decider: Decider, number: int | None = None, weigh: Weigh | None = None) -> None:
        self.decider, self.weigh = decider, weigh
        self.chance = [0] * CHANCE
        seed(self.chance, random.getrandbits(64) if number is None else number, 0)
        self._plain: Sequence[int] = ()
        self._table: list[int] = []

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        if self.decider.waits(view):
            return WAIT
        return offers[0].action if len(offers) == 1 else self.think(view)

    def think(self, view: Any) -> Any:
        """Choose among several actions."""
        state = self.decider.restore(view)
        rows = self.decider.rows(state)
        masks, smalls = rows.row_of(state)
        table, scratch = self.table(rows.table(state)), [0.0] * rows.scratch
        action = rows.choose(masks, smalls, self.chance, table, view.viewer, scratch)
        return WAIT if action < 0 else self.decider.actions(state)[action]

    def table(self, plain: Sequence[int]) -> list[int]:
        """Give a set-up's table with the player's own weights in it."""
        if plain is not self._plain:
            self._plain, self._table = plain, list(plain)
            if self.weigh:
                self.weigh(self._table)
        return self._table
