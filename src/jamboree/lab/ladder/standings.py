"""Standings of a ladder: shares of the wins with Wilson intervals, margins, and Plackett–Luce ratings."""

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean

import msgspec

from .results import LadderResult
from .schedule import LadderGame

Z = 1.96  # of a 95 % interval
RATED, SPREAD = 1500.0, 25.0  # a rating of 25 is shown as 1,500, and one point of it as 25


class Matchup(msgspec.Struct, frozen=True):
    """One level among copies of another."""

    one: str
    others: str
    seats: int
    games: int
    share: float  # of the wins
    low: float
    high: float
    margin: float  # points ahead of the best other

    @property
    def fair(self) -> float:
        return 1 / self.seats


class Rating(msgspec.Struct, frozen=True):
    level: str
    rating: float
    error: float  # to either side


def interval(share: float, games: int) -> tuple[float, float]:
    """Give Wilson's 95 % interval of a share; rounding errors do not take it below 0 or above 1."""
    if games == 0:
        return 0.0, 1.0
    middle = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z / (1 + Z * Z / games) * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def matchups(played: Sequence[tuple[LadderGame, LadderResult]]) -> list[Matchup]:
    pairs = dict.fromkeys((game.one, game.others, game.seats) for game, _ in played)
    rows = []
    for pair in pairs:
        mine = [(game, result) for game, result in played if (game.one, game.others, game.seats) == pair]
        share = fmean((game.seat in result.winners) / len(result.winners) for game, result in mine)
        margin = fmean(_margin(result.scores, game.seat) for game, result in mine)
        rows.append(Matchup(*pair, len(mine), share, *interval(share, len(mine)), margin))
    return rows


def _margin(scores: Sequence[int], seat: int) -> float:
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


def ratings(played: Iterable[tuple[LadderGame, LadderResult]], levels: Sequence[str]) -> list[Rating]:
    """Rate the levels by all games, in the order they were played; copies of a level share one rating."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known = {level: model.rating(name=level) for level in levels}
    for game, result in played:
        won, shared = game.seat in result.winners, len(result.winners) > 1
        ranks = [0.0, 0.0] if won and shared else [0.0, 1.0] if won else [1.0, 0.0]
        ((known[game.one],), (known[game.others],)) = model.rate([[known[game.one]], [known[game.others]]], ranks=ranks)
    return [Rating(level, _shown(known[level].mu), Z * known[level].sigma * SPREAD) for level in levels]


def _shown(mu: float) -> float:
    return RATED + (mu - 25.0) * SPREAD
