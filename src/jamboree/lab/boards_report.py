"""Plays on every Bebop board and writes what came out into its page."""

from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from jamboree.core.errors import JamboreeError
from jamboree.games.bebop import game
from jamboree.games.bebop.bots.greedy import MIXED_WEIGHTS, NOISE
from jamboree.games.bebop.box.board import festivals, load
from jamboree.games.bebop.box.components import PLAYER_COUNTS
from jamboree.games.bebop.rules.setup import Options

from .boards import FIRST_GOAL, PERFORMED_GOAL, Tally, measure, tally
from .progress import bar
from .simulate import Series, simulate, workers

PAGE = Path("docs/games/bebop.md")
START, END = "<!-- boards-report:start -->", "<!-- boards-report:end -->"
BOT = "mixed"
SIDE_SHARE = 4  # one game in so many for each side question: the star module, random bots
SEED_STEP = 1_000_000  # seeds of one report do not reach those of the next

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


class Plan(msgspec.Struct, frozen=True):
    """How much is played."""

    games: int
    seed: int

    @property
    def side_games(self) -> int:
        return max(self.games // SIDE_SHARE, 1)

    @property
    def total(self) -> int:
        return len(cells()) * (self.games + 2 * self.side_games)

    def seeds(self, games: int) -> range:
        return range(self.seed * SEED_STEP, self.seed * SEED_STEP + games)


class Cell(msgspec.Struct, frozen=True):
    festival: str
    players: int

    def play(self, bot: str, star: bool, seeds: range, pool: Executor | None, done: Callable[[int], None]) -> Tally:
        options = Options(board=load(self.festival).source, star=star)
        series = Series(game.info.key, options, (bot,) * self.players, measure)
        return tally(simulate(series, seeds, pool, done), self.players)


def cells() -> list[Cell]:
    return [Cell(festival, players) for festival in festivals() for players in PLAYER_COUNTS]


def report(plan: Plan, pool: Executor | None, done: Callable[[int], None]) -> str:
    """Play every board with every number of players, and set out the tables."""
    main, star = head(*COLUMNS, RANDOM, GOALS), head(*COLUMNS, GOALS)
    for cell in cells():
        side = plan.seeds(plan.side_games)
        found = cell.play(BOT, False, plan.seeds(plan.games), pool, done)
        random = cell.play("random", False, side, pool, done)
        main.append(row(cell, found, f"{random.score[0]:.0f}"))
        star.append(row(cell, cell.play(BOT, True, side, pool, done)))
    return "\n".join([*main, "", *about(plan), "", "With the star module:", "", *star])


def head(*titles: str) -> list[str]:
    return [line(*titles), line(*["---"] * len(titles))]


def line(*columns: str) -> str:
    return f"| {' | '.join(columns)} |"


def row(cell: Cell, found: Tally, *more: str) -> str:
    letter, least = found.least
    everybody, winner, last = found.score
    return line(
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


def written_into(page: str, text: str) -> str:
    """Put a text between the markers of a page, in place of what was there."""
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise JamboreeError(f"The page has no place for the report: it needs {START} and, below it, {END}.")
    return f"{before}{START}\n{text}\n{END}{after}"


def main(
    games: Annotated[int, typer.Option(help="Games for each board and number of players.", min=1)] = 2000,
    seed: Annotated[int, typer.Option(help="Another seed plays other games.", min=0)] = 1,
    processes: Annotated[int | None, typer.Option(help="All processors, if not given.", min=1)] = None,
    page: Annotated[Path, typer.Option(help="The page to write into.")] = PAGE,
) -> None:
    """Describe the boards of Bebop by what bots do on them."""
    plan = Plan(games, seed)
    try:
        written_into(page.read_text("utf-8"), "")
        with workers(processes) as pool, bar("Playing", plan.total) as done:
            text = report(plan, pool, done)
        page.write_text(written_into(page.read_text("utf-8"), text), "utf-8")
    except FileNotFoundError:
        raise SystemExit(f"There is no page {page} to write into; run this where it is, or name it.") from None
    except JamboreeError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    typer.run(main)
