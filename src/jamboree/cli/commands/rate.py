"""`jamboree rate`: the levels of bots against each other."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from jamboree.core.extras import MissingExtra
from jamboree.games import find

from ..options import GameKey, seat_count
from ..polite import INTERRUPTED
from ..show import console, say

USUAL_GAMES = 20


def rate(
    game: GameKey,
    seats: Annotated[int | None, typer.Option(help="How many players.", show_default="the fewest")] = None,
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL,LEVEL…",
            help="Which levels meet; module:Class is a bot of your own.",
            show_default="all there are",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games every two levels play.")] = USUAL_GAMES,
    file: Annotated[
        Path | None, typer.Option(help="Where results are kept; a run that was stopped goes on from there.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes.", show_default="one a core")] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Play on a Ray cluster; `auto` finds the one of this machine.", show_default="here"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure how the levels of bots fare against each other, with seats and luck taken in turn."""
    from jamboree.lab.ladder import contests, report, run, standings
    from jamboree.lab.progress import bar
    from jamboree.lab.workers import workers as held

    if find_spec("openskill") is None:
        raise MissingExtra("Ratings need openskill, which is not installed", "rate")
    rules = find(game)
    count = rules.info.seats[0] if seats is None else seat_count(rules, seats)
    chosen = contests.chosen_levels(rules, levels)
    wanted = list(contests.contests(rules, chosen, count, games))
    path = file or Path(f"ladder-{game}.jsonl")
    try:
        with held(workers, ray) as pool, bar(rules.info.title, len(wanted)) as done:
            played = run.played(game, rules.info.options(), wanted, path, pool, done)
    except KeyboardInterrupt:
        typer.echo(f"\nStopped. What was played is kept in {path}; the same command goes on from there.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    met, rated = standings.meetings(played), standings.ratings(played, chosen)
    if as_json:
        typer.echo(json.dumps(report.as_json(game, met, rated), indent=2))
        return
    for line in (*report.table(met), "", *report.plot(met), "", *report.rating_table(rated)):
        say(console(), line)
