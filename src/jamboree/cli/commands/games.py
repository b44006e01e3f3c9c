"""`jamboree games`: what can be played here."""

from jamboree.bots import character, levels, roster
from jamboree.core.game import AnyGame, in_order
from jamboree.games import all_games

from ..flags import flags_of, packaged
from ..show import console, say


def games() -> None:
    """List the games, with their numbers of players, options and bots."""
    out = console()
    for game in in_order(all_games().values()):
        say(out, f"{game.info.key}  {game.info.title}", "strong")
        for line in _about(game):
            say(out, f"  {line}")


def _about(game: AnyGame) -> list[str]:
    least, most = game.info.seats
    flags = flags_of(game)
    brought = {field: ", ".join(packaged(game, field)) for field in dict.fromkeys(flag.field for flag in flags)}
    return [
        f"players  {least} to {most}",
        f"options  {' '.join(flag.shown for flag in flags) or 'none'}",
        *(f"{field + 's':<7}  {names}" for field, names in brought.items() if names),
        f"bots     {', '.join(roster(game))}",
        *(f"         {level} is {character(level).name}, who {character(level).line}" for level in levels(game)),
    ]
