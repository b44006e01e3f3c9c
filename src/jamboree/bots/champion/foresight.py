"""What a network expects of actions: each is carried out in imagined worlds, and the network looks at what is seen when
the player has to decide again."""

from typing import Any

from ..search.trials import Trials
from .network import Network

ENOUGH = 16  # worlds: it expects nearly the same in all of them


class Foresight:
    """Expectations of one decision, by the places of actions in the menu."""

    def __init__(self, network: Network, trials: Trials) -> None:
        import numpy

        self._numpy, self._network, self._trials = numpy, network, trials
        self._sums: dict[int, float] = {}
        self._worlds = 0

    def expected(self, menu: Any, first: int, worlds: int) -> Any:
        """Give the mean over the worlds so far, from 0 to 1; once there are enough, no more are looked at."""
        if first < ENOUGH:
            self._worlds = first + worlds
            for place, value in zip(menu.tolist(), self._values(menu, first, worlds).sum(axis=0), strict=True):
                self._sums[place] = self._sums.get(place, 0.0) + float(value)
        return self._numpy.array([self._sums[place] for place in menu.tolist()]) / self._worlds

    def _values(self, menu: Any, first: int, worlds: int) -> Any:
        seen, worth, ended = self._trials.outlook(menu, first, worlds)
        values = self._network.values(seen.reshape(-1, seen.shape[2]), self._trials.viewer).reshape(ended.shape)
        values[ended] = worth[ended]
        return values
