"""`jamboree rate`: rates the levels of bots by games against each other."""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from jamboree.core.extras import MissingExtra
from jamboree.games import find

from ..error_handling import EXIT_INTERRUPTED
from ..game_flags import flag_values, table_options, with_named_options
from ..options import GameKey, seat_count
from ..output import console, print_text

if TYPE_CHECKING:
    from jamboree.lab.ladder import run

DEFAULT_GAMES = 20


def rate(
    ctx: typer.Context,
    game: GameKey,
    seats: Annotated[int | None, typer.Option(help="The number of players.", show_default="the minimum")] = None,
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL,LEVEL…",
            help="The levels to compare; module:Class is a bot of your own.",
            show_default="all levels",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="The number of games between every two levels.")] = DEFAULT_GAMES,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the games' randomness.")] = 0,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An option of the game by name, as an alternative to its flags."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            help="The file of results; games in it are not repeated unless a bot has changed.",
            show_default="ladder-GAME.jsonl",
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Repeat every game, also those with a result.")] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="The number of processes.", show_default="one per core")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play on a Ray cluster; `auto` finds the one on this machine.",
            show_default="this machine",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Rate the levels of bots by games against each other, with the same randomness for every order of seats.

    Each game has its own flags: `jamboree rate GAME --help` shows them.
    """
    from jamboree.lab.ladder import report, run, schedule, standings
    from jamboree.lab.progress import progress_bar
    from jamboree.lab.workers import workers as worker_pool

    if find_spec("openskill") is None:
        raise MissingExtra("Ratings need openskill, which is not installed", "rate")
    rules = find(game)
    count = rules.info.seats[0] if seats is None else seat_count(rules, seats)
    chosen = schedule.parse_levels(rules, levels)
    options = table_options(rules, with_named_options(rules, flag_values(ctx), option or []))
    requested = list(schedule.ladder_games(rules, chosen, count, games, seed, options))
    path = file or Path(f"ladder-{game}.jsonl")
    stored = run.stored_results(path, requested)
    for sentence in _reuse_notes(stored, len(requested), path, fresh):
        typer.echo(sentence, err=True)
    try:
        with worker_pool(workers, ray) as pool, progress_bar(rules.info.title, len(requested)) as done:
            played = run.play_ladder(game, options, requested, path, pool, done, fresh)
    except KeyboardInterrupt:
        typer.echo(f"\nStopped. Results so far are in {path}; repeat the command to continue.", err=True)
        raise typer.Exit(EXIT_INTERRUPTED) from None
    matchups, rated = standings.matchups(played), standings.ratings(played, chosen)
    if as_json:
        reused = 0 if fresh else len(stored.results)
        about = {"seed": seed, "options": msgspec.to_builtins(options), "reused": reused}
        typer.echo(json.dumps(report.as_json(game, matchups, rated) | about, indent=2))
        return
    for line in (*report.table(matchups), "", *report.plot(matchups), "", *report.rating_table(rated)):
        print_text(console(), line)


def _reuse_notes(stored: "run.StoredResults", games: int, path: Path, fresh: bool) -> Sequence[str]:
    """Describe which stored results are reused, and which are outdated."""
    sentences = []
    if stored.results and not fresh:
        sentences.append(f"{len(stored.results)} of {games} games reused from {path}; --fresh repeats them.")
    if stored.outdated:
        sentences.append(
            f"{stored.outdated} games in {path} are outdated: a bot, the rules or the options have changed."
        )
    return sentences
