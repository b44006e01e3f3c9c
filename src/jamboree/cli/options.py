"""Options that commands share."""

from pathlib import Path
from typing import Annotated

import typer

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.words import LANGUAGES
from jamboree.games import keys

WHICH = "Which game; `jamboree games` lists them."
GameKey = Annotated[str, typer.Argument(metavar="GAME", help=WHICH, autocompletion=keys)]
MaybeGameKey = Annotated[
    str | None, typer.Argument(metavar="GAME", help=WHICH, show_default=False, autocompletion=keys)
]
MaybeJournal = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE",
        help="A journal, as `jamboree play --journal` writes it.",
        show_default="your last game",
    ),
]
Lang = Annotated[
    str,
    typer.Option(
        "--lang",
        metavar="|".join(LANGUAGES),
        help="Language of the game.",
        show_default="as your system speaks",
        autocompletion=lambda: list(LANGUAGES),
    ),
]

USUAL_SEATS = 3


def seat_count(game: AnyGame, seats: int | None) -> int:
    """Check the number of players; without one, the usual number if the game allows it."""
    least, most = game.info.seats
    if seats is None:
        return min(max(USUAL_SEATS, least), most)
    if not least <= seats <= most:
        raise JamboreeError(f"{game.info.title} is for {least} to {most} players, not {seats}.")
    return seats
