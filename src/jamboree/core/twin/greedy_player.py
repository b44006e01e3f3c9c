"""Greedy players: the decision function of a game's twin, run as plain Python on the view of a seat."""

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from jamboree.core.offers import Offer
from jamboree.core.play import WAIT

from .bits import Reals, Row
from .chance import CHANCE, seed

Offers = Sequence[Offer[Any]]
Decide = Callable[[Row, Row, Row, Row, int, Reals], int]
SetWeights = Callable[[list[int]], None]


def only_offer(view: Any, offers: Offers) -> Any:
    """Return the only action there is; None if there are several."""
    return offers[0].action if len(offers) == 1 else None


class RowFunctions(NamedTuple):
    """The functions of a twin that a player calls: they convert a state to rows and choose an action's id."""

    table: Callable[[Any], Sequence[int]]  # from a state; returns the same object for the same set-up
    row_of: Callable[[Any], tuple[list[int], list[int]]]
    decide: Decide  # returns the id of an action, or a negative number to wait
    scratch: int
    memory: int | None = None  # the first of the small numbers that hold the player's plans from move to move


class Adapter(NamedTuple):
    """Translates a view into rows, and the id of an action into the action."""

    restore: Callable[[Any], Any]
    functions: Callable[[Any], RowFunctions]  # from a state: the functions whose rows are large enough for it
    actions: Callable[[Any], Sequence[Any]]  # from a state: all actions, by id
    shortcut: Callable[[Any, Offers], Any] = only_offer  # from a view: an action that needs no evaluation, or None


class GreedyPlayer:
    """A player that decides by the uncompiled decision function of its game's twin."""

    def __init__(self, adapter: Adapter, number: int | None = None, set_weights: SetWeights | None = None) -> None:
        self.adapter, self.set_weights = adapter, set_weights
        self.chance = [0] * CHANCE
        seed(self.chance, random.getrandbits(64) if number is None else number, 0)
        self.memory: list[int] = []
        self._plain: Sequence[int] = ()
        self._table: list[int] = []

    def choose(self, view: Any, offers: Offers) -> Any:
        action = self.adapter.shortcut(view, offers)
        return self.evaluate(view) if action is None else action

    def evaluate(self, view: Any) -> Any:
        state = self.adapter.restore(view)
        functions = self.adapter.functions(state)
        masks, smalls = functions.row_of(state)
        if self.memory:
            smalls[functions.memory :] = self.memory
        table, scratch = self.table(functions.table(state)), [0.0] * functions.scratch
        action = self.decide(functions.decide, masks, smalls, table, view.viewer, scratch)
        if functions.memory is not None:
            self.memory = smalls[functions.memory :]
        return WAIT if action < 0 else self.adapter.actions(state)[action]

    def decide(self, by_twin: Decide, m: Row, s: Row, t: Row, seat: int, scratch: Reals) -> int:
        """Choose the id of an action; players with a character of their own override this."""
        return by_twin(m, s, self.chance, t, seat, scratch)

    def table(self, plain: Sequence[int]) -> list[int]:
        """Return the table of a set-up with this player's own weights in it."""
        if plain is not self._plain:
            self._plain, self._table = plain, list(plain)
            if self.set_weights:
                self.set_weights(self._table)
        return self._table
