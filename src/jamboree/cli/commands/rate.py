"""`jamboree rate`: the levels of bots against each other."""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from jamboree.core.extras import MissingExtra
from jamboree.games import find

from ..flags import given, table_options, with_named
from ..options import GameKey, seat_count
from ..polite import INTERRUPTED
from ..show import console, say

if TYPE_CHECKING:
    from jamboree.lab.ladder import run

USUAL_GAMES = 20


def rate(
    ctx: typer.Context,
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
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays with other luck.")] = 0,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the game, by name; it has flags of its own, too."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            help="Where results are stored; games in it are not played again unless a bot has changed.",
            show_default="ladder-GAME.jsonl",
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Play every game again, also those with a result.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes.", show_default="one a core")] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Play on a Ray cluster; `auto` finds the one of this machine.", show_default="here"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure how the levels of bots fare against each other, with seats and luck taken in turn.

    Each game has flags of its own: `jamboree rate GAME --help` shows them.
    """
    from jamboree.lab.ladder import report, run, schedule, standings
    from jamboree.lab.progress import progress_bar
    from jamboree.lab.workers import workers as worker_pool

    if find_spec("openskill") is None:
        raise MissingExtra("Ratings need openskill, which is not installed", "rate")
    rules = find(game)
    count = rules.info.seats[0] if seats is None else seat_count(rules, seats)
    chosen = schedule.parse_levels(rules, levels)
    options = table_options(rules, with_named(rules, given(ctx), option or []))
    wanted = list(schedule.ladder_games(rules, chosen, count, games, seed, options))
    path = file or Path(f"ladder-{game}.jsonl")
    stored = run.stored_results(path, wanted)
    for sentence in _about_stored(stored, len(wanted), path, fresh):
        typer.echo(sentence, err=True)
    try:
        with worker_pool(workers, ray) as pool, progress_bar(rules.info.title, len(wanted)) as done:
            played = run.play_ladder(game, options, wanted, path, pool, done, fresh)
    except KeyboardInterrupt:
        typer.echo(f"\nStopped. Results so far are in {path}; the same command goes on from there.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    met, rated = standings.matchups(played), standings.ratings(played, chosen)
    if as_json:
        reused = 0 if fresh else len(stored.results)
        about = {"seed": seed, "options": msgspec.to_builtins(options), "reused": reused}
        typer.echo(json.dumps(report.as_json(game, met, rated) | about, indent=2))
        return
    for line in (*report.table(met), "", *report.plot(met), "", *report.rating_table(rated)):
        say(console(), line)


def _about_stored(stored: "run.StoredResults", games: int, path: Path, fresh: bool) -> Sequence[str]:
    """Say which results are reused, and which are not because something has changed since."""
    sentences = []
    if stored.results and not fresh:
        sentences.append(f"{len(stored.results)} of {games} games reused from {path}; --fresh plays them again.")
    if stored.outdated:
        sentences.append(
            f"{stored.outdated} games in {path} do not count: a bot, the rules or the options have changed since."
        )
    return sentences
