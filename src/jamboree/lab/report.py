"""`python -m jamboree.lab.report bpm`: plays many games between bots and writes what came out into the game's page."""

from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from jamboree.core.errors import JamboreeError

from . import boards_report, boogie_report, bpm_report
from .plan import Plan
from .progress import bar
from .simulate import simulate, workers
from .tables import written_into

REPORTS: dict[str, ModuleType] = {"bebop": boards_report, "bpm": bpm_report, "boogie": boogie_report}


def main(
    game: Annotated[str, typer.Argument(help="bebop, bpm or boogie.")],
    games: Annotated[int, typer.Option(help="Games for each number of players.", min=1)] = 2000,
    seed: Annotated[int, typer.Option(help="Another seed plays other games.", min=0)] = 1,
    processes: Annotated[int | None, typer.Option(help="All processors, if not given.", min=1)] = None,
    page: Annotated[Path | None, typer.Option(help="The page to write into.", show_default="the game's own")] = None,
) -> None:
    """Describe a game by what bots do in it."""
    plan, about = Plan(games, seed), REPORTS[game]
    page = page or Path(f"docs/games/{game}.md")
    try:
        written_into(page.read_text("utf-8"), "")
        with workers(processes) as pool, bar("Playing", about.total(plan)) as done:
            text = about.report(plan, lambda series, seeds: simulate(series, seeds, pool, done))
        page.write_text(written_into(page.read_text("utf-8"), text), "utf-8")
    except FileNotFoundError:
        raise SystemExit(f"There is no page {page} to write into; run this where it is, or name it.") from None
    except JamboreeError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    typer.run(main)
