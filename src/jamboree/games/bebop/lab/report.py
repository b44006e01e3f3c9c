"""How Bebop plays on each of its boards."""

import msgspec

from jamboree.core.kit.reporting import Plan, Play, Series, head, row

from ..bots.greedy import MIXED_WEIGHTS, NOISE
from ..box.board import festivals, load
from ..box.components import PLAYER_COUNTS
from ..game import game
from ..rules.setup import Options
from .measure import measure
from .tally import FIRST_GOAL, PERFORMED_GOAL, Tally, tally

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


class Cell(msgspec.Struct, frozen=True):
    festival: str
    players: int

    def tallied(self, bot: str, star: bool, seeds: range, play: Play) -> Tally:
        options = Options(board=load(self.festival).source, star=star)
        series = Series(game.info.key, options, (bot,) * self.players, measure)
        return tally(play(series, seeds), self.players)


def cells() -> list[Cell]:
    return [Cell(festival, players) for festival in festivals() for players in PLAYER_COUNTS]


def total(plan: Plan) -> int:
    return len(cells()) * (plan.games + 2 * plan.side_games)


def report(plan: Plan, play: Play) -> str:
    """Play every board with every number of players, and set out the tables."""
    main, star = head(*COLUMNS, RANDOM, GOALS), head(*COLUMNS, GOALS)
    for cell in cells():
        found = cell.tallied(BOT, False, plan.seeds, play)
        random = cell.tallied("random", False, plan.side_seeds, play)
        main.append(cell_row(cell, found, f"{random.score[0]:.0f}"))
        star.append(cell_row(cell, cell.tallied(BOT, True, plan.side_seeds, play)))
    return "\n".join([*main, "", *about(plan), "", "With the star module:", "", *star])


def cell_row(cell: Cell, found: Tally, *more: str) -> str:
    letter, least = found.least
    everybody, winner, last = found.score
    return row(
        load(cell.festival).name,
        str(cell.players),
        str(found.dead_ends),
        f"{found.performed:.0%} ({letter} {least:.0%})",
        f"{found.stuck:.2%}",
        f"{everybody:.0f} ({winner:.0f}, {last:.0f})",
        " / ".join(f"{share:.0%}" for share in found.sources),
        f"{found.first:.1%} ± {100 * found.error:.1f} ({100 * found.gap:+.1f})",
        f"{found.vips:.0%} / {found.passes:.0%}",
        *more,
        ", ".join(f"**{goal} missed**" for goal in found.misses()) or "met",
    )


def about(plan: Plan) -> list[str]:
    low, high = PERFORMED_GOAL
    lightest, heaviest = MIXED_WEIGHTS
    return [
        f"Goals: no dead ends; {low:.0%} to {high:.0%} of the stages performed; the first player's share of wins "
        f"within {100 * FIRST_GOAL:.0f} points of a fair one.",
        f"Played: {plan.games:,} games a row, {plan.side_games:,} with random bots, {plan.side_games:,} with the star "
        f"module; seed {plan.seed}; rules version {game.info.rules_version}; greedy bots, each with a weight between "
        f"{lightest} and {heaviest} drawn per game, noise {NOISE}.",
    ]
