"""`jamboree boards`: check and look at the boards of a game, also those a designer has drawn."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.games import all_games, find
from jamboree.games.options import packaged

from ..files import read_file
from ..flags import contents
from ..language import language_of
from ..options import Lang, seat_count
from ..polite import WRONG, complain
from ..show import console, say, show
from ..switches import PlainCommand, PlainGroup

boards = typer.Typer(cls=PlainGroup, no_args_is_help=True, help="Check and look at the boards of a game.")

OPTION = "board"
MISTAKEN = 1

OfGame = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="Which game's boards.", show_default="the game that has boards"),
]


@boards.command(cls=PlainCommand)
def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="The packaged boards if none.")] = None,
    game: OfGame = None,
) -> None:
    """Check boards by every rule, and count what is in play."""
    out, rules = console(), _with_boards(game)
    if files:
        raise typer.Exit(max(_check_file(out, rules, path) for path in files))
    known = packaged(rules, OPTION)
    raise typer.Exit(max((_check(out, rules, name, file.read_bytes()) for name, file in known.items()), default=0))


def _check_file(out: Console, game: AnyGame, path: Path) -> int:
    try:
        return _check(out, game, str(path), read_file(path))
    except JamboreeError as error:
        complain(error)
        return WRONG


def _check(out: Console, game: AnyGame, name: str, text: bytes) -> int:
    """Report on one board; the answer is an exit code."""
    mistakes, facts = game.info.designs[OPTION].examine(text)
    count = len(mistakes)
    if mistakes:
        say(out, f"{name}: {count} mistake{'s' if count > 1 else ''}", "strong")
    else:
        say(out, f"{name}: ok", "good")
    for line in mistakes or facts:
        say(out, f"  {line}")
    return MISTAKEN if mistakes else 0


@boards.command(name="show")
def show_board(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A packaged board, or a file.")],
    seats: Annotated[int | None, typer.Option(help="How many players.", show_default="as many as can play")] = None,
    lang: Lang = "",
    game: OfGame = None,
) -> None:
    """Draw a board as it is before anything lies on it."""
    rules = _with_boards(game)
    lang = language_of(rules, lang)
    text, count = contents(rules, OPTION, name), seat_count(rules, seats or rules.info.seats[1])
    show(console(), rules.info.designs[OPTION].paint(text, count, lang))


def _with_boards(key: str | None) -> AnyGame:
    """Find the game whose boards are meant."""
    found = [game for game in ([find(key)] if key else all_games().values()) if OPTION in game.info.designs]
    if not found:
        raise JamboreeError(f"{find(key).info.title if key else 'No game here'} has no boards to look at.")
    if len(found) > 1:
        raise JamboreeError(f"Whose boards? Say --game and one of: {', '.join(game.info.key for game in found)}.")
    return found[0]
