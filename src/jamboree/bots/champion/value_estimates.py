"""Value estimates of candidates: a network evaluates the viewer's next decision after each candidate."""

from typing import Any

from ..search.rollouts import Rollouts
from .network import Network

MAX_WORLDS = 16  # estimates hardly differ between worlds


class ValueEstimates:
    """The estimates of one decision, by index of the menu."""

    def __init__(self, network: Network, rollouts: Rollouts) -> None:
        import numpy

        self._numpy = numpy
        self._network = network
        self._rollouts = rollouts
        self._sums: dict[int, float] = {}
        self._worlds = 0

    def means(self, candidates: Any, first: int, worlds: int) -> Any:
        """Return each candidate's mean estimate over the first MAX_WORLDS worlds so far, from 0 to 1."""
        if first < MAX_WORLDS:
            self._worlds = first + worlds
            sums = self._values(candidates, first, worlds).sum(axis=0)
            for index, value in zip(candidates.tolist(), sums, strict=True):
                self._sums[index] = self._sums.get(index, 0.0) + float(value)
        return self._numpy.array([self._sums[index] for index in candidates.tolist()]) / self._worlds

    def _values(self, candidates: Any, first: int, worlds: int) -> Any:
        observations, outcomes, ended = self._rollouts.next_observations(candidates, first, worlds)
        rows = observations.reshape(-1, observations.shape[2])
        values = self._network.values(rows, self._rollouts.viewer).reshape(ended.shape)
        values[ended] = outcomes[ended]
        return values
