"""Rollouts of one decision on a game's twin: candidates are played out in determinizations of a view."""

from typing import Any, NamedTuple

from jamboree.core.game import AnyGame
from jamboree.core.twin.chance import CHANCE
from jamboree.core.twin.interface import CLOCK
from jamboree.fast import load, sources

from .search_settings import SearchSettings

WAITING, NOBODY = -1, -2  # candidates without an action: the actor waits; nobody acts before the playout
WIN_ONLY = SearchSettings(win_weight=1.0)


class Outcomes(NamedTuple):
    """How playouts ended: arrays by world, candidate and seat."""

    shares: Any  # of the win
    points: Any


class Rollouts:
    """A decision as arrays for compiled code. The same seed gives the same determinizations and the same luck in them.

    A candidate is an index into the menu, WAITING or NOBODY.
    """

    def __init__(self, key: str, view: Any, seed: int, settings: SearchSettings) -> None:
        self._settings = settings
        self._allocate(key, sources.bridge(key).unknown(view), view.viewer, view.seats, seed)

    @classmethod
    def of_state(cls, game: AnyGame, state: Any, options: Any, seed: int, actor: int = 0) -> "Rollouts":
        """Start from a state, hidden information included: only for the review of finished games."""
        rollouts, bridge = cls.__new__(cls), sources.bridge(game.info.key)
        known = (bridge.table(state.seats, options), *bridge.row_of(state), [])
        rollouts._settings = WIN_ONLY
        rollouts._allocate(game.info.key, known, actor, state.seats, seed)
        return rollouts

    def _allocate(self, key: str, knowledge: Any, viewer: int, seats: int, seed: int) -> None:
        import numpy

        table, masks, smalls, guesses = knowledge
        layout = sources.layout(key)
        self._twin = load(key)
        self._numpy = numpy
        self.viewer, self.seats = viewer, seats
        known = (numpy.array(masks, "i8"), numpy.array(smalls, "i2"), numpy.array(table, "i8"))
        if weights := self._settings.playout_weights:
            sources.bridge(key).weigh_by(known[2], weights)
        rows = (numpy.zeros((2, layout.MASKS), "i8"), numpy.zeros((2, layout.SMALLS), "i2"), numpy.zeros(CHANCE, "i8"))
        arguments = (numpy.array(guesses, "i8"), viewer, seed, int(self._settings.use_beliefs))
        self._decision = (*known, *arguments, *rows, numpy.zeros(layout.SCRATCH or 1))
        self._observed, self._seed = layout.OBSERVED, seed
        self._left_out: set[int] = set()

    def leave_out(self, indices: set[int]) -> None:
        """Keep offers, as indices of the menu, out of the shortlist."""
        self._left_out = indices

    def shortlist(self, offers: int, most: int, first: int) -> Any:
        """Return at most `most` candidates: `first`, then the actions with the highest priors."""
        priors = self._numpy.zeros(offers)
        acting = self._twin.weigh_menu(*self._decision, priors)
        order = [int(index) for index in self._order(priors) if index != first and index not in self._left_out]
        may_wait = acting >> CLOCK & 1 and first != WAITING  # in real time other seats may act first
        candidates = [first, *([WAITING] if may_wait else []), *order]
        return self.candidates(candidates[:most])

    def _order(self, priors: Any) -> Any:
        if not self._settings.shuffle_ties:
            return self._numpy.argsort(-priors, kind="stable")
        shuffled = self._numpy.random.default_rng(self._seed).permutation(len(priors))
        return shuffled[self._numpy.argsort(-priors[shuffled], kind="stable")]

    def candidates(self, indices: list[int]) -> Any:
        return self._numpy.array(indices, "i8")

    @property
    def table(self) -> Any:
        """Return the set-up as numbers."""
        return self._decision[2]

    def observed(self) -> Any:
        """Return the viewer's observation of the actual position as an array of one row."""
        masks, smalls, table = self._decision[:3]
        rows = self._numpy.zeros((1, self._observed), "i2")
        self._twin.observe_rows(masks[None], smalls[None], table, self.viewer, rows, 0, 1)
        return rows

    def legal_ids(self, offers: int) -> Any:
        """Return the action ids of the offers, in the order of the menu."""
        masks, smalls, table = self._decision[:3]
        ids = self._numpy.zeros(offers, "i8")
        self._twin.list_legal(masks, smalls, table, self.viewer, ids)
        return ids

    def outcomes(self, candidates: Any, first: int, worlds: int) -> Outcomes:
        """Play out each candidate in the same worlds, numbered from `first`."""
        array, outcomes = self._arrays(candidates, worlds)
        self._twin.roll_out(*self._decision, array, self.seats, *outcomes, first)
        return outcomes

    def next_observations(self, candidates: Any, first: int, worlds: int) -> tuple[Any, Any, Any]:
        """Play each candidate until the viewer's next decision. Return the observations there, the values of games that
        ended before, and a mask of these games."""
        array, outcomes = self._arrays(candidates, worlds)
        observations = self._numpy.zeros((worlds, len(candidates), self._observed), "i2")
        self._twin.roll_out_to_next_decision(*self._decision, array, self.seats, *outcomes, observations, first)
        return observations, self.value(outcomes), outcomes.shares[:, :, self.viewer] >= 0

    def _arrays(self, candidates: Any, worlds: int) -> tuple[Any, Outcomes]:
        shape = (worlds, len(candidates), self.seats)
        outcomes = Outcomes(self._numpy.zeros(shape), self._numpy.zeros(shape))
        return self._numpy.ascontiguousarray(candidates, "i8"), outcomes

    def values(self, candidates: Any, first: int, worlds: int) -> Any:
        """Play out each candidate in the same worlds and return their values, one row for each world."""
        return self.value(self.outcomes(candidates, first, worlds))

    def value(self, outcomes: Outcomes) -> Any:
        """Return the value of outcomes for the viewer, from 0 to 1: a mean of the win and a sigmoid of the margin."""
        others = self._numpy.delete(outcomes.points, self.viewer, axis=2).max(axis=2)
        margin = (outcomes.points[:, :, self.viewer] - others) / self._settings.margin_scale
        by_margin = 1.0 / (1.0 + self._numpy.exp(-margin))
        win_weight = self._settings.win_weight
        return win_weight * outcomes.shares[:, :, self.viewer] + (1.0 - win_weight) * by_margin
