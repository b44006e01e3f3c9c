"""Searches on this machine's processor: requests as arrays, on which compiled loops work."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from jamboree.core.twin.chance import CHANCE
from jamboree.fast import load, sources
from jamboree.fast.search import BY_SEAT, OVER, PRODUCTS, PROGRESS, REMAINS, WORLDS

from .findings import Findings
from .request import SearchRequest


def search(request: SearchRequest) -> Findings:
    """Search among a shortlist of candidates until the budget is spent."""
    native = NativeSearch(request)
    return native.run(native.shortlist(), request.playouts, native.seconds_left, bonuses=[request.bonus])


class NativeSearch:
    """A request as arrays. The same seed gives the same determinizations and the same luck in them.

    A candidate is an index into the menu, WAITING or NOBODY.
    """

    def __init__(self, request: SearchRequest) -> None:
        import numpy

        self._numpy, self._twin, self._layout = numpy, load(request.game), sources.layout(request.game)
        self._began = perf_counter()
        self.request = request
        self.table = self._array(request.table)
        known = self._array(request.masks), self._array(request.smalls, "i2"), self.table, self._array(request.guesses)
        rows = numpy.zeros((2, self._layout.MASKS), "i8"), numpy.zeros((2, self._layout.SMALLS), "i2")
        chance, scratch = numpy.zeros(CHANCE, "i8"), numpy.zeros(self._layout.SCRATCH or 1)
        self.decision = (*known, request.viewer, request.seed, int(request.use_beliefs), *rows, chance, scratch)
        self.utility = numpy.array(request.utility, "f8")

    @property
    def seconds_left(self) -> float | None:
        """What is left of the time since this search was made."""
        seconds = self.request.seconds
        return None if seconds is None else seconds - (perf_counter() - self._began)

    def shortlist(self) -> list[int]:
        """Return the candidates: the first one, then the actions with the highest priors."""
        menu, candidates = self._array(self.request.menu, "?"), self._numpy.zeros(self.request.max_candidates, "i8")
        choice = self.request.first, int(self.request.shuffle_ties), menu, self._numpy.zeros(len(menu)), candidates
        return list(candidates[: self._twin.shortlist(*self.decision, *choice)].tolist())

    def run(
        self,
        candidates: Sequence[int],
        playouts: int | None,
        seconds: float | None,
        *,
        keep: int = 1,
        bonuses: Sequence[float] = (),
        first_world: int = 0,
    ) -> Findings:
        """Search until `keep` candidates are left or the budget is spent; if `keep` is 0, none is dropped. `bonuses`
        are added to the values of the first candidates."""
        numpy, count, began = self._numpy, len(candidates), perf_counter()
        remains, progress = numpy.full(count, REMAINS, "i8"), numpy.zeros(PROGRESS, "i8")
        progress[WORLDS] = first_world
        values = numpy.zeros((count, PRODUCTS + count))
        by_seat = numpy.zeros((count, self.request.seats, BY_SEAT))
        added = numpy.array([*bonuses, *[0.0] * (count - len(bonuses))], "f8")
        state = numpy.array(candidates, "i8"), added, remains, progress, values, by_seat
        best, elapsed = 0, 0.0
        while not progress[OVER] and elapsed < 1:
            best = self._twin.search(*self.decision, self.utility, *state, keep, playouts or 0, elapsed)
            elapsed = _elapsed(perf_counter() - began, playouts, seconds)
        arrays = (array.tolist() for array in (remains, progress, values, by_seat))
        return Findings(list(candidates), best, *arrays)

    def observe(self) -> Any:
        """Return the viewer's observation of the actual position as an array of one row."""
        masks, smalls = self.decision[:2]
        rows = self._numpy.zeros((1, self._layout.OBSERVED), "i2")
        self._twin.observe_rows(masks[None], smalls[None], self.table, self.request.viewer, rows, 0, 1)
        return rows

    def legal_ids(self) -> Any:
        """Return the action ids of the offers, in the order of the menu."""
        ids = self._numpy.zeros(len(self.request.menu), "i8")
        self._twin.list_legal(*self.decision[:3], self.request.viewer, ids)
        return ids

    def look_ahead(self, candidates: Sequence[int], worlds: int) -> tuple[Any, Any]:
        """Play each candidate until the viewer's next decision. Return, by world and candidate, the observations there
        and the values of games that have ended, or GOES_ON."""
        observations = self._numpy.zeros((worlds, len(candidates), self._layout.OBSERVED), "i2")
        values = self._numpy.zeros(observations.shape[:2])
        arguments = self._numpy.array(candidates, "i8"), self.request.seats, observations, values
        self._twin.look_ahead(*self.decision, self.utility, *arguments)
        return observations, values

    def _array(self, data: bytes, kind: str = "i8") -> Any:
        return self._numpy.frombuffer(data, kind).copy()


def _elapsed(since: float, playouts: int | None, seconds: float | None) -> float:
    """Return the elapsed share of the time limit; 1 without any limit."""
    if seconds is None:
        return float(playouts is None)
    return since / seconds if since < seconds else 1.0
