"""`jamboree boards`: check and look at Bebop's boards, also those a designer has drawn."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jamboree.core.errors import JamboreeError
from jamboree.games import find
from jamboree.games.bebop.box.board import BadBoard, Board, Mistake, festivals, load
from jamboree.games.bebop.box.board_check import check as check_board
from jamboree.games.bebop.box.board_check import report
from jamboree.games.bebop.words.painting import paint_empty

from .files import read_file
from .language import check_language
from .options import Lang, contents, seat_count
from .polite import WRONG, complain
from .show import console, say, show

boards = typer.Typer(no_args_is_help=True, help="Check and look at Bebop's boards.")

MISTAKEN = 1


@boards.command()
def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]…", help="The packaged boards if none.")] = None,
) -> None:
    """Check boards by every rule, and count what is in play."""
    out = console()
    if files:
        raise typer.Exit(max(_check(out, str(path), path) for path in files))
    raise typer.Exit(max(_check(out, name, None) for name in festivals()))


def _check(out: Console, name: str, path: Path | None) -> int:
    """Report on one board; the answer is an exit code."""
    try:
        board = Board.parse(read_file(path)) if path else load(name)
    except BadBoard as error:
        return _report_mistakes(out, name, error.mistakes)
    except JamboreeError as error:
        complain(error)
        return WRONG
    if mistakes := check_board(board):
        return _report_mistakes(out, name, mistakes)
    say(out, f"{name}: ok", "good")
    for line in report(board):
        say(out, f"  {line}")
    return 0


def _report_mistakes(out: Console, name: str, mistakes: list[Mistake]) -> int:
    say(out, f"{name}: {len(mistakes)} mistake{'s' if len(mistakes) > 1 else ''}", "strong")
    for mistake in mistakes:
        say(out, f"  {mistake}")
    return MISTAKEN


@boards.command(name="show")
def show_board(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A packaged board, or a file.")],
    seats: Annotated[int, typer.Option(help="How many players.")] = 4,
    lang: Lang = "en",
) -> None:
    """Draw a board as it is before anything lies on it."""
    game = find("bebop")
    check_language(game, lang)
    board = Board.parse(contents(game, "board", name))
    show(console(), paint_empty(board.ground(seat_count(game, seats)), lang))
