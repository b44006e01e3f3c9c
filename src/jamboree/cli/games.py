"""`jamboree games`: what can be played here."""

from jamboree.bots import character, levels, roster
from jamboree.core.game import AnyGame
from jamboree.games import all_games

from .options import flags_of, packaged
from .show import console, say


def games() -> None:
    """List the games, with their numbers of players, options and bots."""
    out = console()
    for game in all_games().values():
        say(out, f"{game.info.key}  {game.info.title}", "strong")
        for line in _about(game):
            say(out, f"  {line}")


def _about(game: AnyGame) -> list[str]:
    least, most = game.info.seats
    boards = ", ".join(packaged(game, "board"))
    return [
        f"players  {least} to {most}",
        f"options  {' '.join(flags_of(game)) or 'none'}",
        *([f"boards   {boards}"] if boards else []),
        f"bots     {', '.join(roster(game))}",
        *(f"         {level} is {character(level).name}, who {character(level).line}" for level in levels(game)),
    ]
