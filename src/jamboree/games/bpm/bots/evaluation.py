"""What a position is worth to a player, as far as the floor shows it: lines made, lines begun, areas held."""

from collections.abc import Iterator
from typing import NamedTuple

from jamboree.core.geometry import bits

from ..box.components import BOX, BREAK
from ..box.dancers import fits
from ..rules.state import NONE, State
from .weights import GREEDY, Weights

QUEST = 1.0  # points more for a superfan that the own quest asks for


class Play(NamedTuple):
    """A way to play a song: the first thing to do, and what it all comes to."""

    worth: float
    kind: str  # swap, break, place or finish
    cell: int = NONE
    other: int = NONE


class Judge:
    """Weighs positions for one player; what was weighed once is remembered."""

    def __init__(self, state: State, seat: int, weights: Weights = GREEDY) -> None:
        self.state, self.seat, self.weights = state, seat, weights
        self._single, self._shut, self._open = (each * self._fade() // 100 for each in _begun(weights))
        self.windows = state.room.windows
        area = state.bends.bonus
        self.area = state.room.areas[area] if area else 0
        self.ball = 0 if state.ball == NONE else state.room.around[state.ball]
        self._known: dict[tuple[int, int], int] = {}

    def _fade(self) -> int:
        """Tell what is left, in hundredths, of the worth of a line that is begun: little time, little worth."""
        last = (self.weights.last_round, self.weights.last_but_one, self.weights.last_but_two)
        to_come = max(0, BOX.rounds - self.state.round)
        return last[to_come] if to_come < len(last) else 100

    def promise(self, fans: int, empty: int) -> int:
        """Weigh a player's fans, in hundredths of a point, given the dancers that are still free."""
        known = self._known.get((fans, empty))
        if known is None:
            known = self._known[fans, empty] = self._weigh(fans, empty)
        return known

    def _weigh(self, fans: int, empty: int) -> int:
        bends = self.state.bends
        lines = self.state.room.in_lines(fans, bends.row_line).bit_count()
        worth = self.weights.superfan * (lines - bends.one_stays) if lines else 0
        for window in self.windows:
            own = (fans & window).bit_count()
            if own == 1:
                worth += self._single
            elif own == 2:
                worth += self._open if window & ~fans & empty else self._shut
        if fans & self.area:
            worth += self.weights.bonus_sight
        return worth + self.weights.ball_sight * (fans & self.ball).bit_count()

    def worth(self, fans: list[int], empty: int, selfish: bool = False) -> float:
        """Weigh a floor: the own promise, less a share of what the others are promised."""
        own = self.promise(fans[self.seat], empty)
        if selfish:
            return own / 100
        others = sum(self.promise(mask, empty) for seat, mask in enumerate(fans) if seat != self.seat)
        return (own - self.weights.rivalry / 100 * others / (len(fans) - 1)) / 100

    def quest_share(self, cells: int) -> float:
        """Count the dancers on some cells that the own quest asks for."""
        quest, floor = self.state.quests[self.seat], self.state.floor
        return sum(QUEST for cell in bits(cells) if quest >= 0 and fits(quest, floor[cell]))

    def without(self, cells: int) -> float:
        """Weigh the floor after some own fans have left."""
        fans = self.state.fans[:]
        fans[self.seat] &= ~cells
        return self.worth(fans, self.state.empty)

    def best_play(self, song: int, selfish: bool = False) -> Play:
        """Find the best way to play a song from here; before its turn comes, thinking of the own fans will do."""
        return max(self._plays(song, selfish), key=lambda play: play.worth)

    def _plays(self, song: int, selfish: bool) -> Iterator[Play]:
        state, colour = self.state, self._colour(song)
        fans, empty = state.fans, state.empty
        yield Play(self.worth(fans, empty, selfish), "finish")
        spots = self._limit() & empty & colour
        placed, cell = self._best_placement(fans, empty, spots, selfish)
        if cell != NONE:
            yield Play(placed, "place", cell)
        action = state.crate.actions[song]
        if not (state.bends.breaks if action == BREAK else state.bends.moves) or not self._may_act():
            return
        yield from self._breaks(colour, selfish) if action == BREAK else self._swaps(action, colour, selfish)

    def _colour(self, song: int) -> int:
        state = self.state
        return state.present if state.bends.any_colour else state.colours[state.crate.colours[song]]

    def _limit(self) -> int:
        return self.state.limit or self.state.room.all

    def _may_act(self) -> bool:
        """Before a turn everything is still possible."""
        return bool(self.state.moves) or not self.state.limit

    def _best_placement(self, fans: list[int], empty: int, spots: int, selfish: bool) -> tuple[float, int]:
        if not self.state.tokens[self.seat]:
            return 0.0, NONE
        best = (float("-inf"), NONE)
        for cell in bits(spots):
            after = fans[:]
            after[self.seat] |= 1 << cell
            worth = self.worth(after, empty & ~(1 << cell), selfish)
            best = max(best, (worth + self.weights.quest_tie / 100 * self.quest_share(1 << cell), cell))
        return best

    def _swaps(self, action: int, colour: int, selfish: bool) -> Iterator[Play]:
        state = self.state
        for distance, starts in state.room.swaps[action]:
            for one in bits(starts & state.present & state.present >> distance):
                other = one + distance
                yield self._after_swap(one, other, colour, selfish)

    def _after_swap(self, one: int, other: int, colour: int, selfish: bool) -> Play:
        state, both = self.state, 1 << one | 1 << other
        fans = [_swapped(mask, one, other) for mask in state.fans]
        empty, colour = _swapped(state.empty, one, other), _swapped(colour, one, other)
        spots = empty & colour & (both if state.bends.only_moved else state.room.all)
        worth = self.worth(fans, empty, selfish)
        placed, cell = self._best_placement(fans, empty, spots, selfish)
        return Play(max(worth, placed) if cell != NONE else worth, "swap", one, other)

    def _breaks(self, colour: int, selfish: bool) -> Iterator[Play]:
        """Weigh who could go: those behind step forward, and who comes in is unknown."""
        state = self.state
        for cell in bits(state.empty):
            column = state.room.columns[state.room.grid.column(cell)]
            fans = [_closed(mask, column, cell) for mask in state.fans]
            empty, after = _closed(state.empty, column, cell), _closed(colour, column, cell)
            worth = self.worth(fans, empty, selfish)
            placed, spot = self._best_placement(fans, empty, empty & after, selfish)
            yield Play(max(worth, placed) if spot != NONE else worth, "break", cell)


def _begun(weights: Weights) -> tuple[int, int, int]:
    return weights.single, weights.pair_shut, weights.pair_open


def _swapped(mask: int, one: int, other: int) -> int:
    if (mask >> one ^ mask >> other) & 1:
        mask ^= 1 << one | 1 << other
    return mask


def _closed(mask: int, column: tuple[int, ...], gone: int) -> int:
    """Take a dancer out of a column and let those behind it step forward."""
    for cell, behind in zip(column, (*column[1:], NONE), strict=True):
        if cell >= gone:
            mask &= ~(1 << cell)
            if behind != NONE and mask >> behind & 1:
                mask |= 1 << cell
    return mask
