"""Who meets whom: every two levels, the higher on each seat in turn among copies of the lower, with the same luck."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any
from zlib import crc32

import msgspec

from jamboree.bots import LEVELS, SEARCHING, is_own, levels, maker
from jamboree.bots.search import manners
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.kit.reporting import Series

FIRST_SEED = 7_000_000  # no report's seeds reach here


class Game(msgspec.Struct, frozen=True):
    """One game to be played: one seat's level among copies of another, with a luck that others have too."""

    one: str
    others: str
    seats: int
    number: int
    manners: str = ""  # how the two search

    @property
    def seat(self) -> int:
        return self.number % self.seats

    @property
    def seed(self) -> int:
        return FIRST_SEED + self.number // self.seats

    @property
    def bots(self) -> tuple[str, ...]:
        return tuple(self.one if seat == self.seat else self.others for seat in range(self.seats))

    def series(self, game: str, options: Any) -> Series:
        return Series(game, options, self.bots)

    @property
    def name(self) -> str:
        """Name the game so that it is known again: if its players searched in another manner it would be another."""
        return f"{self.one}-{self.others}-{self.manners}-{self.seats}-{self.number}"


def _manner(game: AnyGame, name: str) -> str:
    """Name how a level searches; what a bot of somebody's own does is not known."""
    if name not in SEARCHING:
        return "0"
    manner = manners(game.info.key)[name]
    return f"{manner.playouts}.{crc32(msgspec.json.encode(manner)):x}"


def chosen_levels(game: AnyGame, asked: str | None) -> list[str]:
    """Read which levels are to meet; the lowest comes first, and bots of somebody's own after all of them."""
    there = levels(game)
    named = asked.split(",") if asked else list(there)
    own = [name for name in dict.fromkeys(named) if is_own(name)]
    for name in own:
        maker(game, name)
    for name in (name for name in named if name not in own):
        if name not in LEVELS:
            raise JamboreeError(
                f"There is no level {name!r}; there are: {', '.join(LEVELS)}, or your own module:Class."
            )
        if name not in there:
            raise JamboreeError(f"{game.info.title} has no {name} here; it has: {', '.join(there)}.")
    if len(set(named)) < 2:
        raise JamboreeError("A ladder needs at least two levels.")
    return [*(level for level in there if level in named), *own]


def contests(game: AnyGame, chosen: Sequence[str], seats: int, games: int) -> Iterator[Game]:
    """List the games; the levels meet by turns, so that a run that is cut short knows a little of each."""
    pairs = [(high, low, f"{_manner(game, high)}-{_manner(game, low)}") for low, high in combinations(chosen, 2)]
    for number in range(games):
        for high, low, searching in pairs:
            yield Game(high, low, seats, number, searching)
