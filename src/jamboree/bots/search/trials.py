"""Trials of one decision on a game's twin. All that goes in is a view; what it hides is imagined."""

from typing import Any

from jamboree.core.kernel.chance import CHANCE
from jamboree.core.kernel.interface import CLOCK
from jamboree.fast import load, sources

WAITING = -1
USUAL_SPREAD = 8.0  # points by which a game is usually won; a twin's layout may know better


class Trials:
    """A decision laid out as arrays. The same number gives the same worlds and the same luck in them."""

    def __init__(self, key: str, view: Any, number: int, win_part: float) -> None:
        import numpy

        layout, self._twin, self._numpy = sources.layout(key), load(key), numpy
        table, masks, smalls, guesses = sources.bridge(key).unknown(view)
        known = (numpy.array(masks, "i8"), numpy.array(smalls, "i2"), numpy.array(table, "i8"))
        room = (numpy.zeros((2, layout.MASKS), "i8"), numpy.zeros((2, layout.SMALLS), "i2"), numpy.zeros(CHANCE, "i8"))
        knowledge = (*known, numpy.array(guesses, "i8"), view.viewer, number)
        self._decision = (*knowledge, *room, numpy.zeros(max(layout.SCRATCH, 1)))
        self._taste = (view.seats, float(getattr(layout, "SPREAD", USUAL_SPREAD)), win_part)

    def shortlist(self, offers: int, most: int, first: int) -> Any:
        """Name the actions that look best, by their places in the menu, after one that is there anyway."""
        worth = self._numpy.zeros(offers)
        acting = self._twin.weigh_menu(*self._decision, worth)
        order = [int(place) for place in self._numpy.argsort(-worth, kind="stable") if place != first]
        may_wait = acting >> CLOCK & 1 and first != WAITING  # in real time one can let others go first
        named = [first, *([WAITING] if may_wait else []), *order]
        return self._numpy.array(named[:most], "i8")

    def values(self, menu: Any, first: int, worlds: int) -> Any:
        """Try each action in the same worlds: a line of values for each."""
        values = self._numpy.zeros((worlds, len(menu)))
        self._twin.try_actions(*self._decision, self._numpy.ascontiguousarray(menu), *self._taste, values, first)
        return values
