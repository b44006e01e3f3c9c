"""Trials of one decision on a game's twin. All that goes in is a view; what it hides is imagined."""

from typing import Any, NamedTuple

from jamboree.core.game import AnyGame
from jamboree.core.twin.chance import CHANCE
from jamboree.core.twin.interface import CLOCK
from jamboree.fast import load, sources

from .manner import Manner

WAITING, NOBODY = -1, -2
ENDS = Manner(win_part=1.0)  # nothing but the share of the win


class Ends(NamedTuple):
    """How games ended: arrays by world, action and seat."""

    shares: Any  # of the win
    points: Any


class Trials:
    """A decision laid out as arrays. The same number gives the same worlds and the same luck in them."""

    def __init__(self, key: str, view: Any, number: int, manner: Manner) -> None:
        self._manner = manner
        self._lay_out(key, sources.bridge(key).unknown(view), view.viewer, view.seats, number)

    @classmethod
    def of_state(cls, game: AnyGame, state: Any, options: Any, number: int, actor: int = 0) -> "Trials":
        """Lay out a position of which everything is known: for games that are over, and only for those."""
        trials, bridge = cls.__new__(cls), sources.bridge(game.info.key)
        known = (bridge.table(state.seats, options), *bridge.row_of(state), [])
        trials._manner = ENDS
        trials._lay_out(game.info.key, known, actor, state.seats, number)
        return trials

    def _lay_out(self, key: str, knowledge: Any, viewer: int, seats: int, number: int) -> None:
        import numpy

        table, masks, smalls, guesses = knowledge

        layout, self._twin, self._numpy = sources.layout(key), load(key), numpy
        self.viewer, self.seats = viewer, seats
        known = (numpy.array(masks, "i8"), numpy.array(smalls, "i2"), numpy.array(table, "i8"))
        if weights := self._manner.weights:
            sources.bridge(key).weigh_by(known[2], weights)
        room = (numpy.zeros((2, layout.MASKS), "i8"), numpy.zeros((2, layout.SMALLS), "i2"), numpy.zeros(CHANCE, "i8"))
        asked = (numpy.array(guesses, "i8"), viewer, number, int(self._manner.believes))
        self._decision = (*known, *asked, *room, numpy.zeros(layout.SCRATCH or 1))
        self._observed, self._number = layout.OBSERVED, number

    def shortlist(self, offers: int, most: int, first: int) -> Any:
        """Name the actions that look best, by their places in the menu, after one that is there anyway."""
        worth = self._numpy.zeros(offers)
        acting = self._twin.weigh_menu(*self._decision, worth)
        order = [int(place) for place in self._order(worth) if place != first]
        may_wait = acting >> CLOCK & 1 and first != WAITING  # in real time one can let others go first
        named = [first, *([WAITING] if may_wait else []), *order]
        return self.menu(named[:most])

    def _order(self, worth: Any) -> Any:
        if not self._manner.anywhere:
            return self._numpy.argsort(-worth, kind="stable")
        mixed = self._numpy.random.default_rng(self._number).permutation(len(worth))
        return mixed[self._numpy.argsort(-worth[mixed], kind="stable")]

    def menu(self, places: list[int]) -> Any:
        return self._numpy.array(places, "i8")

    @property
    def table(self) -> Any:
        """Give the set-up in numbers."""
        return self._decision[2]

    def observed(self) -> Any:
        """Give what the viewer observes, in one row; nothing of it is imagined."""
        masks, smalls, table = self._decision[:3]
        seen = self._numpy.zeros((1, self._observed), "i2")
        self._twin.observe_rows(masks[None], smalls[None], table, self.viewer, seen, 0, 1)
        return seen

    def legal_ids(self, offers: int) -> Any:
        """Give the ids of what is on offer, in the order of the menu."""
        masks, smalls, table = self._decision[:3]
        ids = self._numpy.zeros(offers, "i8")
        self._twin.list_legal(masks, smalls, table, self.viewer, ids)
        return ids

    def ends(self, menu: Any, first: int, worlds: int) -> Ends:
        """Try each action in the same worlds."""
        places, ends = self._asked(menu, worlds)
        self._twin.try_actions(*self._decision, places, self.seats, *ends, first)
        return ends

    def outlook(self, menu: Any, first: int, worlds: int) -> tuple[Any, Any, Any]:
        """Play each action until the viewer has to decide again: what is observed then, what it is worth if the game
        has ended, and whether it has."""
        places, ends = self._asked(menu, worlds)
        seen = self._numpy.zeros((worlds, len(menu), self._observed), "i2")
        self._twin.see_actions(*self._decision, places, self.seats, *ends, seen, first)
        return seen, self.worth(ends), ends.shares[:, :, self.viewer] >= 0

    def _asked(self, menu: Any, worlds: int) -> tuple[Any, Ends]:
        shape = (worlds, len(menu), self.seats)
        return self._numpy.ascontiguousarray(menu, "i8"), Ends(self._numpy.zeros(shape), self._numpy.zeros(shape))

    def values(self, menu: Any, first: int, worlds: int) -> Any:
        """Try each action in the same worlds: a line of values for each."""
        return self.worth(self.ends(menu, first, worlds))

    def worth(self, ends: Ends) -> Any:
        """Give what ends are worth to the viewer, from 0 to 1: the share of the win, and in part by how much."""
        others = self._numpy.delete(ends.points, self.viewer, axis=2).max(axis=2)
        margin = (ends.points[:, :, self.viewer] - others) / self._manner.spread
        by_how_much = 1.0 / (1.0 + self._numpy.exp(-margin))
        win_part = self._manner.win_part
        return win_part * ends.shares[:, :, self.viewer] + (1.0 - win_part) * by_how_much
