"""Options shared by several commands."""

from pathlib import Path
from typing import Annotated

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.words import LANGUAGES
from jamboree.games import keys

GAME_HELP = "The game; `jamboree games` lists them."
GameKey = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, autocompletion=keys)]
MaybeGameKey = Annotated[
    str | None, typer.Argument(metavar="GAME", help=GAME_HELP, show_default=False, autocompletion=keys)
]
MaybeJournal = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE",
        help="A journal written by `jamboree play --journal`.",
        show_default="your last game",
    ),
]
Lang = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="|".join(LANGUAGES),
        help="Language of the game.",
        show_default="your system's language",
        autocompletion=lambda: list(LANGUAGES),
    ),
]

DEFAULT_SEATS = 3


def seat_count(game: AnyGame, seats: int | None) -> int:
    """Check the number of players, by default three or the nearest number that the game allows."""
    least, most = game.info.seats
    if seats is None:
        return min(max(DEFAULT_SEATS, least), most)
    if not least <= seats <= most:
        raise JamboreeError(f"{game.info.title} is for {least} to {most} players, not {seats}.")
    return seats
