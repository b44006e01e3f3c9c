"""`jamboree boards`: checks and draws a game's boards, packaged ones and files of a designer."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.table_options import packaged
from jamboree.games import all_games, find

from ..error_handling import EXIT_ERROR, print_error
from ..files import read_file
from ..game_flags import contents
from ..language import game_language
from ..options import Lang, seat_count
from ..output import console, print_painting, print_text
from ..typer_classes import CliCommand, CliGroup

boards = typer.Typer(cls=CliGroup, no_args_is_help=True, help="Check and draw the boards of a game.")

OPTION = "board"
EXIT_MISTAKES = 1

GameOption = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="The game.", show_default="the only game with boards"),
]


@boards.command(cls=CliCommand)
def check(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Boards; by default the packaged ones.")
    ] = None,
    game: GameOption = None,
) -> None:
    """Check boards for mistakes, and count their components."""
    out, rules = console(), _with_boards(game)
    if files:
        raise typer.Exit(max(_check_file(out, rules, path) for path in files))
    known = packaged(rules, OPTION)
    raise typer.Exit(max((_check(out, rules, name, file.read_bytes()) for name, file in known.items()), default=0))


def _check_file(out: Console, game: AnyGame, path: Path) -> int:
    try:
        return _check(out, game, str(path), read_file(path))
    except JamboreeError as error:
        print_error(error)
        return EXIT_ERROR


def _check(out: Console, game: AnyGame, name: str, text: bytes) -> int:
    """Report on one board and return an exit code."""
    mistakes, facts = game.info.designs[OPTION].examine(text)
    count = len(mistakes)
    if mistakes:
        print_text(out, f"{name}: {count} mistake{'s' if count > 1 else ''}", "strong")
    else:
        print_text(out, f"{name}: ok", "good")
    for line in mistakes or facts:
        print_text(out, f"  {line}")
    return EXIT_MISTAKES if mistakes else 0


@boards.command(name="show")
def show_board(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A packaged board, or a file.")],
    seats: Annotated[int | None, typer.Option(help="The number of players.", show_default="the maximum")] = None,
    lang: Lang = "",
    game: GameOption = None,
) -> None:
    """Draw an empty board."""
    rules = _with_boards(game)
    lang = game_language(rules, lang)
    text, count = contents(rules, OPTION, name), seat_count(rules, seats or rules.info.seats[1])
    print_painting(console(), rules.info.designs[OPTION].paint(text, count, lang))


def _with_boards(key: str | None) -> AnyGame:
    """Return the game of that key, or the only one that has boards."""
    games = [game for game in ([find(key)] if key else all_games().values()) if OPTION in game.info.designs]
    if not games:
        raise JamboreeError(f"{find(key).info.title if key else 'No game'} has boards.")
    if len(games) > 1:
        raise JamboreeError(
            f"Several games have boards; choose one with --game: {', '.join(game.info.key for game in games)}."
        )
    return games[0]
