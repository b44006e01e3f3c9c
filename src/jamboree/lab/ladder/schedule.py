"""The schedule of a ladder: a round robin of levels with common random numbers.

The higher level plays on each seat in turn among copies of the lower.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from typing import Any

import msgspec

from jamboree.bots import LEVELS, bot_factory, check_numba, is_class_name, levels
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.kit.reporting import SEED_STEP, Series

from .fingerprint import fingerprint

FIRST_SEED = 7_000_000  # reports use lower ones


class LadderGame(msgspec.Struct, frozen=True):
    """One game to be played: one bot among copies of another. Pairings share their seeds."""

    one: str
    others: str
    seats: int
    number: int
    first_seed: int = FIRST_SEED
    version: str = ""  # fingerprint of both bots, their settings and the table's options

    @property
    def seat(self) -> int:
        return self.number % self.seats

    @property
    def seed(self) -> int:
        return self.first_seed + self.number // self.seats

    @property
    def bots(self) -> tuple[str, ...]:
        return tuple(self.one if seat == self.seat else self.others for seat in range(self.seats))

    def series(self, game: str, options: Any) -> Series:
        return Series(game, options, self.bots)

    @property
    def pairing(self) -> str:
        """The bots, the seed and the seat, regardless of versions."""
        return f"{self.one}-{self.others}-{self.seats}-{self.seed}-{self.seat}"

    @property
    def name(self) -> str:
        """The identity of the game, which includes the versions of its bots."""
        return f"{self.pairing}-{self.version}"


def parse_levels(game: AnyGame, requested: str | None) -> list[str]:
    """Parse the list of bots: levels from the lowest up, then custom classes."""
    available = levels(game)
    named = requested.split(",") if requested else list(available)
    own = [name for name in dict.fromkeys(named) if is_class_name(name)]
    for name in own:
        bot_factory(game, name)
    for name in (name for name in named if name not in own):
        if name not in LEVELS:
            raise JamboreeError(
                f"There is no level {name!r}; there are: {', '.join(LEVELS)}, or your own module:Class."
            )
        if name not in available:
            check_numba(name)
            raise JamboreeError(f"{game.info.title} has no {name} here; it has: {', '.join(available)}.")
    if len(set(named)) < 2:
        raise JamboreeError("A ladder needs at least two levels.")
    return [*(level for level in available if level in named), *own]


def ladder_games(
    game: AnyGame, chosen: Sequence[str], seats: int, games: int, seed: int = 0, options: Any = None
) -> Iterator[LadderGame]:
    """Yield the games to play. Pairings alternate, so that an interrupted run has results of each."""
    versions = {name: fingerprint(game, name) for name in chosen}
    table = msgspec.json.encode(game.info.options() if options is None else options)
    pairs = [(high, low, _version(versions[high], versions[low], table)) for low, high in combinations(chosen, 2)]
    first_seed = FIRST_SEED + seed * SEED_STEP
    for number in range(games):
        for high, low, version in pairs:
            yield LadderGame(high, low, seats, number, first_seed, version)


def _version(one: str, others: str, options: bytes) -> str:
    return sha256(b"\0".join([one.encode(), others.encode(), options])).hexdigest()[:12]
