"""Report on how Bebop plays on each of its boards."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

import msgspec

from jamboree.core.kit.reporting import GameResult, Plan, Play, Series, head, mean, row, share_of_win

from ..bots.players import MIXED_WEIGHTS
from ..box.board import festivals, load
from ..box.components import PLAYER_COUNTS
from ..fast.evaluation import NOISE
from ..game import game
from ..rules.setup import Options
from .measure import Facts, measure

PERFORMED_GOAL = (0.60, 0.95)
FIRST_GOAL = 0.04  # how far the first player's share of wins may be from a fair one


class BoardStatistics(msgspec.Struct, frozen=True):
    """Statistics of all games on one board with one number of players; shares are between 0 and 1."""

    players: int
    games: int
    dead_ends: int
    performed: float
    least: tuple[str, float]  # the stage that performed least, and its share
    stuck: float
    score: tuple[float, float, float]  # mean of all players, of the winner, of the last
    sources: tuple[float, float, float]
    first: float  # the first player's share of wins, a shared win being divided
    error: float  # the standard error of that
    vips: float
    passes: float

    @property
    def gap(self) -> float:
        return self.first - 1 / self.players

    def misses(self) -> list[str]:
        """Return the names of the missed goals."""
        missed = {
            "dead ends": self.dead_ends > 0,
            "stages": not PERFORMED_GOAL[0] <= self.performed <= PERFORMED_GOAL[1],
            "first seat": abs(self.gap) > FIRST_GOAL,
        }
        return [goal for goal, is_missed in missed.items() if is_missed]


def board_statistics(records: Sequence[GameResult], players: int) -> BoardStatistics:
    ended = [record for record in records if record.failure is None]
    facts: list[Facts] = [record.facts for record in ended]
    first = [share_of_win(record.winners, fact.first) for record, fact in zip(ended, facts, strict=True)]
    stages = _by_stage(facts)
    return BoardStatistics(
        players=players,
        games=len(records),
        dead_ends=len(records) - len(ended),
        performed=mean(stages.values()),
        least=min(stages.items(), key=lambda item: item[1], default=("-", 0.0)),
        stuck=mean(fact.stuck / players for fact in facts),
        score=_scores([record.scores for record in ended]),
        sources=_sources(facts),
        first=mean(first),
        error=stdev(first) / sqrt(len(first)) if len(first) > 1 else 0.0,
        vips=mean(fact.vips / players for fact in facts),
        passes=mean(fact.passes / players for fact in facts),
    )


def _by_stage(facts: list[Facts]) -> dict[str, float]:
    letters = facts[0].performed if facts else {}
    return {letter: mean(fact.performed[letter] for fact in facts) for letter in letters}


def _scores(games: list[list[int]]) -> tuple[float, float, float]:
    return mean(map(fmean, games)), mean(map(max, games)), mean(map(min, games))


def _sources(facts: list[Facts]) -> tuple[float, float, float]:
    families, stages, majorities = (sum(fact.sources[source] for fact in facts) for source in range(3))
    total = max(families + stages + majorities, 1)
    return families / total, stages / total, majorities / total


PLAN = Plan()
BOT = "mixed"

COLUMNS = (
    "board",
    "players",
    "dead ends",
    "stages performed (least)",
    "stuck",
    "score (winner, last)",
    "families / stages / majorities",
    "first player wins (against fair)",
    "VIP / Backstage used",
)
RANDOM, GOALS = "random bots' score", "goals"


class BoardSetup(msgspec.Struct, frozen=True):
    festival: str
    players: int

    def play_games(self, bot: str, star: bool, seeds: range, play: Play) -> BoardStatistics:
        options = Options(board=load(self.festival).source, star=star)
        series = Series(game.info.key, options, (bot,) * self.players, measure)
        return board_statistics(play(series, seeds), self.players)


def board_setups() -> list[BoardSetup]:
    return [BoardSetup(festival, players) for festival in festivals() for players in PLAYER_COUNTS]


def total(plan: Plan) -> int:
    return len(board_setups()) * (plan.games + 2 * plan.side_games)


def report(plan: Plan, play: Play) -> str:
    """Play every board with every number of players, and build the tables."""
    main, star = head(*COLUMNS, RANDOM, GOALS), head(*COLUMNS, GOALS)
    for setup in board_setups():
        statistics = setup.play_games(BOT, False, plan.seeds, play)
        random = setup.play_games("random", False, plan.side_seeds, play)
        main.append(setup_row(setup, statistics, f"{random.score[0]:.0f}"))
        star.append(setup_row(setup, setup.play_games(BOT, True, plan.side_seeds, play)))
    return "\n".join([*main, "", *report_notes(plan), "", "With the star module:", "", *star])


def setup_row(setup: BoardSetup, statistics: BoardStatistics, *more: str) -> str:
    letter, least = statistics.least
    everybody, winner, last = statistics.score
    return row(
        load(setup.festival).name,
        str(setup.players),
        str(statistics.dead_ends),
        f"{statistics.performed:.0%} ({letter} {least:.0%})",
        f"{statistics.stuck:.2%}",
        f"{everybody:.0f} ({winner:.0f}, {last:.0f})",
        " / ".join(f"{share:.0%}" for share in statistics.sources),
        f"{statistics.first:.1%} ± {100 * statistics.error:.1f} ({100 * statistics.gap:+.1f})",
        f"{statistics.vips:.0%} / {statistics.passes:.0%}",
        *more,
        ", ".join(f"**{goal} missed**" for goal in statistics.misses()) or "met",
    )


def report_notes(plan: Plan) -> list[str]:
    low, high = PERFORMED_GOAL
    lightest, heaviest = MIXED_WEIGHTS
    return [
        f"Goals: no dead ends; {low:.0%} to {high:.0%} of the stages performed; the first player's share of wins "
        f"within {100 * FIRST_GOAL:.0f} points of a fair one.",
        f"Played: {plan.games:,} games a row, {plan.side_games:,} with random bots, {plan.side_games:,} with the star "
        f"module; seed {plan.seed}; rules version {game.info.rules_version}; greedy bots, each with a weight between "
        f"{lightest} and {heaviest} drawn per game, noise {NOISE}.",
    ]
