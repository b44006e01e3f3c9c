"""`python -m jamboree.lab.report GAME`: plays many games between bots and writes a report into the game's page."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from jamboree import games
from jamboree.core.errors import JamboreeError
from jamboree.core.kit.reporting import Report

from .progress import progress_bar
from .simulate import simulate
from .workers import workers

START, END = "<!-- report:start -->", "<!-- report:end -->"


def replace_report(page: str, text: str) -> str:
    """Put a text between the markers of a page, in place of what was there."""
    before, start, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise JamboreeError(f"The page has no place for the report: it needs {START} and, below it, {END}.")
    return f"{before}{START}\n{text}\n{END}{after}"


def main(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game; `jamboree games` lists them.")],
    games: Annotated[int | None, typer.Option(help="Games for each number of players.", min=1)] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed plays other games.", min=0)] = None,
    processes: Annotated[int | None, typer.Option(help="All processors, if not given.", min=1)] = None,
    ray: Annotated[str | None, typer.Option(help="The address of a Ray cluster to play on.")] = None,
    page: Annotated[Path | None, typer.Option(help="The page to write into.", show_default="the game's own")] = None,
) -> None:
    """Describe a game by what bots do in it."""
    page = page or Path(f"docs/games/{game}.md")
    try:
        about = report_of(game)
        overrides = {name: value for name, value in (("games", games), ("seed", seed)) if value is not None}
        plan = msgspec.structs.replace(about.PLAN, **overrides)
        replace_report(page.read_text("utf-8"), "")
        with workers(processes, ray) as pool, progress_bar("Playing", about.total(plan)) as done:
            text = about.report(plan, lambda series, seeds: simulate(series, seeds, pool, done))
        page.write_text(replace_report(page.read_text("utf-8"), text), "utf-8")
    except FileNotFoundError:
        raise SystemExit(f"There is no page {page} to write into; run this where it is, or name it.") from None
    except JamboreeError as error:
        raise SystemExit(str(error)) from None


def report_of(key: str) -> Report:
    """Load the report that a game's package brings."""
    title, name = games.find(key).info.title, f"{games.package(key)}.lab.report"
    if find_spec(name) is None:
        raise JamboreeError(f"{title} has no report.")
    report: Report = import_module(name)
    return report


if __name__ == "__main__":
    typer.run(main)
